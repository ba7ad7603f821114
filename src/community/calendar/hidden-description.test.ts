import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { deletePost } from "#community/discussions";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";
import { createTestGroup, createTestUsers, setMembership } from "../../../test/support/test-users.ts";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  editEvent,
  EventAnswer,
  EventChange,
  getEvent,
  listEvents,
  listFeedEvents,
  listMonthEvents,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const PLACE = "Behind the mill";
const CALL = "https://call.example/secret";

/** Tomas owns the public group; Mira hosts the event, Noor and Tomas have accepted. */
async function setup() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "public" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, { place: PLACE, onlineUrl: CALL });
  const { occurrenceId, description } = await getEvent(db, people.mira, id);
  const accept = (who: SignedIn) =>
    within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: "going" })));
  await accept(people.noor);
  await accept(people.tomas);
  return { ...people, group, id, postId: description!.postId };
}

/** Columns that every list, feed and page of events reads, as text. */
const readAll = async (viewer: Viewer, { id, group }: { id: string; group: { id: string } }) =>
  JSON.stringify([
    await getEvent(db, viewer, id),
    await listEvents(db, viewer, { from: clock.at }),
    await listMonthEvents(db, viewer, { from: clock.at, until: new Date(clock.at.getTime() + 40 * DAY) }),
    await listFeedEvents(db, viewer, clock.at, { eventId: id }),
    await listFeedEvents(db, viewer, clock.at, { groupId: group.id }),
  ]);
const countOf = (text: string, part: string) => text.split(part).length - 1;

const setState = (postId: string, state: string) =>
  run(db, sql`update posts set state = ${state} where id = ${postId}`);

test.each(["hidden", "removed"])(
  "event with a %s description shows its place and link to its host and moderators only",
  async (state) => {
    const at = await setup();
    expect(countOf(await readAll(at.noor, at), PLACE)).toBe(5);
    expect(countOf(await readAll(at.noor, at), CALL)).toBe(3);
    expect(countOf(await readAll(GUEST, at), PLACE)).toBe(5);
    await setState(at.postId, state);
    for (const viewer of [at.noor, GUEST]) {
      const text = await readAll(viewer, at);
      expect([countOf(text, PLACE), countOf(text, CALL)]).toEqual([0, 0]);
      expect(text).toContain("Repair evening");
    }
    for (const viewer of [at.mira, at.tomas, at.ines, at.ada])
      expect(countOf(await readAll(viewer, at), PLACE)).toBe(5);
    expect(countOf(await readAll(at.mira, at), CALL)).toBe(3);
    await setState(at.postId, "published");
    expect(countOf(await readAll(at.noor, at), PLACE)).toBe(5);
  },
);

test("event keeps its place when its author deletes the description", async () => {
  const at = await setup();
  await within((tx) => deletePost(tx, at.mira, { postId: at.postId }));
  expect(countOf(await readAll(at.noor, at), PLACE)).toBe(5);
});

test("event with a hidden description can still be edited by its host", async () => {
  const at = await setup();
  await setState(at.postId, "hidden");
  const { body: _, ...words } = eventFields(clock.at);
  const change = EventChange.parse({ ...words, eventId: at.id, changes: 0, place: "At the mill" });
  await within((tx) => editEvent(tx, at.mira, change));
  expect(await getEvent(db, at.mira, at.id)).toMatchObject({ place: "At the mill" });
  expect(await getEvent(db, at.noor, at.id)).toMatchObject({ place: "", onlineUrl: null });
});
