import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDate } from "./clause-dates.ts";
import { matchesPattern, parsePattern } from "./like-pattern.ts";
import { parseWkt } from "./wkt.ts";
import { measureCpu } from "../../../../test/support/cpu-time.ts";

const DAY = Date.parse("2015-03-23T00:00:00Z");
const SQUARE = "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0),(4 4, 6 4, 6 6, 4 6, 4 4))";

describe("date", () => {
  test.each([
    ["Mon Mar 23 00:00:00 GMT 2015"],
    ["Sun Mar 22 19:00:00 EST 2015"],
    ["2015-03-23T00:00:00.000Z"],
    ["2015-03-23T00:00:00.000+0000"],
    ["2015-03-23 02:00:00+02:00"],
    ["2015-03-23"],
    ["03/23/2015 00:00:00 GMT"],
    ["03/22/2015 22:00:00 GMT-0200"],
    ["03.22.2015 22:00:00 GMT-02:00"],
    ["03-23-2015 01:00:00 CET"],
    ["03.23.2015 00:00:00 GMT"],
    ["03.23.2015 00:00:00"],
    ["03-23-2015 00:00:00"],
    ["03/23/2015 00:00:00"],
    ["03/23/2015 00:00"],
    ["03/23/2015"],
    ["03.23.2015"],
    ["03-23-2015"],
    ["23-03-2015"],
    ["23/Mar/2015"],
    ["23-mar-2015"],
    ["Monday, 23 March 2015"],
    ["2015/03/23/00:00"],
  ])("%s is the start of that day", (text) => {
    expect(parseDate(text)).toBe(DAY);
  });

  test.each([
    "",
    "today",
    "13/13/2015",
    "02/30/2015",
    "2015-03-23T25:00:00Z",
    "03/23/2015 00:00:00 XYZ",
    "1".repeat(99),
  ])("rejects %.20j", (text) => {
    expect(parseDate(text)).toBeNull();
  });
});

describe("LIKE pattern", () => {
  test("matches like the equivalent regular expression, in bounded time", async () => {
    const piece = fc.constantFrom("%", "_", "a", "b", "ab");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.stringMatching(/^[ab]{0,10}$/), (pieces, text) => {
        const expression = pieces.map((it) => (it === "%" ? ".*" : it === "_" ? "." : it)).join("");
        expect(matchesPattern(text, parsePattern(pieces.join("")))).toBe(
          new RegExp(`^${expression}$`).test(text),
        );
      }),
    );
    const search = () =>
      expect(matchesPattern("a".repeat(20_000), parsePattern("%a".repeat(200).concat("%b")))).toBe(false);
    expect(await measureCpu(search)).toBeLessThan(1_000);
  });
});

test("geometries are parsed from well-known text, or rejected", () => {
  expect(parseWkt("point ( -1.5 2e1 )")).toEqual({ type: "Point", coordinates: [-1.5, 20] });
  expect(parseWkt("LINESTRING(0 0,1 1)")).toEqual({
    type: "LineString",
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  });
  expect(parseWkt(SQUARE)?.coordinates).toHaveLength(2);
  for (const none of [
    "POINT(1)",
    "POINT(a b)",
    "LINESTRING(0 0)",
    "POLYGON((0 0,1 1,2 2,3 3))",
    "CIRCLE(0 0)",
    "POLYGON()",
    "POINT(1 1",
  ])
    expect(parseWkt(none)).toBeNull();
});
