import { describe, expect, test } from "vitest";
import { equalities, meets, parseWhere } from "./where.ts";

const COLUMNS = ["name", "age", "open"];
const parse = (text: string) => parseWhere(text, COLUMNS);

describe("a condition", () => {
  test.each([
    ["name = 'Joe'", { name: "Joe" }, { name: "joe" }],
    ["name='Charlie''s Angels'", { name: "Charlie's Angels" }, { name: "Charlie" }],
    ["age = -3.5 AND open = TRUE", { age: -3.5, open: true }, { age: -3.5, open: false }],
    ["name = 'a' or name = 'b' and age = 1", { name: "a", age: 2 }, { name: "b", age: 2 }],
    ["(name = 'a' OR name = 'b') and age = 1", { name: "b", age: 1 }, { name: "a", age: 2 }],
    ["name in ('a', 'b')", { name: "b" }, { name: "c" }],
    ["name = null", { name: null }, { name: "null" }],
  ])("%s keeps what it says", (text, kept, left) => {
    expect(meets(parse(text), kept)).toBe(true);
    expect(meets(parse(text), left)).toBe(false);
  });

  test.each([
    ["", "its end, where the name of a column"],
    ["name", "its end, where = or IN"],
    ["name = ", "its end, where a value"],
    ["name = 'a' name", "name, where AND, OR or the end"],
    ["(name = 'a'", "its end, where )"],
    ["name like 'a%'", "like, where = or IN"],
    ["mood = 'good'", "Column 'mood' does not exist here. There are name, age, open."],
    ["name = 'a", "Character 7 of the condition cannot be read"],
    ["name = 'a'; drop table posts", "Character 11 of"],
    ["name in ()", "), where a value"],
    ["constructor = 'a'", "Column 'constructor' does not exist"],
    ["(".repeat(30), "20 parentheses deep"],
    [`name = '${"x".repeat(5_000)}'`, "4000 characters"],
  ])("%j is refused, saying why", (text, words) => {
    expect(() => parse(text)).toThrow(words);
  });

  test("settles those columns that can only have one text", () => {
    expect(Object.fromEntries(equalities(parse("name = 'a' and (age = 3 and open = true)")))).toEqual({ name: "a" });
    expect(equalities(parse("name = 'a' or name = 'b'")).size).toBe(0);
    expect(equalities(parse("name in ('a', 'b')")).size).toBe(0);
  });
});
