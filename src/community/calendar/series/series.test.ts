import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type { z } from "zod";
import { createTestEvent, eventFields } from "../../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers, setMembership } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { describeDeliveries, dispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  answerEvent,
  cancelEvent,
  editEvent,
  emitDueReminders,
  EventAnswer,
  EventChange,
  extendSeries,
  getEvent,
  getEventSeries,
  listSeriesDates,
  NewEvent,
  toFormTimes,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const START = "2027-03-04";
const WEEKLY = {
  starts: `${START}T19:00`,
  ends: `${START}T21:00`,
  timeZone: "Europe/Berlin",
  repeats: "weekly",
  count: 6,
} as const;

/** Mira's series in a group, with Noor as another member. */
async function setup(more: Partial<z.input<typeof NewEvent>> = {}) {
  clock.at = new Date("2027-03-01T10:00:00Z");
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, { ...WEEKLY, ...more });
  const { seriesId } = await getEvent(db, people.mira, id);
  return { ...people, group, id, seriesId: seriesId! };
}

const listDates = async (who: SignedIn, groupId: string) => {
  const rows = await many(
    db,
    sql<{ id: string; starts: string; title: string; cancelled: boolean }>`
      select e.id, to_char(o.starts_at at time zone e.time_zone, 'YYYY-MM-DD HH24:MI') as starts, e.title,
        e.cancelled_at is not null as cancelled
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      where e.group_id = ${groupId} order by o.starts_at`,
  );
  return { rows, starts: rows.filter((it) => !it.cancelled).map((it) => it.starts), who };
};

/** Submits the form of an event with some of its fields changed. */
async function edit(who: SignedIn, id: string, fields: Partial<z.input<typeof EventChange>>) {
  const event = await getEvent(db, who, id);
  const { series } = await getEventSeries(db, event);
  const { title, place, capacity, timeZone, allDay, changes } = event;
  const form = { title, place, capacity, timeZone, allDay, changes, companions: event.companionsAllowed };
  const rule = series && { repeats: series.frequency, lastDay: series.lastDay, monthDay: series.monthDay };
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const chosen = Object.fromEntries(days.map((day, i) => [day, series?.weekdays.includes(i + 1) ?? false]));
  const input = { ...form, ...toFormTimes(event), ...rule, ...chosen, eventId: id, ...fields };
  return within((tx) => editEvent(tx, who, EventChange.parse(input)));
}

async function answer(who: SignedIn, eventId: string, choice: "going" | "maybe" = "going") {
  const { occurrenceId } = await getEvent(db, who, eventId);
  return within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice })));
}

/** Field and text of a refused form; else the reason of the refusal, null if there was none. */
const faultOf = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ fields, reason }: Refusal) => Object.entries(fields).map((it) => it.join(": "))[0] ?? reason,
  );

describe("new series", () => {
  test("has an event at the same local time on each date, and causes one notification", async () => {
    const { mira, noor, group, seriesId } = await setup();
    await dispatchEvents(database);
    const { starts } = await listDates(mira, group.id);
    expect(starts).toEqual(
      ["03-04", "03-11", "03-18", "03-25", "04-01", "04-08"].map((day) => `2027-${day} 19:00`),
    );
    expect(await listSeriesDates(db, noor, { seriesId, now: clock.at, most: 3 })).toHaveLength(3);
    expect(await describeDeliveries(database, noor)).toEqual(["new_event member"]);
  });

  test("without an end is planned a year ahead, and extended by housekeeping", async () => {
    const { mira, group } = await setup({ count: null });
    expect((await listDates(mira, group.id)).rows).toHaveLength(53);
    expect(await within(extendSeries)).toBe(0);
    clock.pass(30 * DAY);
    expect(await within(extendSeries)).toBe(1);
    expect(await within(extendSeries)).toBe(0);
    const { starts } = await listDates(mira, group.id);
    expect(starts).toHaveLength(57);
    expect(starts.at(-1)).toBe("2028-03-30 19:00");
  });

  test.each([
    [{ ends: `${START}T18:00` }, "ends: The event has to end after it starts."],
    [
      { starts: "2027-03-28T02:30", ends: "2027-03-28T04:00" },
      "starts: This time does not exist on that day, because clocks are set forward. Choose another.",
    ],
    [{ lastDay: "2027-05-01" }, "count: Choose either a last day or a number of dates, not both."],
    [{ count: null, lastDay: "2027-02-31" }, "lastDay: This day does not exist. Choose another."],
    [
      { count: null, lastDay: "2027-03-10" },
      "lastDay: The series would have only one date. Choose a later last day.",
    ],
    [{ count: null, lastDay: "2031-03-10" }, "lastDay: Choose a day within the next three years."],
    [
      { count: null, lastDay: "2029-03-10", repeats: "daily" as const },
      "lastDay: A series has at most 500 dates. Choose an earlier day.",
    ],
    [
      { count: 100, repeats: "monthly" as const },
      "count: That many dates go beyond the next three years. Choose fewer.",
    ],
    [{ friday: true }, "starts: The series has no date on this day. Change the day or how it repeats."],
  ])("with invalid input is refused with an error at its field: %j", async (fields, fault) => {
    const { mira, group } = await setup();
    const before = (await listDates(mira, group.id)).rows.length;
    expect(await faultOf(createTestEvent(database, mira, group.id, { ...WEEKLY, ...fields }))).toBe(fault);
    expect((await listDates(mira, group.id)).rows).toHaveLength(before);
  });

  test("cannot have 10 000 dates", () => {
    const words = { ...eventFields(clock.at), groupId: "018f0000-0000-7000-8000-000000000000" };
    const parsed = NewEvent.safeParse({ ...words, ...WEEKLY, count: 10_000 });
    expect(parsed.error?.issues.map((it) => it.path[0])).toEqual(["count"]);
  });
});

describe("edit of a series", () => {
  test("limited to one date changes no other date, and survives a later edit of all dates", async () => {
    const { mira, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    await edit(mira, rows[1]!.id, { starts: "2027-03-11T20:00", ends: "2027-03-11T22:00", place: "Shed" });
    await edit(mira, rows[2]!.id, { scope: "all", starts: "2027-03-18T18:00", place: "Hall" });
    const { starts } = await listDates(mira, group.id);
    expect(starts).toEqual([
      "2027-03-04 18:00",
      "2027-03-11 20:00",
      "2027-03-18 18:00",
      "2027-03-25 18:00",
      "2027-04-01 18:00",
      "2027-04-08 18:00",
    ]);
    expect(await getEvent(db, mira, rows[1]!.id)).toMatchObject({ place: "Shed" });
    expect(await getEvent(db, mira, rows[5]!.id)).toMatchObject({ place: "Hall", changes: 1 });
  });

  test("from one date on moves later dates, keeps earlier dates and notifies each person once", async () => {
    const { mira, noor, tomas, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    for (const it of [rows[0]!, rows[2]!, rows[3]!]) await answer(noor, it.id);
    await answer(tomas, rows[0]!.id);
    await dispatchEvents(database);
    await run(db, sql`delete from notifications`);
    await edit(mira, rows[2]!.id, {
      scope: "following",
      starts: "2027-03-19T19:00",
      ends: "2027-03-19T21:00",
      thursday: false,
      friday: true,
    });
    await dispatchEvents(database);
    const { starts } = await listDates(mira, group.id);
    expect(starts.map((it) => it.slice(5, 10))).toEqual(["03-04", "03-11", "03-19", "03-26", "04-02"]);
    expect(await describeDeliveries(database, noor)).toEqual(["event_changed you_answered"]);
    expect(await describeDeliveries(database, tomas)).toEqual([]);
    expect(await getEvent(db, noor, rows[3]!.id)).toMatchObject({ answer: "going" });
  });

  test("with a new rule adds dates, and cancels removed dates or deletes them if unanswered", async () => {
    const { mira, noor, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    await answer(noor, rows[1]!.id);
    await edit(mira, rows[0]!.id, { scope: "all", every: 2, lastDay: "2027-04-29" });
    const after = await listDates(mira, group.id);
    expect(after.starts.map((it) => it.slice(5, 10))).toEqual(["03-04", "03-18", "04-01", "04-15", "04-29"]);
    expect(after.rows.filter((it) => it.cancelled).map((it) => it.id)).toEqual([rows[1]!.id]);
  });

  test("with an invalid field or a stale form is refused and changes nothing", async () => {
    const { mira, tomas, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    const second = rows[1]!.id;
    expect(await faultOf(edit(mira, second, { every: 2 }))).toBe(
      "scope: Choose several dates to change how the event repeats.",
    );
    expect(await faultOf(edit(mira, second, { scope: "all", starts: "2027-03-12T19:00" }))).toMatch(/^ends/);
    const toFriday = { starts: "2027-03-12T19:00", ends: "2027-03-12T21:00" };
    expect(await faultOf(edit(mira, second, { scope: "following", ...toFriday }))).toMatch(
      /^starts: The series/,
    );
    const stale = { changes: 0 };
    await edit(tomas, second, { scope: "following", place: "Shed" });
    expect(await faultOf(edit(mira, second, { scope: "all", place: "Hall", ...stale }))).toBe("conflict");
    expect(await faultOf(edit(mira, rows[4]!.id, { scope: "this", place: "Hall", ...stale }))).toBe(
      "conflict",
    );
    expect((await listDates(mira, group.id)).starts).toHaveLength(6);
  });

  test("fails if another host has edited the series at the same time", async () => {
    const { mira, tomas, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    const results = await Promise.all([
      faultOf(edit(mira, rows[1]!.id, { scope: "all", place: "Hall", changes: 0 })),
      faultOf(edit(tomas, rows[1]!.id, { scope: "following", place: "Shed", changes: 0 })),
      faultOf(edit(tomas, rows[1]!.id, { place: "Yard", changes: 0 })),
    ]);
    expect(results.toSorted()).toEqual(["conflict", "conflict", null]);
  });

  test("with a new capacity moves up the waiting list of each changed date", async () => {
    const { mira, noor, tomas, group } = await setup({ capacity: 1 });
    const { rows } = await listDates(mira, group.id);
    for (const it of [rows[1]!, rows[2]!]) {
      await answer(noor, it.id);
      await answer(tomas, it.id);
    }
    expect(await getEvent(db, tomas, rows[2]!.id)).toMatchObject({ answer: "waiting" });
    await edit(mira, rows[2]!.id, { scope: "following", capacity: 2 });
    expect(await getEvent(db, tomas, rows[2]!.id)).toMatchObject({ answer: "going" });
    expect(await getEvent(db, tomas, rows[1]!.id)).toMatchObject({ answer: "waiting" });
  });
});

describe("cancellation in a series", () => {
  const cancel = (who: SignedIn, eventId: string, scope: "this" | "following" | "all") =>
    within((tx) => cancelEvent(tx, who, { eventId, scope, reason: "The hall is closed." }));

  test.each([
    ["this", ["03-04", "03-18", "03-25", "04-01", "04-08"]],
    ["following", ["03-04"]],
    ["all", []],
  ] as const)("with scope %s leaves the expected dates", async (scope, left) => {
    const { mira, group } = await setup();
    const { rows } = await listDates(mira, group.id);
    await cancel(mira, rows[1]!.id, scope);
    const { starts } = await listDates(mira, group.id);
    expect(starts.map((it) => it.slice(5, 10))).toEqual(left);
  });

  test("of all dates skips past dates, notifies each person once, and ends the series", async () => {
    const { mira, noor, group } = await setup({ count: null });
    const { rows } = await listDates(mira, group.id);
    for (const it of rows.slice(0, 4)) await answer(noor, it.id);
    clock.at = new Date("2027-03-12T10:00:00Z");
    await dispatchEvents(database);
    await run(db, sql`delete from notifications`);
    await cancel(mira, rows[4]!.id, "all");
    await dispatchEvents(database);
    expect((await listDates(mira, group.id)).starts).toHaveLength(2);
    expect(await describeDeliveries(database, noor)).toEqual(["event_changed you_answered"]);
    clock.pass(60 * DAY);
    expect(await within(extendSeries)).toBe(0);
  });
});

test("reminders are sent only for the next date of a series", async () => {
  const { mira, noor, group } = await setup();
  const { rows } = await listDates(mira, group.id);
  for (const it of rows) await answer(noor, it.id);
  clock.at = new Date("2027-03-10T18:00:00Z");
  expect(await within(emitDueReminders)).toBe(1);
  expect(await within(emitDueReminders)).toBe(0);
});
