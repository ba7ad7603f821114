import { describe, expect, test } from "vitest";
import { parseSelector, matchesSelector } from "./selector.ts";

describe("selector", () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["foo > 10", { foo: "20" }, { foo: "10" }],
    ["foo > 10", { foo: "9e1" }, {}],
    ["foo=123 & age>35", { foo: "123", age: "36" }, { foo: "123" }],
    ["kind = 'dog' or kind like 'c%'", { kind: "cat" }, { kind: "Cat" }],
    ["a.b in ('x', 2)", { "a.b": "2.0" }, { "a.b": "two" }],
    ["urgent = true", { urgent: "true" }, { urgent: "false" }],
    ["not (foo = '1')", { foo: "2" }, { constructor: "2" }],
  ])("%s matches the expected messages", (text, taken, left) => {
    expect(matchesSelector(parseSelector(text), taken)).toBe(true);
    expect(matchesSelector(parseSelector(text), left)).toBe(false);
  });

  test.each([
    ["T[rel].x = 1", "messages have no relations"],
    ["foo", "expected a condition that is true or false"],
    ["foo->'$.a' = 1", "a JSON path needs a JSON column"],
  ])("rejects %s", (text, words) => {
    expect(() => parseSelector(text)).toThrow(words);
  });
});
