import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { CalendarFileError, readCalendarFile, writeCalendar } from "./index.ts";

const now = new Date("2026-11-28T12:00:00Z");
const BOUNDS = {
  now,
  timeZone: "Europe/Berlin",
  events: 500,
  dates: 500,
  total: 2_000,
  ahead: 1_096,
  planned: 366,
  lengths: { title: 120, place: 200, text: 4_000 },
};

const event = (...lines: string[]) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");
const calendar = (...events: string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", ...events, "END:VCALENDAR", ""].join("\r\n");
const read = (...events: string[]) => readCalendarFile(calendar(...events), BOUNDS);
const BERLIN = "DTSTART;TZID=Europe/Berlin:20261205T190000";
const starts = (...lines: string[]) =>
  read(event("UID:1", "SUMMARY:Tea", ...lines)).entries.map((it) => it.startsAt.toISOString());
const skipReasons = (...lines: string[]) =>
  read(event("UID:1", "SUMMARY:Tea", ...lines)).skipped.map((it) => it.reason);

test("an event is read with its texts, place, zone and end", () => {
  const { entries, skipped } = read(
    event(
      "UID:abc@x",
      "SUMMARY:Repair\\, evening",
      "DESCRIPTION:Bring what is\\nbroken.",
      "URL:https://example.org/repair",
      "LOCATION:The shed\\; behind",
      BERLIN,
      "DTEND;TZID=Europe/London:20261205T203000",
      "ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA",
      "BEGIN:VALARM",
      "SUMMARY:Alarm",
      "TRIGGER:-PT15M",
      "END:VALARM",
    ),
  );
  expect(skipped).toEqual([]);
  expect(entries).toEqual([
    {
      uid: "abc@x",
      date: "",
      title: "Repair, evening",
      place: "The shed; behind",
      text: "Bring what is\nbroken.\n\nhttps://example.org/repair",
      startsAt: new Date("2026-12-05T18:00:00Z"),
      endsAt: new Date("2026-12-05T20:30:00Z"),
      allDay: false,
      timeZone: "Europe/Berlin",
      isCancelled: false,
    },
  ]);
});

test.each([
  ["UTC", "DTSTART:20261205T180000Z", "2026-12-05T18:00:00.000Z", "Europe/Berlin"],
  ["no zone", "DTSTART:20261205T190000", "2026-12-05T18:00:00.000Z", "Europe/Berlin"],
  [
    "a zone of Windows",
    "DTSTART;TZID=Nepal Standard Time:20261205T190000",
    "2026-12-05T13:15:00.000Z",
    "Asia/Kathmandu",
  ],
  [
    "a zone with a prefix",
    "DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20261205T190000",
    "2026-12-06T00:00:00.000Z",
    "America/New_York",
  ],
])("start with %s is a moment in a known zone", (_, line, startsAt, timeZone) => {
  const { entries } = read(event("UID:1", "SUMMARY:Tea", line));
  expect(entries.map((it) => [it.startsAt.toISOString(), it.timeZone])).toEqual([[startsAt, timeZone]]);
});

test("zone of the file is that of times without one", () => {
  const text = calendar(
    "X-WR-TIMEZONE:Asia/Kathmandu",
    "X-WR-CALNAME:Club",
    event("UID:1", "SUMMARY:Tea", "DTSTART:20261205T190000"),
  );
  const { name, entries } = readCalendarFile(text, BOUNDS);
  expect([name, entries[0]!.startsAt.toISOString()]).toEqual(["Club", "2026-12-05T13:15:00.000Z"]);
});

test.each([
  ["lasts a day as a day", ["DTSTART;VALUE=DATE:20261205"], "2026-12-05T23:00:00.000Z"],
  ["lasts an hour as a time", [BERLIN], "2026-12-05T19:00:00.000Z"],
  ["lasts as long as its duration", [BERLIN, "DURATION:P1DT30M"], "2026-12-06T18:30:00.000Z"],
])("event without an end %s", (_, lines, endsAt) => {
  expect(read(event("UID:1", "SUMMARY:Tea", ...lines)).entries.map((it) => it.endsAt.toISOString())).toEqual([
    endsAt,
  ]);
});

describe("repeating event", () => {
  test("keeps the time by the clock when clocks change", () => {
    expect(starts("DTSTART;TZID=Europe/Berlin:20270321T190000", "RRULE:FREQ=WEEKLY;COUNT=3")).toEqual([
      "2027-03-21T18:00:00.000Z",
      "2027-03-28T17:00:00.000Z",
      "2027-04-04T17:00:00.000Z",
    ]);
  });

  test("has the dates that an independent program lists, except for excluded ones", () => {
    const lines = [
      BERLIN,
      "RRULE:FREQ=MONTHLY;BYDAY=1SA,-1MO;UNTIL=20270601T000000Z",
      "RDATE;TZID=Europe/Berlin:20270114T200000",
      "EXDATE;TZID=Europe/Berlin:20270201T190000,20270306T190000",
      "EXDATE;VALUE=DATE:20270403",
    ];
    const iterator = new ICAL.RecurExpansion({
      component: new ICAL.Component(
        ICAL.parse(event(...lines.filter((it) => !it.includes("VALUE=DATE")))) as never,
      ),
      dtstart: ICAL.Time.fromDateTimeString("2026-12-05T19:00:00"),
    });
    const expected: string[] = [];
    for (let next = iterator.next(); next && next.year < 2028; next = iterator.next())
      expected.push(next.toString());
    const local = read(event("UID:1", "SUMMARY:Tea", ...lines)).entries.map((it) =>
      Temporal.Instant.fromEpochMilliseconds(it.startsAt.getTime())
        .toZonedDateTimeISO("Europe/Berlin")
        .toPlainDateTime()
        .toString({ smallestUnit: "second" }),
    );
    expect(local).toEqual(expected.filter((it) => !it.startsWith("2027-04-03")));
    expect(local.length).toBeGreaterThan(8);
  });

  test("takes changed dates from their own versions", () => {
    const { entries } = read(
      event("UID:1", "SUMMARY:Tea", BERLIN, "RRULE:FREQ=DAILY;COUNT=3"),
      event("UID:1", "RECURRENCE-ID:20261206T180000Z", "SUMMARY:Coffee", "DTSTART:20261206T200000Z"),
    );
    expect(entries.map((it) => [it.title, it.date, it.startsAt.toISOString()])).toEqual([
      ["Tea", "2026-12-05T18:00:00.000Z", "2026-12-05T18:00:00.000Z"],
      ["Coffee", "2026-12-06T18:00:00.000Z", "2026-12-06T20:00:00.000Z"],
      ["Tea", "2026-12-07T18:00:00.000Z", "2026-12-07T18:00:00.000Z"],
    ]);
  });

  test("without an end is read for a year, from today on", () => {
    const dates = starts("DTSTART;TZID=Europe/Berlin:20000101T190000", "RRULE:FREQ=WEEKLY");
    expect([dates[0], dates.length]).toEqual(["2026-11-28T18:00:00.000Z", 53]);
  });

  test.each([
    ["every hour", "unsupported-rule", "RRULE:FREQ=HOURLY;COUNT=5"],
    [
      "with a number of dates and an end",
      "unsupported-rule",
      "RRULE:FREQ=DAILY;COUNT=5;UNTIL=20270101T000000Z",
    ],
    ["several times a day", "unsupported-rule", "RRULE:FREQ=DAILY;BYHOUR=9,17;COUNT=9"],
    ["10 000 times", "too-many-dates", "RRULE:FREQ=DAILY;COUNT=10000"],
    ["nonsense", "unreadable", "RRULE:FREQ=NONSENSE"],
    ["a loop of RDATEs", "too-many-dates", "RDATE:20261206T100000Z\r\n".repeat(3_000)],
    [
      "600 RDATEs",
      "too-many-dates",
      `RDATE:${Array.from({ length: 600 }, (_, i) => `20270101T${String(100 + Math.floor(i / 60)).slice(1)}${String(100 + (i % 60)).slice(1)}00Z`).join(",")}`,
    ],
  ])("%s is left out", (_, reason, line) => {
    expect(skipReasons(BERLIN, line)).toEqual([reason]);
  });

  test("has only its first date if its day never comes", () => {
    expect(starts(BERLIN, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")).toEqual(["2026-12-05T18:00:00.000Z"]);
  });
});

test.each([
  ["unknown-zone", "DTSTART;TZID=Middle/Earth:20261205T190000"],
  ["past", "DTSTART:20201205T190000Z"],
  ["bad-time", "DTSTART:20261345T990000Z"],
  ["bad-time", "DESCRIPTION:No start"],
  ["ends-before-start", `${BERLIN}\r\nDTEND:20261201T190000Z`],
  ["from-import", `${BERLIN}\r\nX-KITH-IMPORTED:TRUE`],
  ["too-large", `${BERLIN}\r\nDESCRIPTION:${"x".repeat(100_001)}`],
])("event is left out: %s", (reason, line) => {
  expect(skipReasons(line)).toEqual([reason]);
});

test("event without a title is left out, and a broken one does not affect the others", () => {
  const { entries, skipped } = read(
    event("UID:1", BERLIN),
    event("UID:2", "SUMMARY:Broken", BERLIN, 'DTEND;X="open:20261205T190000Z'),
    event("UID:3", "SUMMARY:Fine", BERLIN),
  );
  expect(skipped.map((it) => it.reason)).toContain("no-title");
  expect(entries.map((it) => it.title)).toContain("Fine");
});

test.each([
  ["not-a-calendar", "Hello"],
  ["not-a-calendar", ""],
  [
    "too-many-events",
    calendar(...Array.from({ length: 501 }, (_, i) => event(`UID:${i}`, "SUMMARY:Tea", BERLIN))),
  ],
  [
    "too-many-dates",
    calendar(
      ...Array.from({ length: 6 }, (_, i) =>
        event(`UID:${i}`, "SUMMARY:Tea", BERLIN, "RRULE:FREQ=DAILY;COUNT=400"),
      ),
    ),
  ],
])("file is refused: %s", (reason, text) => {
  expect(() => readCalendarFile(text, BOUNDS)).toThrow(new CalendarFileError(reason as never));
});

test.each([
  ["a line with a million parameters", () => `SUMMARY;${"X=1;".repeat(1_200_000)}Y=1:a`],
  ["a line folded a million times", () => `SUMMARY:a${"\r\n b".repeat(1_000_000)}`],
  ["200 000 RDATEs", () => "RDATE:20261201T100000Z\r\n".repeat(200_000)],
  ["unclosed components", () => "BEGIN:VEVENT\r\n".repeat(300_000)],
])("file with %s is read within two seconds", (_, write) => {
  const line = write();
  const before = performance.now();
  expect(read(event("UID:1", BERLIN, line)).entries).toEqual([]);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("our own files are read back", () => {
  const entry = {
    uid: "1@x",
    sequence: 0,
    title: "Repair evening",
    startsAt: new Date("2026-12-05T18:00:00Z"),
    endsAt: new Date("2026-12-05T21:00:00Z"),
    allDay: false,
    timeZone: "Europe/Berlin",
    place: "The shed",
    text: "Garden",
    url: "https://x/1",
    status: "CONFIRMED" as const,
    createdAt: now,
    changedAt: now,
  };
  const day = {
    ...entry,
    uid: "2@x",
    allDay: true,
    startsAt: new Date("2026-12-04T23:00:00Z"),
    endsAt: new Date("2026-12-05T23:00:00Z"),
  };
  const imported = { ...entry, uid: "3@x", isImported: true };
  const { entries, skipped } = readCalendarFile(writeCalendar("Club", [entry, day, imported]), BOUNDS);
  expect(skipped).toEqual([{ title: entry.title, reason: "from-import" }]);
  expect(entries.map((it) => [it.uid, it.startsAt, it.endsAt, it.allDay])).toEqual(
    [entry, day].map((it) => [it.uid, it.startsAt, it.endsAt, it.allDay]),
  );
});
