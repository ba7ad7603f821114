import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { type CalendarEntry, writeCalendar } from "./index.ts";

const entry: CalendarEntry = {
  uid: "1@kith.test",
  sequence: 2,
  title: "Repair evening",
  startsAt: new Date("2026-12-05T18:00:00Z"),
  endsAt: new Date("2026-12-05T21:00:00Z"),
  allDay: false,
  timeZone: "Europe/Berlin",
  place: "The shed",
  text: "Garden",
  url: "https://kith.test/events/1",
  status: "CONFIRMED",
  createdAt: new Date("2026-11-01T12:00:00Z"),
  changedAt: new Date("2026-11-02T12:00:00Z"),
};

/** Events as an independent parser reads them. */
const read = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((it) => ({ it: new ICAL.Event(it), status: it.getFirstPropertyValue("status") }));

test("written calendar can be read back with every field", () => {
  const [{ it, status }] = read(writeCalendar("Garden", [entry])) as [ReturnType<typeof read>[number]];
  expect(it.uid).toBe("1@kith.test");
  expect(it.sequence).toBe(2);
  expect(it.summary).toBe("Repair evening");
  expect(it.location).toBe("The shed");
  expect(it.description).toBe("Garden");
  expect(it.component.getFirstPropertyValue("url")).toBe("https://kith.test/events/1");
  expect(it.endDate.toJSDate()).toEqual(entry.endsAt);
  expect(status).toBe("CONFIRMED");
});

test("calendar contains the status of cancelled and postponed events", () => {
  const text = writeCalendar("Garden", [
    { ...entry, status: "CANCELLED" },
    { ...entry, status: "TENTATIVE" },
  ]);
  expect(read(text).map(({ status }) => status)).toEqual(["CANCELLED", "TENTATIVE"]);
});

test.each([
  ["a line break that begins a field", "Tea\r\nATTENDEE:mailto:eve@example.org"],
  ["separators and backslashes", 'Tea; coffee, cake \\n: a "party"'],
  ["long lines of several scripts", "اجتماع 修理の夕べ 🧰 ".repeat(20)],
])("title with %s is read back unchanged, without additional fields", (_what, title) => {
  const [{ it }] = read(writeCalendar(title, [{ ...entry, title, place: title, text: title }])) as [
    ReturnType<typeof read>[number],
  ];
  expect(it.summary.replaceAll("\n", "\r\n")).toBe(title);
  expect(it.component.getAllProperties("attendee")).toEqual([]);
});

test("calendar without events is valid", () => {
  expect(read(writeCalendar("Garden", []))).toEqual([]);
});

test("calendar text is identical for identical events", () => {
  expect(writeCalendar("Garden", [entry])).toBe(writeCalendar("Garden", [entry]));
});

describe.each([
  ["Europe/Berlin", ["2026-10-24T19:00", "2026-10-25T19:00", "2027-03-27T19:00", "2027-03-28T19:00"]],
  ["America/New_York", ["2026-10-31T19:00", "2026-11-01T19:00", "2027-03-13T19:00", "2027-03-14T19:00"]],
  ["Asia/Kathmandu", ["2026-10-25T19:00", "2027-03-28T19:00", "2027-10-31T19:00", "2028-03-26T19:00"]],
  ["Australia/Lord_Howe", ["2026-10-03T19:00", "2026-10-04T19:00", "2027-04-03T19:00", "2027-04-04T19:00"]],
])("wall-clock time in %s around the switches to and from summer time", (timeZone, times) => {
  test.each(times)("%s is read back unchanged", (typed) => {
    const zoned = Temporal.PlainDateTime.from(typed).toZonedDateTime(timeZone);
    const moment = (it: Temporal.ZonedDateTime) => new Date(it.epochMilliseconds);
    const [{ it }] = read(
      writeCalendar("Garden", [
        { ...entry, timeZone, startsAt: moment(zoned), endsAt: moment(zoned.add({ hours: 2 })) },
      ]),
    ) as [ReturnType<typeof read>[number]];
    const local = Temporal.Instant.fromEpochMilliseconds(
      it.startDate.toJSDate().getTime(),
    ).toZonedDateTimeISO(timeZone);
    expect(local.toPlainDateTime().toString({ smallestUnit: "minute" })).toBe(typed);
  });

  test.each(times)("day of %s is read back as a whole day", (typed) => {
    const day = Temporal.PlainDateTime.from(typed).toPlainDate();
    const midnight = (it: Temporal.PlainDate) => new Date(it.toZonedDateTime(timeZone).epochMilliseconds);
    const [{ it }] = read(
      writeCalendar("Garden", [
        { ...entry, timeZone, allDay: true, startsAt: midnight(day), endsAt: midnight(day.add({ days: 1 })) },
      ]),
    ) as [ReturnType<typeof read>[number]];
    expect([it.startDate.isDate, it.startDate.toString(), it.endDate.toString()]).toEqual([
      true,
      day.toString(),
      day.add({ days: 1 }).toString(),
    ]);
  });
});
