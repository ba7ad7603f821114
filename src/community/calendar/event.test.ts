import { describe, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { getPost } from "#community/discussions";
import { groupFactsJson, viewerMembership } from "#community/groups";
import { type CalendarEventFacts, calendarRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  listEmittedEvents,
  setMembership,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  cancelEvent,
  createEvent,
  editEvent,
  EventAnswer,
  EventChange,
  getEvent,
  listEvents,
  listPastEvents,
  NewEvent,
} from "./index.ts";
import { isEventVisible } from "./event-columns.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

async function setup() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const { id } = await createTestEvent(database, people.mira, group.id);
  return { ...people, group, id };
}
const change = (id: string, more: Partial<z.input<typeof EventChange>> = {}) => {
  const { body: _, ...words } = eventFields(clock.at);
  return EventChange.parse({ ...words, eventId: id, changes: 0, ...more });
};
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { reason: string }) => error.reason,
  );

test("rules and SQL agree about events for every viewer, visibility, audience and time", async () => {
  const people = await createTestUsers(database);
  const [banned, invited, late] = await within((tx) =>
    Promise.all(["banned", "invited", "later"].map((name) => createPerson(tx, name))),
  );
  const viewers: Viewer[] = [...Object.values(people), banned!, invited!, late!];
  const seen: boolean[] = [];
  for (const [i, visibility] of (["public", "private", "secret"] as const).entries()) {
    const group = await createTestGroup(database, people, {
      visibility,
      name: `The beds ${i}`,
      historyPolicy: visibility === "public" ? "shared" : "from_joining",
    });
    const { id } = await createTestEvent(database, people.mira, group.id);
    clock.pass(5 * DAY);
    await within(async (tx) => {
      await setMembership(tx, group.id, banned!, "banned");
      await setMembership(tx, group.id, invited!, "invited");
      await setMembership(tx, group.id, late!, "member");
    });
    for (const audience of ["group", "members"])
      for (const endsAt of [addMilliseconds(clock.at, -4 * DAY), addMilliseconds(clock.at, DAY)]) {
        await run(
          db,
          sql`update calendar_events set audience = ${audience}, ends_at = ${endsAt} where id = ${id}`,
        );
        for (const viewer of viewers) {
          const { visible, ...facts } = await one(
            db,
            sql<Pick<CalendarEventFacts, "group" | "audience" | "endsAt"> & { visible: boolean }>`
              select ${isEventVisible("e", "g", "m")} as visible, ${groupFactsJson("g", "m")} as "group",
                e.audience, e.ends_at as "endsAt"
              from calendar_events e join groups g on g.id = e.group_id ${viewerMembership(viewer, "g", "m")}
              where e.id = ${id}`,
          );
          expect(calendarRules.see(viewer, facts)).toBe(visible);
          seen.push(visible);
        }
      }
  }
  expect(new Set(seen).size).toBe(2);
});

describe("new event", () => {
  test("gets a description post, and is created once if submitted twice", async () => {
    const { mira, group } = await setup();
    const input = NewEvent.parse({
      ...eventFields(clock.at),
      groupId: group.id,
      clientId: "5b0ff6a4-8f6c-4c57-8a33-6b3f5c1c9d10",
    });
    const { id } = await within((tx) => createEvent(tx, mira, input));
    expect(await within((tx) => createEvent(tx, mira, input))).toEqual({ id });
    const event = await getEvent(db, mira, id);
    expect(event).toMatchObject({
      title: "Repair evening",
      hosts: [{ username: "mira" }],
      going: 0,
      changes: 0,
    });
    expect(event.endsAt.getTime() - event.startsAt.getTime()).toBe(3 * HOUR);
    expect(JSON.stringify(await getPost(db, mira, event.description!.postId))).toContain(
      "Bring what is broken.",
    );
    expect(await listEmittedEvents(database)).toContain("calendar.created");
  });

  test("cannot be created by people who may not start discussions", async () => {
    const { mira, noor, guest, group } = await setup();
    const create = (who: Viewer) =>
      reasonOf(
        within((tx) => createEvent(tx, who, NewEvent.parse({ ...eventFields(tx.now), groupId: group.id }))),
      );
    expect(await create(mira)).toBe("done");
    expect(await create(noor)).toBe("not-allowed");
    expect(await create(guest)).toBe("not-signed-in");
    await run(db, sql`update groups set starts_by = 'moderators'`);
    expect(await create(mira)).toBe("not-allowed");
  });

  test.each([
    ["ends", "an end before the start", { starts: "2026-12-05T13:00", ends: "2026-12-05T10:00" }],
    ["ends", "a past time", { starts: "2019-12-05T10:00", ends: "2019-12-05T13:00" }],
    ["ends", "more than 31 days", { starts: "2026-12-05T10:00", ends: "2027-12-05T10:00" }],
    ["starts", "more than three years ahead", { starts: "2031-12-05T10:00", ends: "2031-12-05T13:00" }],
    ["starts", "a day that does not exist", { starts: "2026-02-30T10:00", ends: "2026-12-05T13:00" }],
    [
      "starts",
      "a time skipped when clocks are set forward",
      { starts: "2027-03-28T02:30", ends: "2027-03-28T05:00", timeZone: "Europe/Berlin" },
    ],
    [
      "answersUntil",
      "answers until after the end",
      { starts: "2026-12-05T10:00", ends: "2026-12-05T13:00", answersUntil: "2026-12-06T10:00" },
    ],
  ])("with invalid times is refused at the field %s (%s)", async (field, _what, times) => {
    const { mira, group } = await setup();
    clock.at = new Date("2026-11-27T12:00:00Z");
    const input = NewEvent.parse({ ...eventFields(clock.at), groupId: group.id, ...times });
    await expect(within((tx) => createEvent(tx, mira, input))).rejects.toMatchObject({
      reason: "invalid",
      fields: { [field]: expect.any(String) },
    });
  });

  test.each([
    ["timeZone", "Europe/Atlantis"],
    ["timeZone", "+01:00"],
    ["companions", "1000"],
    ["capacity", "0"],
    ["capacity", "100001"],
    ["onlineUrl", "javascript:alert(1)"],
    ["title", "Hey"],
    ["starts", "tomorrow"],
  ])("cannot have the %s %s", (field, value) => {
    const input = {
      ...eventFields(clock.at),
      groupId: "5b0ff6a4-8f6c-4c57-8a33-6b3f5c1c9d10",
      [field]: value,
    };
    expect(NewEvent.safeParse(input).error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });

  test("uses the local time of its time zone, and the earlier of two equal times when clocks go back", async () => {
    const { mira, group } = await setup();
    clock.at = new Date("2026-09-01T12:00:00Z");
    const times = async (more: Partial<z.input<typeof NewEvent>>) => {
      const { id } = await createTestEvent(database, mira, group.id, { timeZone: "Europe/Berlin", ...more });
      const { startsAt, endsAt } = await getEvent(db, mira, id);
      return [startsAt.toISOString(), endsAt.toISOString()];
    };
    expect(await times({ starts: "2026-10-25T02:30", ends: "2026-10-25T03:30" })).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T02:30:00.000Z",
    ]);
    expect(await times({ starts: "2026-10-25", ends: "2026-10-25", allDay: true })).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
    const nepal = { starts: "2026-10-25T10:00", ends: "2026-10-25T11:00", timeZone: "Asia/Kathmandu" };
    expect((await times(nepal))[0]).toBe("2026-10-25T04:15:00.000Z");
  });
});

describe("existing event", () => {
  test("can be changed by its host and moderators only", async () => {
    const { mira, tomas, ines, noor, group, id } = await setup();
    const elsa = await within(async (tx) => {
      const person = await createPerson(tx, "elsa");
      await setMembership(tx, group.id, person, "member");
      return person;
    });
    const edit = (who: SignedIn, changes: number) =>
      reasonOf(within((tx) => editEvent(tx, who, change(id, { changes, place: "The shed" }))));
    expect(await edit(mira, 0)).toBe("done");
    expect(await edit(tomas, 1)).toBe("done");
    expect(await edit(elsa, 2)).toBe("not-allowed");
    for (const who of [noor, ines]) expect(await edit(who, 2)).toBe("not-found");
    const acts = await many(
      db,
      sql<{ act: string; id: string }>`select act, actor_id as id from audit_events where object_id = ${id}`,
    );
    expect(acts).toEqual([{ act: "event.changed", id: tomas.id }]);
  });

  test("cannot be changed by a host who has left the group", async () => {
    const { mira, group, id } = await setup();
    await run(db, sql`update groups set visibility = 'public'`);
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    expect(await reasonOf(within((tx) => editEvent(tx, mira, change(id))))).toBe("not-allowed");
  });

  test("refuses a change based on an outdated version", async () => {
    const { mira, tomas, id } = await setup();
    await within((tx) => editEvent(tx, mira, change(id)));
    expect(await reasonOf(within((tx) => editEvent(tx, tomas, change(id))))).toBe("conflict");
  });

  test("remains visible after it is cancelled, and cannot be changed any more", async () => {
    const { mira, noor, id } = await setup();
    const cancel = (who: SignedIn) => within((tx) => cancelEvent(tx, who, { eventId: id, reason: "Storm." }));
    expect(await reasonOf(cancel(noor))).toBe("not-found");
    await cancel(mira);
    expect(await getEvent(db, mira, id)).toMatchObject({ cancelledAt: clock.at, cancelledReason: "Storm." });
    expect(await reasonOf(cancel(mira))).toBe("conflict");
    expect(await reasonOf(within((tx) => editEvent(tx, mira, change(id, { changes: 1 }))))).toBe("conflict");
  });

  test("becomes read-only once it is over, and appears in the list of past events", async () => {
    const { mira, id } = await setup();
    const lists = async () => ({
      coming: (await listEvents(db, mira, { from: clock.at })).rows.map(({ eventId }) => eventId),
      past: (await listPastEvents(db, mira, { from: clock.at })).rows.map(({ eventId }) => eventId),
    });
    expect(await lists()).toEqual({ coming: [id], past: [] });
    clock.pass(5 * DAY);
    expect(await lists()).toEqual({ coming: [], past: [id] });
    expect(await reasonOf(within((tx) => cancelEvent(tx, mira, { eventId: id, reason: "Late." })))).toBe(
      "conflict",
    );
  });

  test("shows its online link only to its host and people who are going", async () => {
    const { mira, tomas, group } = await setup();
    const { id } = await createTestEvent(database, mira, group.id, { onlineUrl: "https://example.org/call" });
    const { occurrenceId } = await getEvent(db, tomas, id);
    const link = async (who: SignedIn) => (await getEvent(db, who, id)).onlineUrl;
    expect([await link(mira), await link(tomas)]).toEqual(["https://example.org/call", null]);
    for (const [answer, shown] of [
      ["maybe", null],
      ["going", "https://example.org/call"],
    ]) {
      await within((tx) => answerEvent(tx, tomas, EventAnswer.parse({ occurrenceId, answer })));
      expect(await link(tomas)).toBe(shown);
      const event = await getEvent(db, tomas, id);
      expect(calendarRules.seeOnlineLink(tomas, event, event.answer)).toBe(shown !== null);
    }
  });
});

test("the agenda is paged, and can be filtered by group or by own answers", async () => {
  const { mira, tomas, group, id } = await setup();
  const other = await createTestGroup(database, { tomas, mira }, { name: "Other beds" });
  for (let i = 0; i < LIMITS.page.people; i++) await createTestEvent(database, mira, other.id);
  const first = await listEvents(db, mira, { from: clock.at });
  const second = await listEvents(db, mira, { from: clock.at, after: first.next! });
  expect(new Set([...first.rows, ...second.rows].map((row) => row.id)).size).toBe(LIMITS.page.people + 1);
  expect([first.rows.length, second.rows.length, second.next]).toEqual([LIMITS.page.people, 1, null]);
  expect((await listEvents(db, mira, { from: clock.at, group: group.id })).rows).toMatchObject([
    { eventId: id },
  ]);
  expect((await listEvents(db, mira, { from: clock.at, until: clock.at })).rows).toEqual([]);
  const { occurrenceId } = await getEvent(db, mira, id);
  await within((tx) => answerEvent(tx, mira, EventAnswer.parse({ occurrenceId, answer: "maybe" })));
  expect((await listEvents(db, mira, { from: clock.at, mine: "answered" })).rows).toMatchObject([
    { eventId: id, answer: "maybe" },
  ]);
});
