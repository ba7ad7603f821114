import { beforeEach, describe, expect, test } from "vitest";
import { createTestDiscussion } from "../../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD } from "../../../../test/support/leak-matrix/marker-words.ts";
import { type Query } from "../index.ts";
import {
  database,
  indexEverything,
  typesenseSearch,
  postgresSearch,
  people,
} from "../../../../test/support/search/typesense-setup.ts";

describe("query to Typesense", () => {
  beforeEach(async () => {
    const at = await createLeakCommunity(database, people, "public");
    for (const title of [
      "Watering tomatoes in July",
      "A tomato for the balcony",
      "東京の庭について",
      "Wasser sparen in Gärten",
    ])
      await createTestDiscussion(database, people.mira, at.groupId, { title, body: "Nothing more." });
    await indexEverything();
  });
  const titles = async (words: string, more: Partial<Query> = {}) =>
    (await typesenseSearch.engine.search(people.mira, { index: "discussions", words, ...more })).hits.map(
      ({ document }) => document.title,
    );

  test.each<[string, Partial<Query>, string[]]>([
    ["wateri", {}, ["Watering tomatoes in July"]],
    ["wattering", {}, ["Watering tomatoes in July"]],
    ["wattering", { typos: false }, []],
    ["wateri", { prefix: "none", typos: false }, []],
    ["GARTEN", {}, ["Wasser sparen in Gärten"]],
    ["東京", {}, ["東京の庭について"]],
    ["tomato balcony", { typos: false }, ["A tomato for the balcony"]],
    ["watering zzzz", { needed: "all-or-fewer-last", typos: false }, ["Watering tomatoes in July"]],
    ["zzzz watering", { needed: "all-or-fewer-first", typos: false }, ["Watering tomatoes in July"]],
    [
      "july balcony",
      { needed: "any", typos: false },
      ["A tomato for the balcony", "Watering tomatoes in July"],
    ],
    ["tomato", { phrases: ["tomato for"], typos: false }, ["A tomato for the balcony"]],
    ["tomato", { without: ["july"], typos: false }, ["A tomato for the balcony"]],
    ["watering", { within: ["body"], typos: false }, []],
  ])("finds the expected titles for %s %j", async (words, more, found) => {
    expect((await titles(words, more)).toSorted()).toEqual(found);
  });

  test("highlights matching words, including corrected words", async () => {
    const { hits } = await typesenseSearch.engine.search(people.mira, {
      index: "discussions",
      words: "wattering jul",
    });
    expect(hits[0]!.marks.title).toEqual([
      { from: 0, to: 8, word: 0 },
      { from: 21, to: 24, word: 1 },
    ]);
  });

  test("finds facet values by prefix, and returns sorted hits page by page", async () => {
    const of: Query = { index: "discussions", words: "" };
    expect(
      await typesenseSearch.engine.facet(people.mira, {
        facet: "tags",
        begins: INSIDE_WORD.slice(0, 4),
        most: 5,
        of,
      }),
    ).toEqual(
      await postgresSearch.engine.facet(people.mira, {
        facet: "tags",
        begins: INSIDE_WORD.slice(0, 4),
        most: 5,
        of,
      }),
    );
    const sort = { by: "createdAt", descending: false } as const;
    const [first, second, both] = await Promise.all([
      titles("", { sort, length: 2 }),
      titles("", { sort, offset: 2, length: 2 }),
      titles("", { sort, length: 4 }),
    ]);
    expect([...first, ...second]).toEqual(both);
  });
});
