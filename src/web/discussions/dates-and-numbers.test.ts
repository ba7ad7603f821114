import { describe, expect, test } from "vitest";
import { toDateString, endOfDay, isPlannableDate, parsePostNumbers } from "./dates-and-numbers.ts";

describe("end of a day", () => {
  test.each([
    ["UTC", "2026-05-04T23:59:59.000Z"],
    ["Europe/Berlin", "2026-05-04T21:59:59.000Z"],
    ["America/Los_Angeles", "2026-05-05T06:59:59.000Z"],
    ["Asia/Kolkata", "2026-05-04T18:29:59.000Z"],
  ])("depends on the time zone: %s", (timeZone, end) => {
    expect(endOfDay("2026-05-04", timeZone).toISOString()).toBe(end);
    expect(toDateString(new Date(end), timeZone)).toBe("2026-05-04");
  });
});

test.each([
  ["2026-05-04", true],
  ["2999-12-31", true],
  ["3000-01-01", false],
  ["9999-12-31", false],
  ["1999-12-31", false],
])("isPlannableDate called with %s returns %s", (day, planned) => {
  expect(isPlannableDate(day)).toBe(planned);
  if (planned) expect(endOfDay(day, "Pacific/Honolulu").getTime()).toBeGreaterThan(Date.parse(day));
});

describe("post numbers", () => {
  test.each([
    ["4", [4]],
    ["7-9, 4", [4, 7, 8, 9]],
    ["18–", [18, 19, 20]],
    ["#2 and #3", [2, 3]],
    ["3, 3-4, 4", [3, 4]],
    ["9-7", []],
    ["0, 21, 99999", []],
    ["all of them", []],
  ])("can be typed as lists and ranges: %s", (text, numbers) => {
    expect(parsePostNumbers(text, 20, 10)).toEqual(numbers);
  });

  test("in a range are limited to the maximum count", () => {
    expect(parsePostNumbers("1-999999", 999_999, 500)).toHaveLength(500);
  });
});
