import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createExcerpt, findMatches } from "./matches.ts";
import { parseTerms, compileTextQuery } from "./text-query.ts";
import { guessLanguage } from "./stemming.ts";
import { foldWord, tokenize } from "./tokenizer.ts";
import { buildVector } from "./search-vector.ts";
import { countTypos, Vocabulary } from "./vocabulary.ts";
import { countCases } from "../../../../test/support/fuzz-cases.ts";

/** Texts in many scripts, with decomposable characters, lone marks and half surrogate pairs. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        "東",
        "京",
        "が",
        "ー",
        "ß",
        "É",
        "’",
        "'",
        "\\",
        "\0",
        "½",
        "ﷺ",
        "a",
        "9",
        " ",
        "\u0301",
        "ก",
        "ำ",
        "한",
        "-",
        "\ud83d",
      ),
    )
    .map((signs) => signs.join("")),
);
const options = { numRuns: countCases(300) };

test("a decomposed Korean word has the tokens of the composed word", () => {
  const words = (korean: string) => tokenize(korean).map(({ word }) => word);
  expect(words("\ud55c\uae00")).toEqual(["\ud55c", "\ud55c\uae00", "\uae00"]);
  expect(words("\ud55c\uae00".normalize("NFD"))).toEqual(words("\ud55c\uae00"));
});

test("any text is split into tokens that PostgreSQL accepts, each at its position", () => {
  fc.assert(
    fc.property(text, (it) => {
      let last = 0;
      for (const { word, from, to, position: place } of tokenize(it)) {
        expect(word).toMatch(/^[\p{L}\p{N}\p{M}ー]+$/u);
        expect([foldWord(word), foldWord(it.slice(from, to)).startsWith(word), place >= last]).toEqual([
          word,
          true,
          true,
        ]);
        last = place;
      }
      expect(buildVector([{ tokens: tokenize(it), weight: "A" }], "de")).toMatch(
        /^(?:'[\p{L}\p{N}\p{M}ー/]+':[\dA,]+(?: |$))*$/u,
      );
    }),
    options,
  );
});

test("any query becomes a valid text query, and matches are returned in text order", () => {
  const vocabulary = new Vocabulary();
  vocabulary.load([["tomato", 3]]);
  fc.assert(
    fc.property(text, text, (words, it) => {
      const terms = parseTerms({ words });
      expect(terms.length).toBeLessThanOrEqual(10);
      const textQuery = compileTextQuery(terms, vocabulary, {
        wide: 2,
        all: true,
        phrases: [words],
        without: [it],
      });
      if (textQuery)
        expect(textQuery.needed.replace(/'[\p{L}\p{N}\p{M}ー/]+'/gu, "x")).toMatch(/^[x:*A-D&|!<>() -]+$/);
      const marks = findMatches(it, { asked: terms, typos: textQuery?.typos ?? new Map(), language: "en" });
      marks.forEach(({ from, to }, i) =>
        expect(from >= (marks[i - 1]?.to ?? 0) && to > from && to <= it.length).toBe(true),
      );
      const excerpt = createExcerpt(it, marks, 40);
      expect(it).toContain(excerpt.text);
      for (const { from, to } of excerpt.marks) expect(from >= 0 && to <= excerpt.text.length).toBe(true);
    }),
    options,
  );
});

/** Textbook optimal string alignment. */
function countTyposSlowly(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, k) => (i === 0 ? k : k === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++)
    for (let k = 1; k <= b.length; k++) {
      const distances = [
        table[i - 1]![k]! + 1,
        table[i]![k - 1]! + 1,
        table[i - 1]![k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1),
      ];
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
        distances.push(table[i - 2]![k - 2]! + 1);
      table[i]![k] = Math.min(...distances);
    }
  return table[a.length]![b.length]!;
}

test("typos are counted by optimal string alignment up to a limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const typos = countTyposSlowly(a, b);
      expect(Math.min(countTypos(a, b, 2, false), 3)).toBe(Math.min(typos, 3));
      const leastTypos = Math.min(
        ...Array.from({ length: b.length + 1 }, (_, n) => countTyposSlowly(a, b.slice(0, n))),
      );
      expect(Math.min(countTypos(a, b, 2, true), 3)).toBe(Math.min(leastTypos, 3));
    }),
    options,
  );
  const vocabulary = new Vocabulary();
  vocabulary.load([
    ["water", 10],
    ["waters", 2],
    ["later", 90],
    ["watering", 5],
  ]);
  expect(vocabulary.near("watr", 1, false)).toEqual([{ word: "water", typos: 1 }]);
  expect(vocabulary.near("wtaer", 1, true).map((it) => it.word)).toEqual(["water", "watering", "waters"]);
  vocabulary.add(new Map([["warter", 1]]));
  expect([vocabulary.frequency("warter", false), vocabulary.frequency("wat", true), vocabulary.size]).toEqual(
    [1, 17, 5],
  );
});

test("the hit estimate for several words assumes independent frequencies", () => {
  const vocabulary = new Vocabulary();
  vocabulary.load([
    ["the", 1000],
    ["frost", 100],
    ["kale", 50],
    ["kales", 20],
  ]);
  const expected = (words: string, all = true) =>
    compileTextQuery(parseTerms({ words, prefix: "none" }), vocabulary, { wide: 0, all, typos: false })!
      .estimate;
  expect([expected("kale"), expected("kale frost"), expected("kale the"), expected("kale nothing")]).toEqual([
    50, 5, 50, 0,
  ]);
  expect(expected("kale frost", false)).toBe(150);
});

test("the language of a text is detected by its common words", () => {
  const texts = {
    en: "the soil is still cold and there was frost",
    de: "die Erde ist noch kalt und wir haben Frost",
    fr: "la terre est froide et les pommes sont dans la cave",
    es: "la tierra es fría y los tomates son para el verano",
    ar: "التربة باردة",
  };
  for (const [language, it] of Object.entries(texts))
    expect(
      guessLanguage(
        tokenize(it).map(({ word }) => word),
        "xx",
      ),
    ).toBe(language);
  expect(guessLanguage(["zebra"], "pt")).toBe("pt");
});

test("a vocabulary loaded in order is not sorted again", () => {
  const words = Array.from({ length: 500 }, (_, n) => `word${String(n).padStart(4, "0")}`);
  const vocabulary = new Vocabulary();
  const sort = vi.spyOn(Array.prototype, "sort");
  vocabulary.load(words.map((word) => [word, 1]));
  const sorted = sort.mock.calls.length;
  sort.mockRestore();
  expect(sorted).toBe(0);
  expect(vocabulary.frequency("word00", true)).toBe(100);
  vocabulary.load(words.toReversed().map((word) => [word, 1]));
  expect(vocabulary.frequency("word00", true)).toBe(100);
});
