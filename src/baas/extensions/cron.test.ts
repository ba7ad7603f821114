import { expect, test } from "vitest";
import { nextOccurrence, readSchedule } from "./cron.ts";

const next = (schedule: string, after: string) =>
  nextOccurrence(readSchedule(schedule), new Date(after)).toISOString();

test.each([
  ["* * * * *", "2026-03-01T10:00:00Z", "2026-03-01T10:01:00.000Z"],
  ["* * * * *", "2026-03-01T10:00:59.999Z", "2026-03-01T10:01:00.000Z"],
  ["*/15 * * * *", "2026-03-01T10:46:00Z", "2026-03-01T11:00:00.000Z"],
  ["5/20 * * * *", "2026-03-01T10:26:00Z", "2026-03-01T10:45:00.000Z"],
  ["30 9 * * 1-5", "2026-03-06T09:30:00Z", "2026-03-09T09:30:00.000Z"],
  ["0 0 1,15 * *", "2026-03-02T00:00:00Z", "2026-03-15T00:00:00.000Z"],
  ["0 12 13 * 5", "2026-03-02T00:00:00Z", "2026-03-06T12:00:00.000Z"],
  ["0 12 * * 7", "2026-03-02T00:00:00Z", "2026-03-08T12:00:00.000Z"],
  ["0 0 29 2 *", "2026-03-02T00:00:00Z", "2028-02-29T00:00:00.000Z"],
])("next run of %s after %s is %s", (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test.each([
  ["* * * *", "is not a valid schedule. Use five fields"],
  ["60 * * * *", "'60' is not a valid minute"],
  ["* 5-2 * * *", "'5-2' is not a valid hour"],
  ["*/0 * * * *", "'*/0' is not a valid minute"],
  ["* * * jan *", "'jan' is not a valid month"],
  ["0 0 30 2 *", "This schedule never runs"],
])("cron expression '%s' is rejected", (schedule, sentence) => {
  expect(() => readSchedule(schedule)).toThrow(sentence);
});
