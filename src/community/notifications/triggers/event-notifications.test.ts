import { expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { run, sql } from "#platform/database";
import {
  answerDatePoll,
  answerEvent,
  cancelEvent,
  ChosenTime,
  closeDatePoll,
  createEventFromPoll,
  DatePollAnswer,
  editEvent,
  emitDueReminders,
  EventAnswer,
  EventChange,
  getDatePoll,
  getEvent,
  postponeEvent,
} from "#community/calendar";
import { blockPerson } from "#community/friends";
import { setNotifyLevel } from "#community/groups";
import type { SignedIn } from "#community/rules";
import type { z } from "zod";
import { createTestDatePoll, createTestEvent, eventFields } from "../../../../test/support/calendar-setup.ts";
import { createTestGroup, createTestUsers, setMembership } from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  describeDeliveries,
  dispatchEvents,
  listDeliveryRows,
  redispatchEvents,
} from "../../../../test/support/notifications/deliveries.ts";
import { listNotifications, markEventSeen } from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const deliveriesTo = async (...who: SignedIn[]) => {
  await dispatchEvents(database);
  return Promise.all(who.map((it) => describeDeliveries(database, it)));
};

/** Mira's event in a group of Tomas's, of which Noor is a member too. */
async function setup(visibility: "public" | "private" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  await dispatchEvents(database);
  const start = (more = {}) => createTestEvent(database, people.mira, group.id, more);
  const answer = async (who: SignedIn, eventId: string, choice: "going" | "maybe" | "declined") => {
    const { occurrenceId } = await getEvent(db, who, eventId);
    await within((tx) => answerEvent(tx, who, EventAnswer.parse({ occurrenceId, answer: choice })));
  };
  const edit = (eventId: string, fields: Partial<z.input<typeof EventChange>>) => {
    const { body: _, ...words } = eventFields(clock.at);
    return within((tx) =>
      editEvent(tx, people.mira, EventChange.parse({ ...words, eventId, changes: 0, ...fields })),
    );
  };
  return { ...people, group, start, answer, edit };
}

test("a new event notifies members once according to their level, except its host", async () => {
  const { mira, tomas, noor, ines, group, start } = await setup();
  await within((tx) => setNotifyLevel(tx, tomas, { groupId: group.id, level: "all" }));
  await start();
  expect(await deliveriesTo(mira, tomas, noor, ines)).toEqual([
    [],
    ["new_event group_all"],
    ["new_event member"],
    [],
  ]);
  await redispatchEvents(database);
  expect(await deliveriesTo(tomas)).toEqual([["new_event group_all"]]);
  const { rows } = await listNotifications(db, tomas, { tab: "all" });
  expect(rows).toMatchObject([
    {
      object: { kind: "event", title: "Repair evening" },
      group: { id: group.id },
      actors: [{ id: mira.id }],
    },
  ]);
});

test.each(["mentions", "mute"] as const)(
  "a new event does not notify members at the level %s",
  async (level) => {
    const { noor, group, start } = await setup();
    await within((tx) => setNotifyLevel(tx, noor, { groupId: group.id, level }));
    await start();
    expect(await deliveriesTo(noor)).toEqual([[]]);
  },
);

test("a new event does not notify people who have blocked its host or are blocked by them", async () => {
  const { mira, noor, start } = await setup();
  await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
  await start();
  expect(await deliveriesTo(noor)).toEqual([[]]);
});

test("a new time or place notifies people who answered; other changes notify no one", async () => {
  const { mira, tomas, noor, start, answer, edit } = await setup();
  const { id } = await start();
  await answer(tomas, id, "declined");
  await deliveriesTo();
  await run(db, sql`delete from notifications`);
  await edit(id, { title: "Repair night" });
  expect(await deliveriesTo(mira, tomas, noor)).toEqual([[], [], []]);
  await edit(id, { place: "The shed", changes: 1 });
  expect(await deliveriesTo(mira, tomas, noor)).toEqual([[], ["event_changed you_answered"], []]);
  await within((tx) => markEventSeen(tx, tomas, { eventId: id }));
  expect(await deliveriesTo(tomas)).toEqual([["event_changed you_answered read"]]);
});

test("a cancellation or postponement notifies even across a block, without naming anyone", async () => {
  const { mira, tomas, noor, start, answer } = await setup();
  const { id } = await start();
  for (const who of [mira, noor]) await answer(who, id, "going");
  await deliveriesTo();
  await run(db, sql`delete from notifications`);
  await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
  await within((tx) => postponeEvent(tx, mira, { eventId: id, reason: "Rain." }));
  await within((tx) => cancelEvent(tx, tomas, { eventId: id, reason: "Storm." }));
  await dispatchEvents(database);
  expect(await listDeliveryRows(database, noor)).toMatchObject([
    { kind: "event_changed", detail: "cancelled", actors: [], withdrawn: false },
  ]);
  expect((await listNotifications(db, mira, { tab: "all" })).rows).toMatchObject([
    { detail: "cancelled", words: "Storm." },
  ]);
});

test("a free place notifies the next person on the waiting list, until they decline", async () => {
  const { tomas, noor, start, answer } = await setup();
  const { id } = await start({ capacity: 1 });
  await answer(tomas, id, "going");
  await answer(noor, id, "going");
  await deliveriesTo();
  await run(db, sql`delete from notifications`);
  await answer(tomas, id, "declined");
  expect(await deliveriesTo(tomas, noor)).toEqual([[], ["event_place you_answered"]]);
  await answer(noor, id, "declined");
  expect(await deliveriesTo(noor)).toEqual([["event_place you_answered withdrawn"]]);
});

test("reminders are sent a day and an hour before, once, to people who are going", async () => {
  const { mira, tomas, noor, start, answer } = await setup();
  const { id } = await start();
  await answer(tomas, id, "going");
  await answer(mira, id, "maybe");
  await answer(noor, id, "declined");
  await deliveriesTo();
  await run(db, sql`delete from notifications`);
  const { startsAt } = await getEvent(db, mira, id);
  const remind = async (before: number) => {
    clock.at = addMilliseconds(startsAt, -before);
    await within(emitDueReminders);
    return deliveriesTo(mira, tomas, noor);
  };
  expect(await remind(DAY + 2 * MINUTE)).toEqual([[], [], []]);
  const day = "event_tomorrow you_answered";
  expect(await remind(DAY + MINUTE)).toEqual([[day], [day], []]);
  expect(await remind(DAY)).toEqual([[day], [day], []]);
  expect((await listDeliveryRows(database, tomas))[0]!.mailAt).toEqual(
    addMilliseconds(startsAt, -DAY - MINUTE),
  );
  // The reminders are dispatched again, as after a crash of the dispatcher.
  await run(db, sql`update outbox set handled_at = null where type = 'calendar.reminder'`);
  expect(await remind(HOUR)).toEqual([
    [day, "event_soon you_answered"],
    [day, "event_soon you_answered"],
    [],
  ]);
});

test("no reminder is sent long after its time, for a cancelled event, or to people who left the group", async () => {
  const { tomas, mira, noor, group, start, answer } = await setup();
  const [late, cancelled, kept] = [await start(), await start(), await start()];
  for (const { id } of [late, cancelled, kept]) await answer(noor, id, "going");
  await run(
    db,
    sql`update calendar_occurrences set starts_at = starts_at - interval '1 hour'
    where event_id = ${late.id}`,
  );
  await within((tx) => cancelEvent(tx, tomas, { eventId: cancelled.id, reason: "Storm." }));
  await within((tx) => setMembership(tx, group.id, noor, "left"));
  await deliveriesTo();
  await run(db, sql`delete from notifications`);
  clock.at = addMilliseconds((await getEvent(db, mira, kept.id)).startsAt, -DAY);
  expect(await within(emitDueReminders)).toBe(1);
  expect(await deliveriesTo(noor)).toEqual([[]]);
});

test("a new date of an event leads to new reminders", async () => {
  const { mira, start, answer, edit } = await setup();
  const { id } = await start();
  await answer(mira, id, "going");
  clock.at = addMilliseconds((await getEvent(db, mira, id)).startsAt, -DAY);
  expect(await within(emitDueReminders)).toBe(1);
  await edit(id, { ...eventFields(addMilliseconds(clock.at, DAY)) });
  clock.pass(DAY);
  expect(await within(emitDueReminders)).toBeGreaterThan(0);
});

test("a date poll notifies members until they answer or it is closed, and its event those who said yes", async () => {
  const { mira, tomas, noor, group } = await setup();
  const { id } = await createTestDatePoll(database, mira, group.id);
  expect(await deliveriesTo(mira, tomas, noor)).toEqual([
    [],
    ["new_date_poll member"],
    ["new_date_poll member"],
  ]);
  expect((await listNotifications(db, tomas, { tab: "all" })).rows).toMatchObject([
    { object: { kind: "date_poll", id, title: "Turning the compost" }, group: { id: group.id } },
  ]);
  const answer = DatePollAnswer.parse({ datePollId: id, answer1: "yes", answer2: "no" });
  await within((tx) => answerDatePoll(tx, tomas, answer));
  expect(await deliveriesTo(tomas)).toEqual([["new_date_poll member read"]]);
  await within((tx) => closeDatePoll(tx, mira, { datePollId: id }));
  expect(await deliveriesTo(noor)).toEqual([["new_date_poll member withdrawn"]]);
  const timeId = (await getDatePoll(db, mira, id)).times[0]!.id;
  const input = ChosenTime.parse({ timeId, title: "Turning the compost", body: "Bring forks." });
  await within((tx) => createEventFromPoll(tx, mira, input));
  await run(db, sql`delete from notifications where kind = 'new_date_poll'`);
  expect(await deliveriesTo(mira, tomas, noor)).toEqual([
    [],
    ["event_date you_answered"],
    ["new_event member"],
  ]);
});

test("a date poll does not notify people who have blocked its host", async () => {
  const { mira, noor, group } = await setup();
  await within((tx) => blockPerson(tx, noor, { personId: mira.id }));
  await createTestDatePoll(database, mira, group.id);
  expect(await deliveriesTo(noor)).toEqual([[]]);
});
