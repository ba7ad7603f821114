import { describe, expect, test } from "vitest";
import { parseList } from "./clause-parser.ts";

describe("list", () => {
  test("splits at its own commas, not at those of a function call", () => {
    const list = parseList("*, name, age as years, concat(name, ', ', age) as both, Count(*)", "alias");
    expect(list.map(({ text, alias }) => [text, alias])).toEqual([
      ["*", null],
      ["name", null],
      ["age", "years"],
      ["concat(name, ', ', age)", "both"],
      ["Count(*)", null],
    ]);
    expect(parseList("created DESC, age, name asc", "direction").map(({ direction }) => direction)).toEqual([
      "desc",
      null,
      "asc",
    ]);
    expect(parseList("  ", "nothing")).toEqual([]);
    expect(() => parseList("a,", "nothing")).toThrow("expected a value");
    expect(() => parseList("a desc", "nothing")).toThrow("expected a comma or the end");
  });
});
