import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { Refusal } from "#platform/refusal";
import { bindCondition, findEqualities, type NameScope } from "./bind.ts";
import { evaluateCondition } from "./evaluate.ts";
import { columnNotFound } from "./clause-errors.ts";
import { parseClause } from "./clause-parser.ts";
import type { ValueKind } from "./clause-terms.ts";
import { measureCpu } from "../../../../test/support/cpu-time.ts";

const KINDS: Record<string, ValueKind> = {
  name: "text",
  age: "number",
  price: "number",
  open: "boolean",
  created: "date",
  profile: "json",
  point: "geometry",
};
const scope: NameScope<{ name: string }> = {
  aggregates: false,
  find({ names: [name = "", ...more] }) {
    const kind = Object.hasOwn(KINDS, name) && more.length === 0 ? KINDS[name] : undefined;
    if (!kind) throw columnNotFound(name, "People");
    return { ref: { name }, kind };
  },
};
const bound = (text: string) => bindCondition(parseClause(text), scope);
const ask = (text: string, record: Record<string, unknown>) => evaluateCondition(bound(text), record);

const DAY = Date.parse("2015-03-23T00:00:00Z");
const PROFILE = {
  age: 31,
  address: { city: "New York" },
  tags: ["a", "b"],
  marks: [{ at: 1 }, { at: 2 }],
  none: null,
  "odd key": true,
};
const SQUARE = "POLYGON((0 0, 10 0, 10 10, 0 10, 0 0),(4 4, 6 4, 6 6, 4 6, 4 4))";

describe("clause parser", () => {
  test.each<[clause: string, kept: Record<string, unknown>[], left: Record<string, unknown>[]]>([
    ["name = 'Joe'", [{ name: "Joe" }], [{ name: "joe" }, { name: null }, {}]],
    ["name='p-123'", [{ name: "p-123" }], [{ name: "p" }]],
    ["name != 'foo'", [{ name: "bar" }], [{ name: "foo" }, { name: null }]],
    ["name <> 'foo'", [{ name: "bar" }], [{ name: "foo" }]],
    ["name = 'Charlie''s Angels'", [{ name: "Charlie's Angels" }], [{ name: "Charlie" }]],
    ["name LIKE '%foo%'", [{ name: "a foo!" }, { name: "foo" }], [{ name: "fo" }, { name: null }]],
    ["name like 'non-empty-%'", [{ name: "non-empty-" }], [{ name: "a non-empty-" }]],
    ["name LIKE '%foo'", [{ name: "a foo" }], [{ name: "foo a" }]],
    ["name like 'a_c'", [{ name: "abc" }, { name: "a😀c" }], [{ name: "ac" }, { name: "abbc" }]],
    [String.raw`name like '100\%'`, [{ name: "100%" }], [{ name: "1000" }]],
    ["name is null", [{ name: null }, {}], [{ name: "" }]],
    ["name is not null", [{ name: "" }], [{ name: null }]],
    ["1=1", [{}], []],
    ["name!=NULL", [{ name: "a" }], [{ name: null }]],
    ["NULL = name", [{ name: null }], [{ name: "a" }]],
    ["age < 30", [{ age: 29.9 }], [{ age: 30 }, { age: null }]],
    ["age => 25", [{ age: 25 }], [{ age: 24 }]],
    ["age = '25'", [{ age: 25 }], [{ age: 24 }]],
    ["name = 25", [{ name: "25.0" }], [{ name: "x" }, { name: null }]],
    ["name LIKE 'J%' and age > 20", [{ name: "J", age: 21 }], [{ name: "J", age: 20 }]],
    ["name = 'b' & age > 1", [{ name: "b", age: 2 }], [{ name: "b", age: 1 }]],
    ["name = 'a' or name = 'b' and age = 1", [{ name: "a", age: 2 }], [{ name: "b", age: 2 }]],
    ["(name = 'a' OR name = 'b') and age = 1", [{ name: "b", age: 1 }], [{ name: "a", age: 2 }]],
    ["name in ('a', 'b')", [{ name: "b" }], [{ name: "c" }, { name: null }]],
    ["name IN ('a', null)", [{ name: "a" }, { name: null }], [{ name: "c" }]],
    ["age not in (1,2)", [{ age: 3 }], [{ age: 1 }, { age: null }]],
    ["name not like 'a%'", [{ name: "b" }], [{ name: "a" }, { name: null }]],
    ["not (name = 'done')", [{ name: "open" }], [{ name: "done" }, { name: null }]],
    ["age between 1 and 3", [{ age: 1 }, { age: 3 }], [{ age: 4 }, { age: null }]],
    [
      "age not between 1 and 3 and open",
      [{ age: 4, open: true }],
      [
        { age: 3, open: true },
        { age: 4, open: false },
      ],
    ],
    ["open = true", [{ open: true }], [{ open: false }]],
    ["open = 1", [{ open: true }], [{ open: false }]],
    ["created > '23-Mar-2015'", [{ created: DAY + 1 }], [{ created: DAY }]],
    ["created > '03/23/2015'", [{ created: DAY + 1 }], [{ created: DAY }]],
    ["created > 1427068800000", [{ created: DAY + 1 }], [{ created: DAY }]],
    ["created after '1427068800000'", [{ created: DAY + 1 }], [{ created: DAY }]],
    [
      "created before '23-Mar-2015'",
      [{ created: DAY - 1 }, { created: new Date(DAY - 1) }],
      [{ created: DAY }, {}],
    ],
    [
      "created at or after '03/23/2015 00:00:00 GMT-0200'",
      [{ created: DAY + 7_200_000 }],
      [{ created: DAY }],
    ],
    ["created AT OR BEFORE '23-03-2015'", [{ created: DAY }], [{ created: DAY + 1 }]],
    [
      "profile->'$.age' > 30",
      [{ profile: PROFILE }],
      [{ profile: { age: 30 } }, { profile: { age: "31" } }, { profile: null }],
    ],
    ["profile->'$.address.city' = 'New York'", [{ profile: PROFILE }], [{ profile: { address: null } }]],
    ["profile->'$.tags[1]' = 'b'", [{ profile: PROFILE }], [{ profile: { tags: ["b"] } }]],
    ["profile->'$.tags[*]' = 'b'", [{ profile: PROFILE }], [{ profile: { tags: ["c"] } }, { profile: {} }]],
    [
      "profile->'$.address.*' like 'New%'",
      [{ profile: PROFILE }],
      [{ profile: { address: { city: "York" } } }],
    ],
    ["profile->'$**.at' in (2, 3)", [{ profile: PROFILE }], [{ profile: { marks: [{ at: 1 }] } }]],
    ["profile->'$.\"odd key\"'", [{ profile: PROFILE }], [{ profile: {} }]],
    [
      "profile->'$.none' is null and profile->'$.other' is null",
      [{ profile: PROFILE }],
      [{ profile: { none: 0 } }],
    ],
    [
      "profile->'$.marks[0]' = profile->'$.marks[1]'",
      [{ profile: { marks: [{ a: [1] }, { a: [1] }] } }],
      [{ profile: PROFILE }],
    ],
    [
      "point='POINT(180 90)'",
      [{ point: { type: "Point", coordinates: [180, 90], srsId: 4326 } }],
      [{ point: { type: "Point", coordinates: [1, 9] } }],
    ],
    [
      "GetLat(point)=90 AND GetLon(point)>1",
      [{ point: { type: "Point", coordinates: [2, 90] } }],
      [{ point: { type: "Point", coordinates: [1, 90] } }],
    ],
    [
      `Within(point, '${SQUARE}') = true`,
      [{ point: { type: "Point", coordinates: [1, 1] } }, { point: { type: "Point", coordinates: [0, 5] } }],
      [
        { point: { type: "Point", coordinates: [5, 5] } },
        { point: { type: "Point", coordinates: [11, 5] } },
        { point: null },
      ],
    ],
    ["price * age > 100", [{ price: 20.5, age: 5 }], [{ price: 20, age: 5 }, { price: 20 }]],
    ["-age + 2 * 3 - 10 / 5 = 1 and age % 2 = 1", [{ age: 3 }], [{ age: 1 }]],
    ["age / 0 = 1 or age / 0 is null", [{ age: 3 }], []],
    ["UPPER(name) = 'JOE' and length(trim(name)) = 3", [{ name: "Joe" }], [{ name: "Joey" }]],
    [
      "concat(name, '-', age) = 'a-1.5'",
      [{ name: "a", age: 1.5 }],
      [
        { name: "a", age: 1 },
        { name: null, age: 1.5 },
      ],
    ],
    [
      "substring(name, 2, 2) = 'bc' and left(name, 1) = 'a' and right(name, 1) = 'd'",
      [{ name: "abcd" }],
      [{ name: "abdd" }],
    ],
    ["round(price, 1) = 2.5 and round(price) = 3", [{ price: 2.52 }], [{ price: 2.44 }]],
    [
      "TIME(created) = '00:00:00' and year(created) = 2015 and date(created) = '2015-03-23'",
      [{ created: DAY }],
      [{ created: DAY + 1_000 }],
    ],
    ["if(age > 18, 'adult', 'child') = 'adult'", [{ age: 19 }], [{ age: 18 }, { age: null }]],
    ["ifnull(name, 'none') = 'none'", [{ name: null }, { name: "none" }], [{ name: "a" }]],
    ["created + 1000 > 1427068800000", [{ created: DAY }], [{ created: DAY - 1_000 }]],
    ["true", [{}], []],
  ])("parses %s", (text, kept, left) => {
    for (const record of kept) expect(ask(text, record), JSON.stringify(record)).toBe(true);
    for (const record of left) expect(ask(text, record), JSON.stringify(record)).not.toBe(true);
  });

  test.each([
    ["", "Character 1 of the clause: expected a value, found the end."],
    ["name = ", "Character 8 of the clause: expected a value, found the end"],
    ["name = 'a' name", "Character 12 of the clause: expected AND, OR or the end, found name"],
    ["(name = 'a'", "expected ), found the end"],
    ["name = 'a", "Character 8 of the clause cannot be read: 'a"],
    ["name = 'a'; drop table people", "Character 11 of the clause cannot be read: ; drop table people"],
    ['name = "a"', "Character 8 of"],
    ["name in ()", "Character 10 of the clause: expected a value, found )"],
    ["name like age", "expected a text in quotes, found age"],
    ["name is 5", "expected NULL, found 5"],
    ["name not 5", "expected LIKE, IN or BETWEEN, found 5"],
    ["created at and after 5", "expected OR, found and"],
    ["mood = 'good'", "Column 'mood' does not exist in table 'People'"],
    ["constructor = 'a'", "Column 'constructor' does not exist"],
    ["name.first = 'a'", "does not exist"],
    ["age = 'old'", "Character 5 of the clause: old is not a number."],
    ["open = 'maybe'", "maybe is not TRUE or FALSE"],
    ["created > 'tomorrow'", "tomorrow is not a date"],
    ["created = name", "a date cannot be compared with a text"],
    ["point = 'POINT(1)'", "POINT(1) is not a shape"],
    ["point < 'POINT(1 1)'", "shapes cannot be compared by order"],
    ["name", "expected a condition that is true or false"],
    ["sleep(5) = 1", "the function sleep does not exist"],
    ["upper(name, name) = 'A'", "upper takes one argument, not 2"],
    ["Count(name) > 1", "count is an aggregate and cannot be used here"],
    ["name->'$.a' = 1", "a JSON path needs a JSON column"],
    ["profile->'a' = 1", "The JSON path at character 1 of the clause cannot be read: a"],
    ["profile->'$.a[*]' = profile->'$.b[*]'", "Two JSON paths with several matches"],
    ["age = 1e999", "too large"],
    ["(".repeat(100), "60 levels deep"],
    ["not ".repeat(100), "60 levels deep"],
    ["1".concat("+1".repeat(60), " = 1"), "40 calculations"],
    [`name = '${"x".repeat(32_001)}'`, "32000 characters"],
    [`name like '${"x".repeat(501)}'`, "pattern can have 500"],
    [`age in (${"1,".repeat(1_100)}1)`, "1000 values"],
    ["name = '\0'", "Character 9"],
    ["name = '\uD800'", "Character 9"],
  ])("rejects %.60j with reason and position", (text, words) => {
    expect(() => bound(text)).toThrow(words);
  });

  test("stops at a clause whose size doubles with each level", () => {
    const nested = (levels: number): string =>
      levels === 0 ? "open" : `(${nested(levels - 1)}) between 0 and 1`;
    expect(() => bound(nested(20))).toThrow("20000 names");
  });

  test("takes linear time in the length of the clause", async () => {
    const clauseOf = (conditions: number) =>
      Array.from({ length: conditions }, (_, n) => `name = 'somebody-${n}'`).join(" or ");
    const cost = (text: string, times: number) =>
      measureCpu(() => {
        for (let n = 0; n < times; n++) bound(text);
      });
    await cost(clauseOf(20), 400);
    // The same number of conditions both times: quadratic cost would be 16 times as high.
    expect((await cost(clauseOf(320), 200)) / (await cost(clauseOf(20), 3_200))).toBeLessThan(6);
  });

  test("finds the columns that must equal one text", () => {
    expect(Object.fromEntries(findEqualities(bound("name = 'a' and (age = 3 and open = true)")))).toEqual({
      name: "a",
    });
    expect(findEqualities(bound("name in ('a')")).get("name")).toBe("a");
    expect(findEqualities(bound("'a' = name")).get("name")).toBe("a");
    expect(findEqualities(bound("name = 'a' or name = 'b'")).size).toBe(0);
    expect(findEqualities(bound("not (name = 'a')")).size).toBe(0);
    expect(findEqualities(bound("name in ('a', 'b')")).size).toBe(0);
  });

  test(
    "parses or refuses any text without other errors",
    () => {
      const words = fc.constantFrom(...WORDS);
      const text = fc.oneof(
        fc.array(words, { maxLength: 25 }).map((it) => it.join(" ")),
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.string({ unit: "binary" }),
      );
      fc.assert(
        fc.property(text, (it) => void expect(faultOf(it)).toBeNull()),
        { numRuns: countCases(500) },
      );
    },
    FUZZ_TIMEOUT,
  );
});

const WORDS = (
  `name age created profile -> '$.a[*]' ' '' ( ) , and or not in like is null between = < != + - * / % ` +
  `. [ ] 1 1e5 'x' upper if count at after \\ ; -- $1 &`
).split(" ");

/** The error thrown, unless it is a refusal. */
function faultOf(text: string): unknown {
  try {
    evaluateCondition(bound(text), { name: "a", age: 1, profile: PROFILE, created: 5 });
    return null;
  } catch (error) {
    return error instanceof Refusal && error.reason === "invalid" ? null : error;
  }
}
