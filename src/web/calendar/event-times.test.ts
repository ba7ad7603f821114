import { expect, test } from "vitest";
import { formatTimeRange } from "./event-times.ts";

const START = new Date("2026-12-01T17:00:00Z");
const END = new Date("2026-12-01T20:00:00Z");

test.each([
  ["en", "6:00 – 9:00 PM"],
  ["fr", "18:00 – 21:00"],
])("a range of times in %s has plain spaces, in which server and browser agree", (locale, text) => {
  const hours = new Intl.DateTimeFormat(locale, {
    hour: "numeric",
    minute: "2-digit",
    timeZone: "Europe/Berlin",
  });
  expect(formatTimeRange(hours, START, END)).toBe(text);
});
