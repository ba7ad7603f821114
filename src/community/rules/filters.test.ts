import { describe, expect, test } from "vitest";
import { createFilterMatcher } from "./filters.ts";

const catches = (phrase: string, text: string) =>
  createFilterMatcher([{ phrase, action: "collapse" }])(text)?.phrase === phrase;

describe("filter", () => {
  test.each([
    ["goblin", "A Goblin in the shed", true],
    ["goblin", "Goblins everywhere", false],
    ["goblin", "hobgoblin", false],
    ["café", "Das CAFE am Eck", true],
    ["cafe", "Un café, s’il vous plaît", true],
    ["s'il vous", "un café, s’il  vous plaît", true],
    ["straße", "in der Straße", true],
    ["a.b*(c", "say a.b*(c now", true],
    ["a.b", "say axb now", false],
    ["c++", "I like C++, too", true],
    ["2026", "in 2026.", true],
    ["202", "in 2026.", false],
    ["выборы", "Скоро ВЫБОРЫ!", true],
    ["選挙", "次の選挙について", true],
    ["انتخابات", "حول الانتخابات القادمة", true],
    ["👻", "boo 👻!", true],
  ])("“%s” on “%s” returns %s", (phrase, text, found) => {
    expect(catches(phrase, text)).toBe(found);
  });

  test("with the action “hide” wins over a filter with the action “collapse”", () => {
    const sieve = createFilterMatcher([
      { phrase: "rain", action: "collapse" },
      { phrase: "snow", action: "hide" },
    ]);
    expect(sieve("Rain, then snow")).toEqual({ phrase: "snow", hidden: true });
    expect(sieve("Rain")).toEqual({ phrase: "rain", hidden: false });
    expect([
      sieve("Sun"),
      createFilterMatcher([])("Rain"),
      createFilterMatcher([{ phrase: "\u0301", action: "hide" }])("Rain"),
    ]).toEqual([null, null, null]);
  });
});
