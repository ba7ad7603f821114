import { describe, expect, test } from "vitest";
import { parseGeometry } from "./geometry.ts";
import { parseColumnValue } from "./column-values.ts";
import { inferColumnType } from "./infer-type.ts";
import { isJsonUpdate, type JsonUpdate, parseJsonUpdate } from "./json-update.ts";
import { expandRepeated } from "./repeated-objects.ts";

const VALUE = { a: 1, list: ["x", "y"], deep: { b: { c: true } } };

const changed = (update: JsonUpdate, before: unknown): unknown =>
  JSON.parse(parseJsonUpdate(update, "profile")(before) ?? "null");
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

describe("change of a JSON value", () => {
  test("cannot exceed the limits of depth and length, even in several steps", () => {
    const appended = { ___operation: "JSON_SET", args: { [`$${".a".repeat(30)}`]: nested(2) } } as const;
    expect(changed(appended, nested(31))).toEqual(nested(32));
    const deeper = { ___operation: "JSON_SET", args: { [`$${".a".repeat(30)}`]: nested(3) } } as const;
    expect(() => changed(deeper, nested(31))).toThrow(expect.objectContaining({ code: 1021 }));
    const longer = { ___operation: "JSON_ARRAY_APPEND", args: { "$.list": "x".repeat(400_000) } } as const;
    const twice = changed(longer, changed(longer, { list: [] }));
    expect(() => changed(longer, twice)).toThrow(expect.objectContaining({ code: 1021 }));
  });

  test.each([
    ["JSON_SET", { "$.a": 2, "$.n": null }, { ...VALUE, a: 2, n: null }],
    [
      "JSON_SET",
      { "$.deep.b.c": [1], "$.list[1]": "z" },
      { a: 1, list: ["x", "z"], deep: { b: { c: [1] } } },
    ],
    ["JSON_SET", { "$.no.way": 1 }, VALUE],
    ["JSON_SET", { $: 5 }, 5],
    ["JSON_INSERT", { "$.a": 2, "$.n": 3 }, { ...VALUE, n: 3 }],
    ["JSON_INSERT", { "$.list[7]": "z", "$.list[0]": "w" }, { ...VALUE, list: ["x", "y", "z"] }],
    ["JSON_REPLACE", { "$.a": 2, "$.n": 3 }, { ...VALUE, a: 2 }],
    ["JSON_REMOVE", ["$.list[0]", "$.deep.b", "$.n"], { a: 1, list: ["y"], deep: {} }],
    [
      "JSON_ARRAY_APPEND",
      { "$.list": ["z"], "$.a": 2, "$.n": 1 },
      { ...VALUE, a: [1, 2], list: ["x", "y", ["z"]] },
    ],
    ["JSON_ARRAY_INSERT", { "$.list[0]": "w", "$.a[0]": 1 }, { ...VALUE, list: ["w", "x", "y"] }],
    ["JSON_ARRAY_INSERT", { "$.list[9]": "z" }, { ...VALUE, list: ["x", "y", "z"] }],
  ])("applies %s with %j", (___operation, args, expected) => {
    const before = structuredClone(VALUE);
    const update = { ___operation, args };
    expect(isJsonUpdate(update)).toBe(true);
    if (isJsonUpdate(update)) expect(changed(update, before)).toEqual(expected);
    expect(before).toEqual(VALUE);
  });

  test("creates an object from null, with a quoted property name", () => {
    expect(changed({ ___operation: "JSON_SET", args: { '$."a b"': 1 } }, null)).toEqual({ "a b": 1 });
  });

  test.each([
    [{}],
    [{ "a.b": 1 }],
    [{ "$.*": 1 }],
    [{ "$**.a": 1 }],
    [{ "$.__proto__": 1 }],
    [{ "$.a[1000000]": 1 }],
  ])("rejects a path like %j", (args) => {
    expect(() => parseJsonUpdate({ ___operation: "JSON_SET", args }, "profile")).toThrow(
      expect.objectContaining({ code: expect.any(Number) }),
    );
  });
  test.each([
    [{ "$.a[200000]": 1 }],
    [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`$.k${n}`, n]))],
  ])("limits the number of paths", (args) => {
    expect(() => parseJsonUpdate({ ___operation: "JSON_SET", args }, "profile")).toThrow(
      expect.objectContaining({ code: 1021 }),
    );
  });
});

describe("value for a column", () => {
  const column = (type: string, size: number | null = null) =>
    ({ name: "p", type, size }) as Parameters<typeof parseColumnValue>[1];
  const at = new Date(1_427_068_800_000);
  test.each([
    ["STRING", "x", "x"],
    ["INT", -7, -7],
    ["INT", 2_147_483_647, 2_147_483_647],
    ["INT", -2_147_483_648, -2_147_483_648],
    ["DOUBLE", 2.5, 2.5],
    ["BOOLEAN", false, false],
    ["DATETIME", at.getTime(), at],
    ["DATETIME", "2015-03-23T00:00:00.000Z", at],
    ["DATETIME", "03/23/2015", at],
    ["JSON", { a: [1] }, '{"a":[1]}'],
    ["POINT", "POINT(1 2)", '{"type":"Point","coordinates":[1,2],"srsId":4326}'],
    [
      "GEOMETRY",
      {
        type: "LineString",
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      '{"type":"LineString","coordinates":[[0,0],[1,1]],"srsId":4326}',
    ],
    ["INT", null, null],
  ])("%s accepts %j", (type, value, expected) => {
    expect(parseColumnValue(value, column(type))).toEqual(expected);
  });

  const wrong =
    "Unable to save object - invalid data type for properties - p. You can change the property type in " +
    "developer console.";
  test.each([
    ["STRING", 5, wrong],
    ["INT", 2.5, wrong],
    ["INT", 2_147_483_648, wrong],
    ["INT", -2_147_483_649, wrong],
    ["INT", "5", wrong],
    ["DOUBLE", "x", wrong],
    ["BOOLEAN", 1, wrong],
    ["DATETIME", true, wrong],
    ["DATETIME", "soon", "Invalid date format for property p"],
    ["DATETIME", 1e300, "Invalid date format for property p"],
    [
      "POINT",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
        ],
      },
      wrong,
    ],
    ["GEOMETRY", { type: "Circle", coordinates: [] }, wrong],
    ["POINT", { type: "Point", coordinates: ["1", 2] }, wrong],
  ])("%s rejects %j", (type, value, message) => {
    expect(() => parseColumnValue(value, column(type))).toThrow(message);
  });

  test("has limits of length and depth", () => {
    expect(() => parseColumnValue("four", column("STRING", 3))).toThrow(
      expect.objectContaining({ code: 1021 }),
    );
    const deep = JSON.parse("[".repeat(40) + "]".repeat(40)) as unknown;
    expect(() => parseColumnValue(deep, column("JSON"))).toThrow(expect.objectContaining({ code: 1021 }));
  });

  test("determines the type of a new column", () => {
    const values = [
      true,
      7,
      -2_147_483_648,
      2_147_483_648,
      2.5,
      3e10,
      "x",
      "x".repeat(501),
      "2026-05-04T09:00:00.000Z",
      { type: "Point", coordinates: [1, 2] },
      [1],
      { a: 1 },
      null,
    ];
    expect(values.map(inferColumnType)).toEqual([
      "BOOLEAN",
      "INT",
      "INT",
      "DOUBLE",
      "DOUBLE",
      "DOUBLE",
      "STRING",
      "TEXT",
      "DATETIME",
      "POINT",
      "JSON",
      "JSON",
      null,
    ]);
  });

  test("for a polygon gets its ring closed", () => {
    const ring = [
      [0, 0],
      [4, 0],
      [4, 4],
    ];
    expect(parseGeometry({ type: "Polygon", coordinates: [ring] })).toEqual({
      type: "Polygon",
      coordinates: [[...ring, [0, 0]]],
      srsId: 4326,
    });
  });
});

describe("repeated object", () => {
  test("replaces each reference to it", () => {
    const value = {
      first: { __subID: "A", n: 1 },
      list: [{ __originSubID: "A" }, { __subID: "B", of: { __originSubID: "A" } }],
    };
    expect(expandRepeated(value)).toEqual({ first: { n: 1 }, list: [{ n: 1 }, { of: { n: 1 } }] });
    const plain = { a: [1] };
    expect(expandRepeated(plain)).toBe(plain);
  });
  test("causes an error when it contains itself, is unknown or repeats too often", () => {
    expect(() => expandRepeated({ __subID: "A", me: { __originSubID: "A" } })).toThrow(
      expect.objectContaining({ code: 1023 }),
    );
    expect(() => expandRepeated({ __originSubID: "A" })).toThrow(expect.objectContaining({ code: 1023 }));
    const doubling = Array.from({ length: 30 }, (_, n) => ({
      __subID: `${n + 1}`,
      l: { __originSubID: `${n}` },
      r: { __originSubID: `${n}` },
    }));
    expect(() => expandRepeated([{ __subID: "0" }, ...doubling])).toThrow(
      expect.objectContaining({ code: 1021 }),
    );
  });
});
