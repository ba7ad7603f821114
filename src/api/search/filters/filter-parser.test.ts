import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchApiError } from "../search-api-error.ts";
import { parseFilters } from "./filter-parser.ts";
import { type NestedFilters, parseNestedText, parseNested } from "./nested-filters.ts";

const is = (facet: string, value: string) => ({ facet, value });
const number = (name: string, op: string, to: number) => ({ number: name, is: op, to });

describe("filters parameter", () => {
  test.each<[string, unknown]>([
    ["", null],
    ["   ", null],
    ["tags:bean", is("tags", "bean")],
    ["bean", is("_tags", "bean")],
    ["_tags:bean", is("_tags", "bean")],
    ['categories.lvl0:"A > B"', is("categories.lvl0", "A > B")],
    ["'my tags':'it\\'s (a:b)'", is("my tags", "it's (a:b)")],
    ["isPublic:true", is("isPublic", "true")],
    ["NOT tags:bean", { not: is("tags", "bean") }],
    ["likes > 3", number("likes", ">", 3)],
    ["likes>=3", number("likes", ">=", 3)],
    ["likes!=-3.5", number("likes", "!=", -3.5)],
    ["likes:1 TO 5", { and: [number("likes", ">=", 1), number("likes", "<=", 5)] }],
    ["a:1 AND b:2", { and: [is("a", "1"), is("b", "2")] }],
    ["a:1 OR b:2", { or: [is("a", "1"), is("b", "2")] }],
    ["a:1 AND b:2 OR c:3", { and: [is("a", "1"), { or: [is("b", "2"), is("c", "3")] }] }],
    ["(a:1 OR b:2) AND NOT c:3", { and: [{ or: [is("a", "1"), is("b", "2")] }, { not: is("c", "3") }] }],
    ["a:1<score=3> OR b:2<score=2>", { or: [is("a", "1"), is("b", "2")] }],
    ['a:and OR b:"AND"', { or: [is("a", "and"), is("b", "AND")] }],
    ["title:it's", is("title", "it's")],
  ])("becomes the expected tree: %s", (text, tree) => {
    expect(parseFilters(text)).toEqual(tree);
  });

  test.each([
    ["a:1 b:2", "filters: Unexpected token string(b) expected end of filter at col 5"],
    ["a:1 and b:2", "filters: Unexpected token string(and) expected end of filter at col 5"],
    ["a:", "filters: Unexpected token end of filter expected a value at col 3"],
    ["a:1 AND", "filters: Unexpected token end of filter expected an attribute, a tag, NOT or ( at col 8"],
    ["(a:1", "filters: Unexpected token end of filter expected ) at col 5"],
    ["a:1)", "filters: Unexpected token ) expected end of filter at col 4"],
    ["likes>many", "filters: Unexpected token string(many) expected a number at col 7"],
    [
      "likes>9999999999999999",
      "filters: Unexpected token string(9999999999999999) expected a number at col 7",
    ],
    ["likes:1 TO many", "filters: Unexpected token string(many) expected a number at col 12"],
    ['a:"open', 'filters: Unexpected token string(") expected a word, or a closed quoted string at col 3'],
    ["a:b:c", "filters: Unexpected token : expected end of filter at col 4"],
    [`${"(".repeat(30)}a:1${")".repeat(30)}`, "filters: Too many parentheses at col 22, at most 20"],
    [
      Array.from({ length: 1_001 }, (_, n) => `a:${n}`).join(" OR "),
      "filters: Too many filters, at most 1000",
    ],
  ])("gets an error with its column: %.30s", (text, message) => {
    expect(() => parseFilters(text)).toThrow(new SearchApiError(400, message));
  });

  test(
    "becomes a tree or an error for any input in little time",
    () => {
      const parts = fc.constantFrom(
        "a",
        ":",
        "(",
        ")",
        " ",
        "AND",
        "OR",
        "NOT",
        "TO",
        "<",
        "score",
        "=",
        "3",
        "-1",
        '"',
        "'",
        "\\",
        "!",
        "日",
        "\0",
      );
      const soup = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(parts, { maxLength: 60 }).map((all) => all.join("")),
      );
      fc.assert(
        fc.property(soup, (text) => {
          try {
            parseFilters(text);
          } catch (error) {
            expect(error).toBeInstanceOf(SearchApiError);
            const column = Number(/at col (\d+)/.exec((error as SearchApiError).message)?.[1] ?? 1);
            expect(column).toBeGreaterThan(0);
            expect(column).toBeLessThanOrEqual(text.length + 1);
          }
        }),
        { numRuns: countCases(400) },
      );
    },
    FUZZ_TIMEOUT,
  );
});

describe("nested filters", () => {
  test.each<[Parameters<typeof parseNested>[0], NestedFilters, unknown]>([
    ["facetFilters", [], null],
    ["facetFilters", [[], ""], null],
    ["facetFilters", ["tags:a"], is("tags", "a")],
    [
      "facetFilters",
      [["tags:a", "tags:b"], "x:y"],
      { and: [{ or: [is("tags", "a"), is("tags", "b")] }, is("x", "y")] },
    ],
    ["facetFilters", ["tag:-x"], { not: is("tag", "x") }],
    ["facetFilters", ["tag:\\-x"], is("tag", "-x")],
    ["facetFilters", ["url:https://a.example:80/"], is("url", "https://a.example:80/")],
    [
      "numericFilters",
      ["likes>=3", ["likes < 10", "likes:1 TO 2"]],
      {
        and: [
          number("likes", ">=", 3),
          { or: [number("likes", "<", 10), { and: [number("likes", ">=", 1), number("likes", "<=", 2)] }] },
        ],
      },
    ],
    [
      "tagFilters",
      ["a", ["b", "-c"]],
      { and: [is("_tags", "a"), { or: [is("_tags", "b"), { not: is("_tags", "c") }] }] },
    ],
    [
      "facetFilters",
      parseNestedText("a:1,(b:2,c:3)"),
      { and: [is("a", "1"), { or: [is("b", "2"), is("c", "3")] }] },
    ],
  ])("become the expected tree: %s %j", (name, nested, tree) => {
    expect(parseNested(name, nested)).toEqual(tree);
  });

  test.each<[Parameters<typeof parseNested>[0], NestedFilters]>([
    ["facetFilters", ["tags"]],
    ["facetFilters", [":a"]],
    ["numericFilters", ["likes"]],
    ["numericFilters", ["likes>many"]],
    ["numericFilters", ["likes:1 TO x"]],
    ["numericFilters", [` ${" ".repeat(5_000)}`, `a${" ".repeat(5_000)}`]],
    ["facetFilters", Array.from({ length: 1_001 }, () => "a:b")],
  ])("refuses an invalid filter: %s %.40j", (name, nested) => {
    expect(() => parseNested(name, nested)).toThrow(SearchApiError);
  });
});
