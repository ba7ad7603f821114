import { describe, expect, test } from "vitest";
import { endOfDay } from "./spans.ts";

describe("the end of a day", () => {
  test.each([
    ["UTC", "2026-05-04T23:59:59.000Z"],
    ["Europe/Berlin", "2026-05-04T21:59:59.000Z"],
    ["America/Los_Angeles", "2026-05-05T06:59:59.000Z"],
    ["Asia/Kolkata", "2026-05-04T18:29:59.000Z"],
  ])("is where one lives: %s", (timeZone, end) => {
    expect(endOfDay("2026-05-04", timeZone).toISOString()).toBe(end);
  });
});
