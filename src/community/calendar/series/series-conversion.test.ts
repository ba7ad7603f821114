import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import type { z } from "zod";
import { createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { describeDeliveries, dispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestGroup, createTestUsers, setMembership } from "../../../../test/support/test-users.ts";
import { answerEvent, editEvent, EventAnswer, EventChange, getEvent, type NewEvent } from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const TIMES = { starts: "2027-03-04T19:00", ends: "2027-03-04T21:00", timeZone: "Europe/Berlin" };
const onField = (field: string) =>
  expect.objectContaining({ fields: { [field]: expect.anything() as object } }) as object;

/** Mira's event in a group with Noor, who is going. */
async function setup(more: Partial<z.input<typeof NewEvent>> = {}) {
  clock.at = new Date("2027-03-01T10:00:00Z");
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const { id } = await createTestEvent(database, people.mira, group.id, { ...TIMES, ...more });
  const edit = async (fields: Partial<z.input<typeof EventChange>>, eventId = id, who = people.mira) => {
    const { title, changes } = await getEvent(db, people.mira, eventId);
    const input = { ...TIMES, title, changes, eventId, ...fields };
    return within((tx) => editEvent(tx, who, EventChange.parse(input)));
  };
  const answer = async (who: SignedIn, eventId: string) => {
    const { occurrenceId } = await getEvent(db, who, eventId);
    await within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: "going" })));
  };
  const dates = () =>
    many(
      db,
      sql<{ id: string; seriesId: string | null; day: string; changes: number; cancelled: boolean }>`
        select e.id, e.series_id as "seriesId", to_char(o.starts_at at time zone e.time_zone, 'MM-DD HH24:MI') as day,
          e.changes, e.cancelled_at is not null as cancelled
        from calendar_events e join calendar_occurrences o on o.event_id = e.id
        where e.group_id = ${group.id} order by o.starts_at`,
    );
  const forget = async () => {
    await dispatchEvents(database);
    await run(db, sql`delete from notifications`);
  };
  const told = async (who: SignedIn) => {
    await dispatchEvents(database);
    return describeDeliveries(database, who);
  };
  await answer(people.noor, id);
  await forget();
  return { ...people, group, id, edit, answer, dates, forget, told };
}

describe("single event that repeats from now on", () => {
  test("becomes the first date of a series, and keeps its id, answers and discussion", async () => {
    const { mira, noor, id, edit, dates } = await setup();
    const before = await getEvent(db, noor, id);
    await edit({ repeats: "weekly", count: 4 });
    const rows = await dates();
    expect(rows.map(({ day }) => day)).toEqual([
      "03-04 19:00",
      "03-11 19:00",
      "03-18 19:00",
      // Clocks were set forward between these dates.
      "03-25 19:00",
    ]);
    expect(rows.map(({ changes }) => changes)).toEqual([1, 0, 0, 0]);
    expect(new Set(rows.map(({ seriesId }) => seriesId)).size).toBe(1);
    const after = await getEvent(db, noor, id);
    expect([rows[0]!.id, after.answer, after.occurrenceId]).toEqual([id, "going", before.occurrenceId]);
    const later = await getEvent(db, mira, rows[3]!.id);
    expect([later.answer, later.going]).toEqual([null, 0]);
    expect(later.description).toEqual(after.description);
  });

  test("notifies people who answered once, also if its time changes with it", async () => {
    const { mira, noor, tomas, edit, told } = await setup();
    await edit({ repeats: "daily", count: 3, starts: "2027-03-04T18:00" });
    expect([await told(noor), await told(tomas), await told(mira)]).toEqual([
      ["event_changed you_answered"],
      [],
      [],
    ]);
    expect(await one(db, sql`select detail from notifications where person_id = ${noor.id}`)).toEqual({
      detail: "repeats",
    });
  });

  test("fails where a new series fails, for people who may not edit the event, and after another edit", async () => {
    const { noor, id, edit, dates } = await setup();
    await expect(edit({ repeats: "weekly", count: 4, lastDay: "2027-04-01" })).rejects.toEqual(
      onField("count"),
    );
    await expect(edit({ repeats: "weekly", lastDay: "2027-03-05" })).rejects.toEqual(onField("lastDay"));
    await expect(edit({ repeats: "weekly", count: 4 }, id, noor)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(edit({ repeats: "weekly", count: 4, changes: 5 })).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await dates()).toHaveLength(1);
  });
});

describe("series that no longer repeats", () => {
  const WEEKLY = { repeats: "weekly", count: 5 } as const;

  test("keeps the edited date with its answers, and earlier dates as a series", async () => {
    const { noor, answer, edit, dates, forget, told } = await setup(WEEKLY);
    const all = await dates();
    for (const date of [all[2]!, all[4]!]) await answer(noor, date.id);
    await forget();
    const third = { starts: "2027-03-18T19:00", ends: "2027-03-18T21:00" };
    await edit({ ...third, scope: "following", repeats: "once" }, all[2]!.id);
    expect(await dates()).toMatchObject([
      { id: all[0]!.id, seriesId: all[0]!.seriesId, changes: 0 },
      { id: all[1]!.id, seriesId: all[0]!.seriesId, changes: 0 },
      { id: all[2]!.id, seriesId: null, changes: 1, cancelled: false },
      // Noor answered this date, so it is cancelled; the fourth had no answers.
      { id: all[4]!.id, changes: 1, cancelled: true },
    ]);
    expect((await getEvent(db, noor, all[2]!.id)).answer).toBe("going");
    expect(await told(noor)).toEqual(["event_changed you_answered"]);
    const series = await one(
      db,
      sql<{ lastDay: string }>`select last_day::text as "lastDay" from event_series`,
    );
    expect(series.lastDay).toBe("2027-03-17");
  });

  test("leaves no series behind if all its dates are concerned", async () => {
    const { id, edit, dates } = await setup(WEEKLY);
    await edit({ scope: "all", repeats: "once", place: "The shed" });
    expect(await dates()).toMatchObject([{ id, seriesId: null, changes: 1 }]);
    expect(await many(db, sql`select id from event_series`)).toEqual([]);
    await edit({ repeats: "daily", count: 2 });
    expect(await dates()).toHaveLength(2);
  });

  test("needs the choice of several dates, and someone who may edit it", async () => {
    const { noor, id, edit, dates } = await setup(WEEKLY);
    await expect(edit({ repeats: "once" })).rejects.toEqual(onField("scope"));
    await expect(edit({ scope: "all", repeats: "once" }, id, noor)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await dates()).toHaveLength(5);
  });
});
