import { describe, expect, test } from "vitest";
import { addMilliseconds, DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestEvent } from "../../../../test/support/calendar-setup.ts";
import { calendarFile, fileEvent } from "../../../../test/support/calendar-files.ts";
import { describeDeliveries, dispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  createPerson,
  createTestGroup,
  createTestUsers,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  answerEvent,
  EventAnswer,
  getEvent,
  getEventImport,
  prepareImport,
  purgeEventImports,
  runEventImport,
  undoEventImport,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

async function setup() {
  clock.at = new Date("2027-03-01T10:00:00Z");
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people);
  return { ...people, groupId };
}

type At = Awaited<ReturnType<typeof setup>>;
const prepare = (at: At, by: SignedIn, text: string) =>
  within((tx) =>
    prepareImport(tx, by, { groupId: at.groupId, timeZone: "Europe/Berlin", text, fileName: "a.ics" }),
  );
const view = (by: SignedIn, id: string) => getEventImport(db, by, id, clock.at);
const runImport = (by: SignedIn, id: string) => within((tx) => runEventImport(tx, by, id));
async function importFile(at: At, by: SignedIn, text: string) {
  const { id } = await prepare(at, by, text);
  await runImport(by, id);
  return id;
}
const listTitles = async () =>
  (
    await many(
      db,
      sql<{ title: string; startsAt: Date; isCancelled: boolean }>`
        select e.title, o.starts_at as "startsAt", e.cancelled_at is not null as "isCancelled"
        from calendar_events e join calendar_occurrences o on o.event_id = e.id order by o.starts_at, e.title`,
    )
  ).map((it) => `${it.title} ${it.startsAt.toISOString().slice(0, 16)}${it.isCancelled ? " cancelled" : ""}`);
const eventId = async (title: string) =>
  (
    await one(
      db,
      sql<{ id: string }>`select id from calendar_events where title = ${title} order by ends_at limit 1`,
    )
  ).id;
async function answer(by: SignedIn, title: string) {
  const { occurrenceId } = await getEvent(db, by, await eventId(title));
  await within((tx) => answerEvent(tx, by, EventAnswer.parse({ occurrenceId, answer: "going" })));
}

const TEA = fileEvent("tea", "Tea", "20270310T150000Z", "LOCATION:Kitchen", "DESCRIPTION:With cake.");
const WEEKLY = fileEvent("yoga", "Yoga", "20270302T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3");

describe("import of a calendar file", () => {
  test("shows what it would do first, then creates the events once", async () => {
    const at = await setup();
    const text = calendarFile(TEA, WEEKLY, fileEvent("old", "Old", "20200310T150000Z"));
    const { id } = await prepare(at, at.mira, text);
    const { plan, skipped } = await view(at.mira, id);
    expect(plan!.created.map(({ title }) => title)).toEqual(["Tea", "Yoga", "Yoga", "Yoga"]);
    expect(skipped).toEqual([{ reason: "past", count: 1, titles: ["Old"] }]);
    expect(await listTitles()).toEqual([]);
    await Promise.all([runImport(at.mira, id), runImport(at.mira, id)]);
    expect(await listTitles()).toEqual([
      "Yoga 2027-03-02T18:00",
      "Yoga 2027-03-09T18:00",
      "Tea 2027-03-10T15:00",
      "Yoga 2027-03-16T18:00",
    ]);
    expect(await view(at.mira, id)).toMatchObject({
      plan: null,
      counts: { created: 4, updated: 0, removed: 0 },
    });
    const event = await getEvent(db, at.noor, await eventId("Tea"));
    expect(event).toMatchObject({
      place: "Kitchen",
      importedText: "With cake.",
      calendar: null,
      hostId: at.mira.id,
    });
  });

  test("tells nobody of the new events", async () => {
    const at = await setup();
    await run(db, sql`update memberships set notify_level = 'all'`);
    await importFile(at, at.mira, calendarFile(TEA));
    await dispatchEvents(database);
    expect(await describeDeliveries(database, at.tomas)).toEqual([]);
  });

  test("updates events of an earlier file, removes dates that it lacks, and tells people who answered", async () => {
    const at = await setup();
    await importFile(at, at.mira, calendarFile(TEA, WEEKLY));
    await answer(at.tomas, "Tea");
    await dispatchEvents(database);
    clock.at = addMilliseconds(clock.at, 60_000);
    await importFile(
      at,
      at.mira,
      calendarFile(
        fileEvent("tea", "Tea", "20270311T150000Z", "LOCATION:Garden"),
        fileEvent("yoga", "Yoga", "20270302T180000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20270309T180000Z"),
      ),
    );
    expect(await listTitles()).toEqual([
      "Yoga 2027-03-02T18:00",
      "Tea 2027-03-11T15:00",
      "Yoga 2027-03-16T18:00",
    ]);
    await dispatchEvents(database);
    expect(await describeDeliveries(database, at.tomas)).toEqual(["event_changed you_answered"]);
  });

  test("keeps edits made here until the file changes", async () => {
    const at = await setup();
    await importFile(at, at.mira, calendarFile(TEA));
    await run(db, sql`update calendar_events set title = 'Green tea'`);
    const { id } = await prepare(at, at.mira, calendarFile(TEA));
    expect((await view(at.mira, id)).plan).toMatchObject({ created: [], updated: [], unchanged: 1 });
    await expect(runImport(at.mira, id)).rejects.toMatchObject({ reason: "conflict" });
    expect(await listTitles()).toEqual(["Green tea 2027-03-10T15:00"]);
  });

  test("leaves events of others, of this community and with blocked words out", async () => {
    const at = await setup();
    await importFile(at, at.tomas, calendarFile(TEA));
    await createTestEvent(database, at.mira, at.groupId);
    const { occurrenceId } = await getEvent(db, at.mira, await eventId("Repair evening"));
    await run(
      db,
      sql`insert into watched_words (id, phrase, action, changed_at)
        values (gen_random_uuid(), 'casino', 'block', now())`,
    );
    await run(db, sql`insert into watched_words_version (version) values (gen_random_uuid())`);
    const { id } = await prepare(
      at,
      at.mira,
      calendarFile(
        fileEvent("tea", "Coffee", "20270310T150000Z"),
        fileEvent(`${occurrenceId}@example.org`, "Repair evening", "20270310T150000Z"),
        fileEvent("casino", "Casino night", "20270310T150000Z"),
        fileEvent("off", "Called off", "20270310T150000Z", "STATUS:CANCELLED"),
      ),
    );
    const { plan, skipped } = await view(at.mira, id);
    expect(plan!.created).toEqual([]);
    expect(skipped.map(({ reason }) => reason).sort()).toEqual([
      "blocked-text",
      "cancelled",
      "other-person",
      "own-event",
    ]);
    // A moderator may change events of others.
    const { id: byTomas } = await prepare(
      at,
      at.tomas,
      calendarFile(fileEvent("tea", "Coffee", "20270310T150000Z")),
    );
    expect((await view(at.tomas, byTomas)).plan!.updated).toHaveLength(1);
  });

  test("deletes events without answers and cancels the others when it is undone", async () => {
    const at = await setup();
    const id = await importFile(at, at.mira, calendarFile(TEA, WEEKLY));
    await answer(at.tomas, "Tea");
    await expect(within((tx) => undoEventImport(tx, at.noor, id))).rejects.toMatchObject({
      reason: "not-found",
    });
    expect(await within((tx) => undoEventImport(tx, at.mira, id))).toEqual({ deleted: 3, cancelled: 1 });
    expect(await listTitles()).toEqual(["Tea 2027-03-10T15:00 cancelled"]);
    await expect(within((tx) => undoEventImport(tx, at.mira, id))).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("a file that was not imported is deleted after a day", async () => {
    const at = await setup();
    const { id } = await prepare(at, at.mira, calendarFile(TEA));
    clock.at = addMilliseconds(clock.at, 2 * DAY);
    await within(purgeEventImports);
    await expect(view(at.mira, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("import is refused", () => {
  test.each([
    ["no calendar", "Hello"],
    [
      "too many events",
      calendarFile(...Array.from({ length: 501 }, (_, i) => fileEvent(`${i}`, "Tea", "20270310T150000Z"))),
    ],
  ])("on the file field: %s", async (_, text) => {
    const at = await setup();
    await expect(prepare(at, at.mira, text)).rejects.toMatchObject({ fieldDescriptors: { file: {} } });
  });

  test("to people who may not create events, and to newcomers whose posts need approval", async () => {
    const at = await setup();
    await expect(prepare(at, at.noor, calendarFile(TEA))).rejects.toMatchObject({ reason: "not-allowed" });
    const newcomer = await within((tx) => createPerson(tx, "newcomer", "member", "new"));
    await within((tx) => setMembership(tx, at.groupId, newcomer, "member"));
    await run(db, sql`insert into settings (key, value, changed_at) values ('firstPosts', '"first"', now())`);
    await expect(prepare(at, newcomer, calendarFile(TEA))).rejects.toMatchObject({ reason: "not-allowed" });
    await run(db, sql`update groups set events_by = 'moderators'`);
    await expect(prepare(at, at.mira, calendarFile(TEA))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(prepare(at, at.tomas, calendarFile(TEA))).resolves.toMatchObject({});
  });

  test("to others than the person and moderators, and above ten files a day", async () => {
    const at = await setup();
    const { id } = await prepare(at, at.mira, calendarFile(TEA));
    await expect(view(at.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(view(at.tomas, id)).resolves.toMatchObject({ id });
    await run(db, sql`update settings set value = 'true' where key = 'writingLimits'`);
    for (let count = 1; count < 10; count += 1) await prepare(at, at.mira, calendarFile(TEA));
    await expect(prepare(at, at.mira, calendarFile(TEA))).rejects.toMatchObject({ reason: "too-many" });
  });
});
