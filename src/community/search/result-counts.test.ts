import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup } from "../../../test/support/test-users.ts";
import {
  searchPosts,
  database,
  indexEverything,
  people,
  search,
} from "../../../test/support/search/engine-setup.ts";
import type { Filter } from "./index.ts";

/** Five tagged discussions about beds, and one whose title is a typo away. */
async function beds() {
  const group = await createTestGroup(database, people, { name: "Long Beds" });
  const begin = (title: string, tags: string[]) =>
    createTestDiscussion(database, people.mira, group.id, { title, tags });
  for (let n = 1; n <= 5; n++) await begin(`Mulching number ${n}`, n <= 2 ? ["soil"] : ["water"]);
  const typo = await begin("Mulchinf by mistake", ["soil"]);
  await indexEverything();
  return { group, typo };
}
const soil: Filter = { facet: "tags", value: "soil" };
const inDiscussions = { index: "discussions" } as const;

describe("search filter", () => {
  test("adds no hits that are missing without the filter", async () => {
    await beds();
    const all = await searchPosts(people.mira, "mulching", inDiscussions);
    const some = await searchPosts(people.mira, "mulching", { ...inDiscussions, filter: soil });
    expect([all.total, some.total]).toEqual([5, 2]);
    const ids = all.hits.map(({ document }) => document.objectID);
    expect(some.hits.every(({ document }) => ids.includes(document.objectID))).toBe(true);
  });

  test("by a facet value returns as many hits as the facet count states", async () => {
    await beds();
    for (const words of ["mulching", "mulchinf", "mulch numbre", ""]) {
      const { facets } = await searchPosts(people.mira, words, { ...inDiscussions, facets: ["*"] });
      for (const [facet, values] of Object.entries(facets))
        for (const { value, count } of values) {
          const chosen = await searchPosts(people.mira, words, {
            ...inDiscussions,
            filter: { facet, value },
          });
          expect([words, facet, value, chosen.total]).toEqual([words, facet, value, count]);
        }
    }
  });

  test("does not change how query words match", async () => {
    await beds();
    const query = { ...inDiscussions, needed: "all-or-any" } as const;
    expect((await searchPosts(people.mira, "mulching 4", query)).total).toBe(1);
    expect((await searchPosts(people.mira, "mulching 4", { ...query, filter: soil })).total).toBe(0);
  });
});

describe("hierarchical facets", () => {
  test("have paths as values and can be used as filters", async () => {
    const { group } = await beds();
    const { facets } = await searchPosts(people.mira, "mulching", {
      ...inDiscussions,
      facets: ["place.lvl0", "place.lvl1"],
    });
    expect(facets["place.lvl0"]).toEqual([{ value: "Long Beds", count: 5 }]);
    expect(facets["place.lvl1"]).toContainEqual({ value: "Long Beds > Mulching number 1", count: 1 });
    const filter: Filter = { facet: "place.lvl1", value: "long beds > mulching NUMBER 2" };
    expect(
      (await searchPosts(people.mira, "", { index: "posts", filter })).hits.map(
        ({ document }) => document.title,
      ),
    ).toEqual(["Mulching number 2"]);
    await run(database.db, sql`update groups set name = 'A > B' where id = ${group.id}`);
    expect(
      (
        await searchPosts(people.mira, "", {
          index: "posts",
          filter: { facet: "place.lvl1", value: "A > B > Mulching number 2" },
        })
      ).total,
    ).toBe(1);
    const paths = await search.engine.facet(people.mira, {
      facet: "place.lvl1",
      begins: "A > B > mulch",
      most: 10,
      of: { index: "posts", words: "" },
    });
    expect(paths.values).toHaveLength(6);
  });
});

test("objectID can be used as a filter", async () => {
  const { typo } = await beds();
  const filter = { facet: "objectID", value: typo.id };
  expect(
    (await searchPosts(people.mira, "", { ...inDiscussions, filter })).hits.map(
      ({ document }) => document.objectID,
    ),
  ).toEqual([typo.id]);
  expect((await searchPosts(people.mira, "", { ...inDiscussions, filter: { not: filter } })).total).toBe(5);
});

test("names with symbols are separate words: C++, C# and C are distinguished", async () => {
  const group = await createTestGroup(database, people);
  for (const title of [
    "Learning C++ at night",
    "Learning C# by day",
    "Vitamin C in winter",
    "Notepad++ for lists",
  ])
    await createTestDiscussion(database, people.mira, group.id, { title, body: "Nothing more." });
  await indexEverything();
  const found = async (words: string) =>
    (await searchPosts(people.mira, words, inDiscussions)).hits.map(({ document }) => document.title);
  expect(await found("c++")).toEqual(["Learning C++ at night"]);
  expect(await found("C++ learning")).toEqual(["Learning C++ at night"]);
  expect(await found("c#")).toEqual(["Learning C# by day"]);
  expect((await found("c learning")).toSorted()).toEqual(["Learning C# by day", "Learning C++ at night"]);
  expect(await found("notepad++")).toEqual(["Notepad++ for lists"]);
  expect(await found("notepad")).toEqual(["Notepad++ for lists"]);
});

test("the total of very many hits is marked as a lower bound", async () => {
  const { group } = await beds();
  await run(
    database.db,
    sql`insert into search_documents (id, in_index, kind, group_id, author_id, place_id, written_at, number,
      title, created_at, updated_at, score, words, version)
      select gen_random_uuid(), 'posts', 'post', s.group_id, s.author_id, case when n <= 9000 then s.place_id
        else gen_random_uuid() end, s.written_at, n, '', s.created_at, s.updated_at, n, 'heap:1', 1
      from generate_series(1, 10500) n, (select * from search_documents
        where group_id = ${group.id} and in_index = 'posts' limit 1) s`,
  );
  const { hits, total, exhaustive } = await searchPosts(people.mira, "heap", { distinct: true, length: 0 });
  expect(hits).toEqual([]);
  expect(total).toBeLessThan(10_000);
  expect(exhaustive.total).toBe(false);
});
