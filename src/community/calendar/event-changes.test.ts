import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { getDiscussion, listPendingPosts, renameDiscussion, NewTitle } from "#community/discussions";
import { calendarRules, type SignedIn } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import { createApprovalTalk } from "../../../test/support/moderation/first-posts-setup.ts";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  approvePostOrEvent,
  createEvent,
  createEventOrAwaitApproval,
  editEvent,
  EventAnswer,
  EventChange,
  getEvent,
  listEvents,
  NewEvent,
  postponeEvent,
} from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const refused = (reason: string) => expect.objectContaining({ reason }) as object;

async function setup() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const { id } = await createTestEvent(database, people.mira, group.id);
  const edit = (who: SignedIn, fields: Partial<z.input<typeof EventChange>>) => {
    const { body: _, ...words } = eventFields(clock.at);
    return within((tx) =>
      editEvent(tx, who, EventChange.parse({ ...words, eventId: id, changes: 0, ...fields })),
    );
  };
  return { ...people, group, id, edit };
}

describe("postponed event", () => {
  test("keeps its answers and accepts only declines until it gets a new time", async () => {
    const { mira, tomas, noor, id, edit } = await setup();
    const { occurrenceId } = await getEvent(db, mira, id);
    const answer = (who: SignedIn, choice: "going" | "declined") =>
      within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice })));
    const postpone = (who: SignedIn) =>
      within((tx) => postponeEvent(tx, who, { eventId: id, reason: "The hall is closed." }));
    await answer(tomas, "going");
    await expect(postpone(noor)).rejects.toEqual(refused("not-found"));
    await postpone(mira);
    await expect(postpone(mira)).rejects.toEqual(refused("conflict"));
    expect(await getEvent(db, tomas, id)).toMatchObject({
      postponedReason: "The hall is closed.",
      postponedAt: clock.at,
      answer: "going",
    });
    await expect(answer(mira, "going")).rejects.toEqual(refused("conflict"));
    await answer(mira, "declined");
    await edit(mira, { changes: 1, place: "The shed" });
    expect((await getEvent(db, mira, id)).postponedAt).not.toBeNull();
    clock.pass(5 * DAY);
    const event = await getEvent(db, mira, id);
    expect(calendarRules.change(mira, event, clock.at)).toBe(true);
    await edit(mira, { ...eventFields(clock.at), changes: 2 });
    expect(await getEvent(db, tomas, id)).toMatchObject({
      postponedAt: null,
      postponedReason: "",
      answer: "going",
    });
    await answer(mira, "going");
  });

  test("appears in the audit log if a moderator postponed it", async () => {
    const { tomas, id } = await setup();
    await within((tx) => postponeEvent(tx, tomas, { eventId: id, reason: "Rain." }));
    expect(await many(db, sql`select act, reason from audit_events where object_id = ${id}`)).toEqual([
      { act: "event.postponed", reason: "Rain." },
    ]);
  });
});

describe("discussion of an event", () => {
  test("changes its title when the event gets a new title", async () => {
    const { mira, id, edit } = await setup();
    const { discussionId } = (await getEvent(db, mira, id)).description!;
    await edit(mira, { title: "Repair night" });
    expect((await getDiscussion(db, mira, discussionId)).title).toBe("Repair night");
  });

  test("keeps its title if it was renamed separately or is archived", async () => {
    const { mira, tomas, id, edit } = await setup();
    const { discussionId } = (await getEvent(db, mira, id)).description!;
    const title = async () => (await getDiscussion(db, mira, discussionId)).title;
    await run(db, sql`update discussions set state = 'archived' where id = ${discussionId}`);
    await edit(mira, { title: "Repair night" });
    expect(await title()).toBe("Repair evening");
    await run(db, sql`update discussions set state = 'open' where id = ${discussionId}`);
    await within((tx) => renameDiscussion(tx, tomas, NewTitle.parse({ discussionId, title: "Tools" })));
    await edit(mira, { title: "Repair morning", changes: 1 });
    expect(await title()).toBe("Tools");
  });
});

test("group settings determine who creates events", async () => {
  const { mira, tomas, group } = await setup();
  const mayCreate = async (who: SignedIn, eventsBy: string) => {
    await run(db, sql`update groups set events_by = ${eventsBy}`);
    return within((tx) =>
      createEvent(tx, who, NewEvent.parse({ ...eventFields(tx.now), groupId: group.id })),
    ).then(
      () => true,
      (error: { reason: string }) => error.reason,
    );
  };
  const newcomer: SignedIn = { ...mira, trust: "new" };
  expect(await mayCreate(mira, "established")).toBe(true);
  expect(await mayCreate(newcomer, "established")).toBe("not-allowed");
  expect(await mayCreate(mira, "moderators")).toBe("not-allowed");
  expect(await mayCreate(tomas, "moderators")).toBe(true);
});

describe("event of a new member", () => {
  const approve = (who: SignedIn, pendingPostId: string) =>
    within((tx) => approvePostOrEvent(tx, who, { pendingPostId }));
  async function hold() {
    const all = await createApprovalTalk();
    const it = await within((tx) =>
      createEventOrAwaitApproval(
        tx,
        all.nora,
        NewEvent.parse({ ...eventFields(tx.now), groupId: all.group.id, capacity: 4, place: "The shed" }),
      ),
    );
    if (!("waits" in it)) throw new Error("it does not wait");
    return { ...all, pendingPostId: it.waits };
  }

  test("stays pending with its time and place, and is published on approval", async () => {
    const { nora, mira, tomas, pendingPostId, group } = await hold();
    const events = async () => (await listEvents(db, mira, { from: clock.at, group: group.id })).rows;
    expect(await events()).toEqual([]);
    const { rows } = await listPendingPosts(db, tomas);
    expect(rows).toMatchObject([
      { title: "Repair evening", event: { place: "The shed", allDay: false, timeZone: "UTC" } },
    ]);
    await approve(tomas, pendingPostId);
    expect(await events()).toMatchObject([{ title: "Repair evening", capacity: 4, place: "The shed" }]);
    const event = await getEvent(db, mira, (await events())[0]!.eventId);
    expect(event.hosts.map(({ id: host }) => host)).toEqual([nora.id]);
    expect(event.startsAt.toISOString()).toBe(`${eventFields(clock.at).starts}:00.000Z`);
    await getDiscussion(db, mira, event.description!.discussionId);
  });

  test("cannot be approved once it is over", async () => {
    const { tomas, pendingPostId } = await hold();
    clock.pass(5 * DAY);
    await expect(approve(tomas, pendingPostId)).rejects.toEqual(refused("conflict"));
  });

  test("fails for clients that cannot show a pending post", async () => {
    const { nora, group } = await createApprovalTalk();
    await expect(
      within((tx) => createEvent(tx, nora, NewEvent.parse({ ...eventFields(tx.now), groupId: group.id }))),
    ).rejects.toEqual(refused("not-allowed"));
  });
});
