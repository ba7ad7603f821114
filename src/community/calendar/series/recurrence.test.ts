import { describe, expect, test } from "vitest";
import { clockChangeAt, timesOnDate } from "./occurrence-times.ts";
import { listRuleDates, type Recurrence } from "./recurrence.ts";

const date = (text: string) => Temporal.PlainDate.from(text);
const rule = (more: Partial<Recurrence>): Recurrence => ({
  frequency: "daily",
  every: 1,
  weekdays: [],
  monthDay: "date",
  ...more,
});
const datesOf = (recurrence: Recurrence, anchor: string, from = anchor, most = 5) =>
  listRuleDates(recurrence, date(anchor), { from: date(from), until: date("2036-01-01"), most }).map(String);

describe("dates of a rule", () => {
  test.each([
    ["every day", rule({}), "2026-12-30", ["2026-12-30", "2026-12-31", "2027-01-01"]],
    ["every third day", rule({ every: 3 }), "2026-12-30", ["2026-12-30", "2027-01-02", "2027-01-05"]],
    [
      "Monday and Thursday of every other week",
      rule({ frequency: "weekly", every: 2, weekdays: [1, 4] }),
      "2026-12-03",
      ["2026-12-03", "2026-12-14", "2026-12-17"],
    ],
    [
      "a day that short months lack",
      rule({ frequency: "monthly" }),
      "2026-12-31",
      ["2026-12-31", "2027-01-31", "2027-03-31"],
    ],
    [
      "the second Tuesday",
      rule({ frequency: "monthly", monthDay: "weekday" }),
      "2026-12-08",
      ["2026-12-08", "2027-01-12", "2027-02-09"],
    ],
    [
      "the last Thursday",
      rule({ frequency: "monthly", monthDay: "last_weekday" }),
      "2026-11-26",
      ["2026-11-26", "2026-12-31", "2027-01-28"],
    ],
    ["29 February", rule({ frequency: "yearly" }), "2024-02-29", ["2024-02-29", "2028-02-29", "2032-02-29"]],
  ])("%s", (_, recurrence, anchor, expected) => {
    expect(datesOf(recurrence, anchor, anchor, 3)).toEqual(expected);
  });

  test("keep the two-week rhythm of a given date for earlier dates too", () => {
    const everyOther = rule({ frequency: "weekly", every: 2, weekdays: [4] });
    expect(datesOf(everyOther, "2026-12-31", "2026-11-30", 4)).toEqual([
      "2026-12-03",
      "2026-12-17",
      "2026-12-31",
      "2027-01-14",
    ]);
  });
});

const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"];
const timesAt = (timeZone: string, starts: string, ends: string) => ({
  starts: Temporal.PlainDateTime.from(starts),
  ends: Temporal.PlainDateTime.from(ends),
  answersUntil: null,
  allDay: false,
  timeZone,
});
const clockOf = (moment: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime();

describe("times of a date", () => {
  test.each(ZONES)("stay the same by the clock of %s for two years", (timeZone) => {
    const times = timesAt(timeZone, "2026-12-01T19:00", "2026-12-01T21:30");
    const until = date("2028-12-01");
    const dates = listRuleDates(rule({}), date("2026-12-01"), { from: date("2026-12-01"), until, most: 800 });
    expect(dates).toHaveLength(732);
    for (const day of dates) {
      const { startsAt, endsAt } = timesOnDate(times, day);
      expect(clockOf(startsAt, timeZone).toString()).toBe(`${day.toString()}T19:00:00`);
      expect(clockOf(endsAt, timeZone).toString()).toBe(`${day.toString()}T21:30:00`);
    }
  });

  test("move forward over skipped hours, and the event keeps its length", () => {
    const times = timesAt("Europe/Berlin", "2027-03-01T02:30", "2027-03-01T03:00");
    const { startsAt, endsAt } = timesOnDate(times, date("2027-03-28"));
    expect(startsAt.toISOString()).toBe("2027-03-28T01:30:00.000Z");
    expect(endsAt.toISOString()).toBe("2027-03-28T02:00:00.000Z");
  });

  test.each([
    ["Europe/Berlin", "2027-03-28T02:30", "skipped"],
    ["Europe/Berlin", "2027-10-31T02:30", "repeated"],
    ["America/New_York", "2027-03-14T02:30", "skipped"],
    ["America/New_York", "2027-11-07T01:30", "repeated"],
    ["Australia/Lord_Howe", "2027-10-03T02:15", "skipped"],
    ["Australia/Lord_Howe", "2027-04-04T01:45", "repeated"],
    ["Asia/Kathmandu", "2027-03-28T02:30", null],
  ])("in %s at %s are %s", (timeZone, local, change) => {
    expect(clockChangeAt(Temporal.PlainDateTime.from(local), timeZone)).toBe(change);
  });
});
