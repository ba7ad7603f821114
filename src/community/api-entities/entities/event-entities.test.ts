import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { answerEvent, EventAnswer, getEvent, listAttendees } from "#community/calendar";
import { blockPerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { createTestGroup, createTestUsers, setMembership } from "../../../../test/support/test-users.ts";
import { createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { readEntityRows } from "../../../../test/support/entity-rows.ts";
import { API_ENTITIES } from "./index.ts";

const database = await testDatabase();
const { inTransaction: within, db } = database;
const read = (viewer: Viewer, name: "Events" | "Attendances") =>
  readEntityRows(
    db,
    viewer,
    API_ENTITIES.find((entity) => entity.name === name)!,
    sql`true`,
  );
const PLACE = "Behind the mill";
const CALL = "https://call.example/secret";

/** A public group of Tomas; Mira hosts an event, Tomas and Noor are going, and Ada has declined. */
async function setup() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "public" });
  for (const who of [people.noor, people.ada])
    await within((tx) => setMembership(tx, group.id, who, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, {
    place: PLACE,
    onlineUrl: CALL,
    companions: 2,
  });
  const { occurrenceId, description } = await getEvent(db, people.mira, id);
  const answer = (who: SignedIn, wanted: string, companions = 0) =>
    within((tx) =>
      answerEvent(
        tx,
        who,
        EventAnswer.parse({ occurrenceId, answer: wanted, companions, note: `From ${who.id}` }),
      ),
    );
  await answer(people.tomas, "going");
  await answer(people.noor, "going", 1);
  await answer(people.ada, "declined");
  return { ...people, group, id, occurrenceId, postId: description!.postId };
}

test("an event has the viewer's own answer, and the link for those who are going", async () => {
  const at = await setup();
  const { startsAt, endsAt } = await getEvent(db, at.mira, at.id);
  const shared = {
    objectId: at.id,
    groupId: at.group.id,
    ownerId: at.mira.id,
    title: "Repair evening",
    state: "scheduled",
    startsAt,
    endsAt,
    place: PLACE,
    occurrenceId: at.occurrenceId,
    going: 3,
    maybe: 0,
  };
  expect(await read(at.noor, "Events")).toMatchObject([{ ...shared, answer: "going", onlineUrl: CALL }]);
  expect(await read(at.mira, "Events")).toMatchObject([{ ...shared, answer: null, onlineUrl: CALL }]);
  expect(await read(at.ada, "Events")).toMatchObject([{ ...shared, answer: "declined", onlineUrl: null }]);
  expect(await read(at.guest, "Events")).toMatchObject([{ ...shared, answer: null, onlineUrl: null }]);
});

test("a hidden description hides place and link from all but the host and moderators", async () => {
  const at = await setup();
  await run(db, sql`update posts set state = 'hidden' where id = ${at.postId}`);
  for (const viewer of [at.noor, at.guest])
    expect(await read(viewer, "Events")).toMatchObject([{ place: null, onlineUrl: null }]);
  for (const viewer of [at.mira, at.tomas])
    expect(await read(viewer, "Events")).toMatchObject([{ place: PLACE, onlineUrl: CALL }]);
});

test("answers are those that the page of the event lists, with notes for those who manage it", async () => {
  const at = await setup();
  /** Answers of others as the page lists them. */
  const listed = async (viewer: SignedIn) => {
    const event = await getEvent(db, viewer, at.id);
    const lists = await Promise.all(
      (["going", "maybe", "waiting", "declined"] as const).map((answer) =>
        listAttendees(db, viewer, event, { answer }).then(
          ({ rows }) => rows,
          () => [],
        ),
      ),
    );
    return lists.flat().filter(({ id }) => id !== viewer.id);
  };
  const assertSameAsPage = async () => {
    for (const viewer of [at.mira, at.noor, at.tomas, at.ada, at.ines]) {
      const rows = (await read(viewer, "Attendances")).filter(({ mine }) => mine === false);
      const byPerson = (all: [unknown, unknown, unknown][]) =>
        all.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
      expect(byPerson(rows.map((it) => [it["personId"], it["companions"], it["note"] ?? ""]))).toEqual(
        byPerson((await listed(viewer)).map((it) => [it.id, it.companions, it.note])),
      );
    }
  };
  await assertSameAsPage();
  expect((await listed(at.mira)).map(({ note }) => note)).toContain(`From ${at.ada.id}`);
  expect(await read(at.guest, "Attendances")).toEqual([]);
  const own = (await read(at.ada, "Attendances")).find(({ mine }) => mine === true);
  expect(own).toMatchObject({ answer: "declined", note: `From ${at.ada.id}`, checkedInAt: null });

  await within((tx) => blockPerson(tx, at.noor, { personId: at.mira.id }));
  await within((tx) => blockPerson(tx, at.tomas, { personId: at.noor.id }));
  await assertSameAsPage();
  await run(
    db,
    sql`update people set state = 'deactivated', deactivated_at = now() where id = ${at.tomas.id}`,
  );
  await assertSameAsPage();
  // A host who has left manages the event no longer.
  await run(db, sql`delete from memberships where person_id = ${at.mira.id}`);
  await assertSameAsPage();
  await run(db, sql`update groups set visibility = 'private' where id = ${at.group.id}`);
  expect([await read(at.mira, "Events"), await read(at.mira, "Attendances")]).toEqual([[], []]);
});
