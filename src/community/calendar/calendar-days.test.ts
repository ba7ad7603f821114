import { expect, test } from "vitest";
import { getMonthBounds, dayInTimeZone, listMonthDays, lastDayOfWeek, startOfDay } from "./calendar-days.ts";

test("a month begins and ends at midnight of its time zone, even if the clocks change within it", () => {
  const { from, until, before, after } = getMonthBounds("2026-10", "Europe/Berlin")!;
  expect([from.toISOString(), until.toISOString()]).toEqual([
    "2026-09-30T22:00:00.000Z",
    "2026-10-31T23:00:00.000Z",
  ]);
  expect([before, after]).toEqual(["2026-09", "2026-11"]);
  expect(getMonthBounds("2026-13", "UTC")).toBeNull();
});

test.each([
  [1, "2026-02-23", "2026-04-05"],
  [7, "2026-03-01", "2026-04-04"],
  [6, "2026-02-28", "2026-04-03"],
])("a month is shown in whole weeks that begin on weekday %i", (weekday, first, last) => {
  const weeks = listMonthDays("2026-03", weekday);
  expect([weeks[0]![0], weeks.at(-1)!.at(-1)]).toEqual([first, last]);
  for (const week of weeks) expect(week).toHaveLength(7);
});

test("a February of 28 days that begins on the first day of the week is four weeks long", () => {
  expect(listMonthDays("2027-02", 1)).toHaveLength(4);
});

test("the calendar day of a moment depends on the time zone", () => {
  const moment = new Date("2026-12-05T20:00:00Z");
  expect(dayInTimeZone(moment, "America/New_York")).toBe("2026-12-05");
  expect(dayInTimeZone(moment, "Asia/Kathmandu")).toBe("2026-12-06");
});

test("the start of a day is midnight in its time zone; an invalid date has none", () => {
  expect(startOfDay("2026-12-05", "Australia/Lord_Howe")).toEqual(new Date("2026-12-04T13:00:00Z"));
  expect(startOfDay("2026-02-30", "UTC")).toBeNull();
});

test("the last day of a week depends on its first weekday", () => {
  expect(lastDayOfWeek("2026-12-05", 1)).toBe("2026-12-06");
  expect(lastDayOfWeek("2026-12-05", 7)).toBe("2026-12-05");
  expect(lastDayOfWeek("2026-12-06", 7)).toBe("2026-12-12");
});
