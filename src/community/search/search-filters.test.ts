import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestReply } from "../../../test/support/test-users.ts";
import type { Filter, Query } from "./index.ts";
import {
  database,
  clock,
  people,
  search,
  indexEverything,
  searchPosts,
} from "../../../test/support/search/engine-setup.ts";

test("optional filters boost hits and remove none", async () => {
  const { mira } = people;
  const group = await createTestGroup(database, people);
  const post = async (title: string, tags: string, body = "Quince.") => {
    const discussion = await createTestDiscussion(database, mira, group.id, { title, body, tags });
    clock.pass(1_000);
    return discussion.postId;
  };
  const [both, one, none, typo] = [
    await post("First one", "pear, plum"),
    await post("Second one", "plum"),
    await post("Third one", "fig"),
    await post("Fourth one", "pear, plum", "Quinze."),
  ];
  await indexEverything();
  const order = async (words: string, query: Partial<Query>) =>
    (await searchPosts(mira, words, query)).hits.map(({ document }) => document.objectID);
  const tagged = (value: string): Filter => ({ facet: "tags", value });
  expect(await order("quince", {})).toEqual([none, one, both, typo]);
  expect(await order("quince", { optionalFilters: [tagged("plum"), tagged("pear")] })).toEqual([
    both,
    one,
    none,
    typo,
  ]);
  expect(await order("quince", { optionalFilters: [{ not: tagged("plum") }] })).toEqual([
    none,
    one,
    both,
    typo,
  ]);
  expect(await order("", { optionalFilters: [tagged("fig"), tagged("nothing")] })).toEqual([
    none,
    typo,
    one,
    both,
  ]);
  expect(
    await order("", { optionalFilters: [tagged("pear")], sort: { by: "createdAt", descending: false } }),
  ).toEqual([both, one, none, typo]);
  expect((await searchPosts(mira, "", { optionalFilters: [tagged("fig")], length: 1 })).total).toBe(4);
});

test("facet search finds rare values among many frequent values", async () => {
  const group = await createTestGroup(database, people);
  for (const title of ["One bed", "Two beds"])
    await createTestDiscussion(database, people.mira, group.id, { title, body: "Tagged." });
  await indexEverything();
  const tagged = sql`select array_agg('t' || n) from generate_series(1, 1200) n`;
  await run(
    database.db,
    sql`update search_documents
      set tags = (${tagged}) || case when title_words @@ 'one' then '{zinnia}'::text[] else '{}' end`,
  );
  const of = { index: "discussions", words: "" } as const;
  expect(await search.engine.facet(people.mira, { facet: "tags", begins: "zin", most: 5, of })).toEqual({
    values: [{ value: "zinnia", count: 1 }],
    exhaustive: true,
  });
});

test("filters narrow hits, and facets count within the result", async () => {
  const { mira, tomas } = people;
  const beds = await createTestGroup(database, people, { name: "Beds" });
  const bees = await createTestGroup(database, people, { name: "Bees", visibility: "private" });
  const one = await createTestDiscussion(database, mira, beds.id, {
    title: "About clover",
    body: "See https://example.org for clover.",
    tags: "clover, lawn",
  });
  await createTestReply(database, tomas, one.id, { body: "Clover it is." });
  clock.pass(86_400_000);
  await createTestDiscussion(database, tomas, bees.id, {
    title: "Clover for bees",
    body: "Clover.",
    tags: "clover",
  });
  await indexEverything();
  const count = async (filter: Filter, viewer: Viewer = mira) =>
    (await searchPosts(viewer, "clover", { filter })).total;
  const clockAt = Math.floor(clock.at.getTime() / 1000);
  const cases: [Filter, number][] = [
    [{ facet: "groupName", value: "BEDS" }, 2],
    [{ facet: "groupId", value: bees.id }, 1],
    [{ facet: "groupId", value: "no id" }, 0],
    [{ facet: "authorId", value: tomas.id }, 2],
    [{ facet: "authorName", value: "mira" }, 1],
    [{ facet: "tags", value: "Clover" }, 2],
    [{ not: { facet: "tags", value: "clover" } }, 1],
    [{ facet: "has", value: "link" }, 1],
    [{ facet: "is", value: "opening" }, 2],
    [{ facet: "isPublic", value: "true" }, 2],
    [{ facet: "nothing", value: "x" }, 0],
    [{ not: { facet: "nothing", value: "x" } }, 3],
    [{ number: "createdAt", is: ">=", to: clockAt }, 1],
    [{ number: "createdAt", is: "<", to: 1e300 }, 3],
    [{ number: "number", is: "=", to: 2 }, 1],
    [{ number: "constructor", is: "=", to: 2 }, 0],
    [
      {
        or: [
          { facet: "tags", value: "lawn" },
          { number: "number", is: "!=", to: 1 },
        ],
      },
      2,
    ],
    [{ and: [] }, 3],
    [{ or: [] }, 0],
    [{ or: Array.from({ length: 2_000 }, () => ({ facet: "tags", value: "clover" })) }, 0],
    [{ own: "unread" }, 2],
  ];
  for (const [filter, wanted] of cases)
    expect([JSON.stringify(filter).slice(0, 80), await count(filter)]).toEqual([
      JSON.stringify(filter).slice(0, 80),
      wanted,
    ]);
  expect(await count({ own: "unread" }, people.guest)).toBe(0);
  const { facets, stats } = await searchPosts(mira, "clover", {
    facets: ["tags", "groupName", "number", "nonsense"],
    length: 0,
  });
  expect(facets).toEqual({
    tags: [
      { value: "clover", count: 2 },
      { value: "lawn", count: 1 },
    ],
    groupName: [
      { value: "Beds", count: 2 },
      { value: "Bees", count: 1 },
    ],
    number: [
      { value: "1", count: 2 },
      { value: "2", count: 1 },
    ],
  });
  expect(stats).toEqual({ number: { min: 1, max: 2, avg: 4 / 3, sum: 4 } });
  expect(
    await search.engine.facet(people.noor, {
      facet: "groupName",
      begins: "bee",
      most: 5,
      of: { index: "posts", words: "" },
    }),
  ).toMatchObject({ values: [] });
  expect(
    await search.engine.facet(mira, {
      facet: "tags",
      begins: "clovr",
      most: 5,
      of: { index: "discussions", words: "" },
    }),
  ).toMatchObject({ values: [{ value: "clover", count: 2 }] });
  expect((await searchPosts(mira, "clover", { distinct: true })).total).toBe(2);
  // Stats of numeric facets cover all hits, however few values are shown.
  const few = await searchPosts(mira, "clover", { facets: ["tags", "number"], valuesPerFacet: 1, length: 0 });
  expect(few.facets).toEqual({ tags: [{ value: "clover", count: 2 }], number: [{ value: "1", count: 2 }] });
  expect(few.stats).toEqual(stats);
});
