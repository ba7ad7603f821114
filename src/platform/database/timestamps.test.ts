import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { parseTimestamp } from "./timestamps.ts";
import { many, one, openDatabase, sql } from "./index.ts";
import { countCases } from "../../../test/support/fuzz-cases.ts";

const { connection, runtime } = await testDatabase();
const database = openDatabase({
  connection: { ...connection, options: "-c TimeZone=Asia/Kathmandu" },
  runtime,
  size: 1,
  onIdleError: () => {},
});
const questions = openDatabase({ connection, runtime, size: 1, forQuestions: true, onIdleError: () => {} });
afterAll(() => Promise.all([database.close(), questions.close()]));

describe("timestamps", () => {
  test.each([
    ["2026-11-22 18:05:17.123+00", "2026-11-22T18:05:17.123Z"],
    ["2026-11-22 18:05:17+00", "2026-11-22T18:05:17.000Z"],
    ["2026-11-22 18:05:17.1+00", "2026-11-22T18:05:17.100Z"],
    ["2026-11-22 18:05:17.123999+00", "2026-11-22T18:05:17.123Z"],
    ["2024-02-29 23:59:59.9+00", "2024-02-29T23:59:59.900Z"],
    ["1000-01-01 00:00:00+00", "1000-01-01T00:00:00.000Z"],
    ["0033-04-03 15:00:00+00", "0033-04-03T15:00:00.000Z"],
    ["12026-11-22 18:05:17.5+00", "+012026-11-22T18:05:17.500Z"],
    ["0044-03-15 12:00:00+00 BC", "-000043-03-15T12:00:00.000Z"],
    ["2026-11-22 18:05:17.123+05:45", "2026-11-22T12:20:17.123Z"],
    ["2026-11-22 18:05:17-03", "2026-11-22T21:05:17.000Z"],
  ])("parses %s as %s", (text, iso) => {
    expect(parseTimestamp(text).toISOString()).toBe(iso);
  });

  test("returns an invalid date for infinity", () => {
    expect([parseTimestamp("infinity"), parseTimestamp("-infinity")]).toEqual([Infinity, -Infinity]);
  });

  test.each([
    ["for writing", database],
    ["for API queries", questions],
  ])("round-trips a timestamp over a connection %s", async (_, { db }) => {
    const moments = fc.date({
      min: new Date("0001-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moments, { maxLength: 50 }), async (given) => {
        const texts = given.map((it) => it.toISOString());
        const rows = await many(
          db,
          sql<{
            it: Date;
          }>`select it from unnest(${texts}::timestamptz[]) with ordinality as g (it, n) order by n`,
        );
        expect(rows.map(({ it }) => it)).toEqual(given);
      }),
      { numRuns: countCases(20, 20) },
    );
    expect(await one(db, sql<{ zone: string }>`select current_setting('TimeZone') as zone`)).toEqual({
      zone: "UTC",
    });
  });
});
