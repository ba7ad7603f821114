import { describe, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { answerEvent, emitDueReminders, EventAnswer, extendSeries, getEvent } from "#community/calendar";
import { GUEST, type SignedIn } from "#community/rules";
import {
  archiveText,
  calendarRecords,
  groupRecord,
  membershipRecord,
  sampleArchive,
  userRecord,
} from "../../../../../test/support/import-export/sample-archive.ts";
import {
  count,
  database,
  db,
  describeProblems,
  importOptions,
  transfer,
  write,
  writeSampleArchive,
} from "../../../../../test/support/import-export/import-setup.ts";
import { createTestUsers, listEmittedEvents } from "../../../../../test/support/test-users.ts";
import { claimImportedAccount, runImport, undoImport } from "../../index.ts";

const AT = "2019-03-01T08:00:00Z";
const people = [
  userRecord("plato"),
  userRecord("zeno"),
  groupRecord(),
  membershipRecord("plato", "owner"),
  membershipRecord("zeno"),
];
const eventRecord = (more: object = {}) => ({
  type: "event",
  id: "e",
  group: "g",
  host: "plato",
  title: "Walk",
  timeZone: "Europe/Athens",
  startsAt: "2019-03-08T08:00:00Z",
  endsAt: "2019-03-08T10:00:00Z",
  createdAt: AT,
  ...more,
});
const KINDS = ["event-series", "event", "attendance", "date-poll", "date-poll-answer"];
const pollRecord = (more: object = {}) => ({ ...calendarRecords[3], ...more });
const importRecords = async (records: object[], check = false) =>
  runImport(await transfer(), {
    ...importOptions,
    check,
    path: await write({ "community.ndjson": archiveText(...people, ...records) }),
  });
const findEvent = () =>
  one(
    db,
    sql<{ id: string; occurrence: string }>`select e.id, o.id as occurrence from calendar_events e
      join calendar_occurrences o on o.event_id = e.id`,
  );

describe("imported events", () => {
  test("count the same in a check and in the import, and a second import adds nothing", async () => {
    const path = await writeSampleArchive();
    const t = await transfer();
    const counts = async (check: boolean) => {
      const { counts: all } = await runImport(t, { ...importOptions, path, check });
      return KINDS.map((kind) => Reflect.get(all, kind));
    };
    expect(await counts(true)).toEqual(KINDS.map(() => ({ made: 1 })));
    expect(await count("calendar_events")).toBe(0);
    expect((await counts(false)).map((it) => it.made)).toEqual(KINDS.map(() => 1));
    expect(await counts(false)).toEqual(KINDS.map(() => ({ known: 1 })));
  });

  test("notify no one, and send only reminders that are due later", async () => {
    const now = database.clock.at;
    const startsIn = (id: string, ahead: number) =>
      eventRecord({
        id,
        startsAt: addMilliseconds(now, ahead),
        endsAt: addMilliseconds(now, ahead + HOUR),
      });
    await importRecords([
      startsIn("past", -DAY),
      startsIn("due", DAY - 10 * MINUTE),
      startsIn("soon", HOUR - 10 * MINUTE),
      startsIn("later", DAY + HOUR),
    ]);
    expect(await listEmittedEvents(database)).toEqual(["transfer.finished"]);
    expect([await count("mails"), await count("notifications")]).toEqual([0, 0]);
    expect(await database.inTransaction(emitDueReminders)).toBe(0);
    database.clock.pass(HOUR);
    expect(await database.inTransaction(emitDueReminders)).toBe(1);
  });

  test("have the same readers as before", async () => {
    await importRecords([eventRecord({ audience: "members", onlineUrl: "https://call.example.org/" })]);
    const { id } = await findEvent();
    await expect(getEvent(db, GUEST, id)).rejects.toMatchObject({ reason: "not-found" });
    const zeno = await one(db, sql<{ id: string }>`select id from people where username = 'zeno'`);
    const reader: SignedIn = { id: zeno.id, role: "member", trust: "new", limited: false };
    expect(await getEvent(db, reader, id)).toMatchObject({ title: "Walk", onlineUrl: null });
  });

  test.each([
    ["an event of an unknown group", eventRecord({ group: "none" }), "Skipped: it refers to the group none"],
    ["an event of an unknown host", eventRecord({ host: "none" }), "Skipped: it refers to the user none"],
    [
      "an answer to an unknown event",
      { type: "attendance", event: "none", user: "zeno", answer: "going" },
      "the event none",
    ],
    ["an answer to an unknown date poll", { ...calendarRecords[4], poll: "none" }, "the date-poll none"],
    [
      "an event that ends when it starts",
      eventRecord({ endsAt: "2019-03-08T08:00:00Z" }),
      "its endsAt is not after its start",
    ],
    ["an event of 41 days", eventRecord({ endsAt: "2019-04-18T08:00:00Z" }), "more than 31 days"],
    ["an offset as time zone", eventRecord({ timeZone: "+01:00" }), "its timeZone is not a time zone"],
    ["a script as address", eventRecord({ onlineUrl: "javascript:alert(1)" }), "its onlineUrl is not valid"],
    ["an event without places", eventRecord({ capacity: 0 }), "its capacity is too small"],
    [
      "an event with eleven hosts",
      eventRecord({ hosts: Array.from({ length: 10 }, () => ({ user: "zeno" })) }),
      "its hosts is too large",
    ],
    ["a date of no series", eventRecord({ seriesDate: "2019-03-08" }), "its seriesDate belongs to a series"],
    ["a weekly series without weekdays", { ...calendarRecords[0], weekdays: [] }, "its weekdays is empty"],
    [
      "a series until a day that does not exist",
      { ...calendarRecords[0], lastDay: "2019-02-30" },
      "its lastDay is not a day",
    ],
    [
      "a date poll with the same time twice",
      pollRecord({ times: Array(2).fill(eventRecord()) }),
      "contains a time twice",
    ],
  ])("leave out %s with a warning, also in a check", async (_, record, problem) => {
    for (const check of [true, false]) {
      const { id } = await importRecords([record], check);
      expect(await describeProblems(id)).toEqual([expect.stringContaining(problem)]);
    }
    expect([await count("calendar_events"), await count("event_series"), await count("date_polls")]).toEqual([
      0, 0, 0,
    ]);
  });

  test("lose what they refer to if it was not imported, and say so", async () => {
    const inSeries = { series: "w", seriesDate: "2019-03-08" };
    const series = { ...calendarRecords[0], post: undefined };
    const records = [
      series,
      eventRecord({ post: "p9", series: "none", seriesDate: "2019-03-08" }),
      eventRecord({ id: "first", ...inSeries }),
      eventRecord({ id: "second", ...inSeries }),
      pollRecord(),
      { ...calendarRecords[4], time: 2 },
    ];
    for (const check of [true, false]) {
      const { id } = await importRecords(records, check);
      expect((await describeProblems(id)).map((it) => it.replace(/^line \d+: /, ""))).toEqual([
        "It belongs to the series none, which does not precede it: imported as a single event.",
        "Its series already has an event on that date: imported as a single event.",
        "Its description is the post p9, which does not precede it: imported without a description.",
        "Skipped: the poll has no such time.",
      ]);
    }
    expect(await count("calendar_events")).toBe(3);
  });

  test("keep their dates, which their series does not plan again", async () => {
    await importRecords([
      { ...calendarRecords[0], post: undefined, lastDay: null, plannedUntil: "2019-03-01" },
      eventRecord({ series: "w", seriesDate: "2027-12-03" }),
    ]);
    await run(db, sql`update people set state = 'active'`);
    expect(await one(db, sql`select planned_until::text as until from event_series`)).toEqual({
      until: "2027-12-03",
    });
    await database.inTransaction(extendSeries);
    const dates = await many(db, sql`select series_date from calendar_events group by 1 having count(*) > 1`);
    expect(dates).toEqual([]);
  });

  test("keep the order of the waiting list, also after answers given here", async () => {
    const waiting = (user: string, waitingNumber?: number) => ({
      type: "attendance",
      event: "e",
      user,
      answer: "waiting",
      waitingNumber,
    });
    await importRecords([eventRecord(), waiting("zeno", 3), waiting("plato", 3)]);
    expect(
      await many(
        db,
        sql`select p.username as who, a.waiting_number as number from attendances a
          join people p on p.id = a.person_id order by 2`,
      ),
    ).toEqual([
      { who: "zeno", number: 3 },
      { who: "plato", number: 4 },
    ]);
  });
});

test("a claimed account keeps its answers and its part as a host, once each", async () => {
  const { mira } = await createTestUsers(database);
  const email = "zeno@example.org";
  const cohosted = { hosts: [{ user: "zeno" }] };
  const zeno = { ...people[1], email };
  const path = await write({
    "community.ndjson": archiveText(
      people[0]!,
      zeno,
      ...people.slice(2),
      eventRecord({ ...cohosted }),
      eventRecord({ id: "own", host: "zeno" }),
      { type: "attendance", event: "e", user: "zeno", answer: "going" },
      pollRecord(),
      { ...calendarRecords[4], user: "zeno" },
    ),
  });
  await runImport(await transfer(), { ...importOptions, path });
  await run(
    db,
    sql`insert into event_hosts select id, ${mira.id}, now() from calendar_events
    where host_id = (select person_id from imported_accounts)`,
  );
  await run(db, sql`update people set email = ${email}, email_confirmed_at = now() where id = ${mira.id}`);
  await database.inTransaction((tx) => claimImportedAccount(tx, mira.id));
  expect(
    await one(
      db,
      sql`select (select count(*)::int from attendances where person_id = ${mira.id}) as answers,
        (select count(*)::int from date_poll_answers where person_id = ${mira.id}) as times,
        (select count(*)::int from calendar_events where host_id = ${mira.id}) as hosts,
        (select count(*)::int from event_hosts where person_id = ${mira.id}) as further`,
    ),
  ).toEqual({ answers: 1, times: 1, hosts: 1, further: 1 });
});

test("undoing an import needs confirmation if members have answered imported events since", async () => {
  const { ada } = await createTestUsers(database);
  const t = await transfer();
  const [startsAt, endsAt] = [DAY, DAY + HOUR].map((ahead) => addMilliseconds(database.clock.at, ahead));
  const records = sampleArchive().map((it) => ("startsAt" in it ? { ...it, startsAt, endsAt } : it));
  const path = await write({ "community.ndjson": archiveText(...records), "files/heap.txt": "1" });
  const { id } = await runImport(t, { ...importOptions, path, by: ada });
  const { occurrence } = await findEvent();
  await database.inTransaction((tx) =>
    answerEvent(tx, ada, EventAnswer.parse({ occurrenceId: occurrence, answer: "going" })),
  );
  await expect(undoImport(t, { runId: id, by: ada, includeNewContent: false })).rejects.toMatchObject({
    reason: "conflict",
    message: expect.stringContaining("made 1 addition to"),
  });
  await undoImport(t, { runId: id, by: ada, includeNewContent: true });
  for (const table of ["event_series", "calendar_events", "attendances", "date_polls", "date_poll_answers"])
    expect([table, await count(table)]).toEqual([table, 0]);
});
