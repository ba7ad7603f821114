import { describe, expect, test } from "vitest";
import { parseCsv } from "./parse-csv.ts";

describe("CSV parser", () => {
  test("returns a row for each line", () => {
    expect(parseCsv("plant,weeks\nLeek,11\nKale,6\n")).toEqual([
      ["plant", "weeks"],
      ["Leek", "11"],
      ["Kale", "6"],
    ]);
  });

  test("keeps separators, line breaks and quotes inside quotes", () => {
    expect(parseCsv('a,b\n"one, two","he said ""no""\nand left"')).toEqual([
      ["a", "b"],
      ["one, two", 'he said "no"\nand left'],
    ]);
  });

  test("detects the separator", () => {
    expect(parseCsv("a;b\n1,5;2")).toEqual([
      ["a", "b"],
      ["1,5", "2"],
    ]);
    expect(parseCsv("a\tb\n1\t2")).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  test("handles byte order marks and all line endings", () => {
    expect(parseCsv("\ufeffa,b\r\n1,\r\n\r\n")).toEqual([
      ["a", "b"],
      ["1", ""],
    ]);
  });
});
