import { describe, expect, test } from "vitest";
import { meetsCondition, parseRecordCondition } from "./record-condition.ts";

const COLUMNS = ["objectId", "created", "title", "replies", "pinned", "tags"];
const parse = (text: string) => parseRecordCondition(text, "Discussions", COLUMNS);

describe("record condition", () => {
  test.each([
    ["title = 'Joe'", { title: "Joe" }, { title: "joe" }],
    ["replies = -3.5 AND pinned = TRUE", { replies: -3.5, pinned: true }, { replies: -3.5, pinned: false }],
    ["title = null", { title: null }, { title: "null" }],
    [
      "created after '2026-05-04'",
      { created: Date.parse("2026-05-05") },
      { created: Date.parse("2026-05-03") },
    ],
    ["tags->'$[*]' = 'soil'", { tags: ["soil", "rain"] }, { tags: ["rain"] }],
    ["not (title like 'a%')", { title: "b" }, { title: null }],
  ])("%s matches the expected records", (text, kept, left) => {
    expect(meetsCondition(parse(text), kept)).toBe(true);
    expect(meetsCondition(parse(text), left)).toBe(false);
    expect(meetsCondition(null, left)).toBe(true);
  });

  test.each([
    ["mood = 'good'", "Column 'mood' does not exist in table 'Discussions'"],
    ["group.name = 'a'", "Column 'group.name' does not exist"],
    ["Groups[discussions].name = 'a'", "Column 'Groups[discussions]' does not exist"],
    ["constructor = 'a'", "Column 'constructor' does not exist"],
    ["Count(objectId) > 1", "is an aggregate and cannot be used here"],
    ["title = ", "expected a value"],
  ])("%j is refused with a reason", (text, words) => {
    expect(() => parse(text)).toThrow(words);
  });
});
