import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deletePost } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { run, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import {
  createLeakCommunity,
  INSIDE_WORD,
  GROUP_NAME,
  type LeakCommunity,
} from "../../../../test/support/leak-matrix/community.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { type Filter, openSearch, type Query, type Search } from "../index.ts";
import { startTypesenseServer } from "../../../../test/support/search/typesense-server.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
let there: Awaited<ReturnType<typeof startTypesenseServer>>;
let own: Search;
let outside: Search;
let people: TestUsers;
beforeAll(async () => void (there = await startTypesenseServer()));
afterAll(() => there.close());
beforeEach(async () => {
  there.collections.clear();
  there.aliases.clear();
  there.state.away = false;
  own = openSearch({ database });
  outside = openSearch({ database, outside: there.address });
  people = await createTestUsers(database);
  await outside.outside!.fillIfEmpty(new AbortController().signal);
});

const fileAll = async () => {
  await outside.filing.beginAgain();
  await outside.filing.finish();
};

/** Result of a query with either engine: ids, total and tag counts. */
async function finds({ engine }: Search, viewer: Viewer, query: Query) {
  const { hits, total, facets } = await engine.search(viewer, {
    facets: ["tags", "type", "likes"],
    length: 100,
    ...query,
  });
  const sorted = (list: { value: string; count: number }[] = []) =>
    list.map(({ value, count }) => `${value} ${count}`).toSorted();
  return {
    ids: hits.map(({ document }) => document.objectID).toSorted(),
    total,
    tags: sorted(facets["tags"]),
    types: sorted(facets["type"]),
    likes: sorted(facets["likes"]),
  };
}

const INDICES = ["groups", "discussions", "posts", "resources"] as const;
const SAID = [{ words: "" }, { words: INSIDE_WORD.slice(0, 6) }, { words: GROUP_NAME }];
const FILTERS: Filter[] = [
  { facet: "tags", value: INSIDE_WORD.toUpperCase() },
  { not: { facet: "tags", value: INSIDE_WORD } },
  {
    not: {
      and: [
        { facet: "is", value: "opening" },
        {
          or: [
            { facet: "has", value: "poll" },
            { number: "likes", is: ">", to: 0 },
          ],
        },
      ],
    },
  },
  { number: "number", is: "<", to: 2.5 },
  { not: { number: "number", is: ">=", to: 2 } },
  {
    and: [
      { number: "createdAt", is: ">", to: 0 },
      { facet: "isPublic", value: "true" },
    ],
  },
  { or: [] },
  { and: [] },
  { not: { facet: "price", value: "1" } },
  { facet: "kind", value: "a` || open:=true && (" },
];

const CONDITIONS = FILTERS.map((filter) => ({ words: "", filter }));

describe("Typesense engine compared with the PostgreSQL engine", () => {
  test.each(["public", "private", "secret"] as const)(
    "finds and counts the same for every viewer of a %s group",
    async (visibility) => {
      const at = await createLeakCommunity(database, people, visibility);
      const viewers = await standing(at);
      await fileAll();
      for (const [name, viewer] of Object.entries(viewers))
        for (const index of INDICES)
          for (const more of [
            ...SAID,
            ...(visibility === "public" && ["guest", "mira"].includes(name) ? CONDITIONS : []),
          ]) {
            const query = { index, ...more };
            expect([name, query, await finds(outside, viewer, query)]).toEqual([
              name,
              query,
              await finds(own, viewer, query),
            ]);
          }
      expect(there.state.asked.length).toBeGreaterThan(100);
    },
  );

  /**
   * A viewer for every possible status, including newcomers of a group that hides earlier content and people
   * with a block.
   */
  async function standing(at: LeakCommunity): Promise<Record<string, Viewer>> {
    const [banned, invited, newcomer, parted] = await within(async (tx) => {
      const four = [
        await createPerson(tx, "banned"),
        await createPerson(tx, "invited"),
        await createPerson(tx, "newcomer"),
        await createPerson(tx, "parted"),
      ] as const;
      await setMembership(tx, at.groupId, four[0], "banned");
      await setMembership(tx, at.groupId, four[1], "invited");
      await setMembership(tx, at.groupId, four[3], "member");
      await blockPerson(tx, people.mira, { personId: four[3].id });
      await run(tx, sql`update groups set history_policy = 'from_joining' where id = ${at.groupId}`);
      return four;
    });
    database.clock.pass(60_000);
    await within((tx) => setMembership(tx, at.groupId, newcomer, "member"));
    database.clock.pass(60_000);
    await createTestDiscussion(database, people.mira, at.groupId, {
      title: `${INSIDE_WORD} since then`,
      body: INSIDE_WORD,
    });
    const { guest, mira, tomas, ines, ada, noor } = people;
    return { guest, mira, tomas, ines, ada, noor, banned, invited, newcomer, parted };
  }

  test("contains no profiles and no messages", async () => {
    await createLeakCommunity(database, people, "public");
    await fileAll();
    expect(new Set(there.documents().map((it) => it["index"]))).toEqual(new Set(INDICES));
    expect(JSON.stringify(there.documents())).not.toMatch(/flaschenpost/i);
    for (const index of ["people", "messages", "all"] as const) {
      const query: Query = { index, words: index === "people" ? "mira" : "flaschenpost" };
      expect(await finds(outside, people.mira, query)).toEqual(await finds(own, people.mira, query));
    }
  });
});

describe("query words", () => {
  beforeEach(async () => {
    const at = await createLeakCommunity(database, people, "public");
    for (const title of [
      "Watering tomatoes in July",
      "A tomato for the balcony",
      "東京の庭について",
      "Wasser sparen in Gärten",
    ])
      await createTestDiscussion(database, people.mira, at.groupId, { title, body: "Nothing more." });
    await fileAll();
  });
  const titles = async (words: string, more: Partial<Query> = {}) =>
    (await outside.engine.search(people.mira, { index: "discussions", words, ...more })).hits.map(
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
  ])("%s %j", async (words, more, found) => {
    expect((await titles(words, more)).toSorted()).toEqual(found);
  });

  test("highlights words, including corrected ones", async () => {
    const { hits } = await outside.engine.search(people.mira, {
      index: "discussions",
      words: "wattering jul",
    });
    expect(hits[0]!.marks.title).toEqual([
      { from: 0, to: 8, word: 0 },
      { from: 21, to: 24, word: 1 },
    ]);
  });

  test("finds facet values by prefix, and pages and sorts hits", async () => {
    const of: Query = { index: "discussions", words: "" };
    expect(
      await outside.engine.facet(people.mira, {
        facet: "tags",
        begins: INSIDE_WORD.slice(0, 4),
        most: 5,
        of,
      }),
    ).toEqual(
      await own.engine.facet(people.mira, { facet: "tags", begins: INSIDE_WORD.slice(0, 4), most: 5, of }),
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

describe("indexing into Typesense", () => {
  test("finds changes a moment later and drops deleted documents at once", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await fileAll();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    await outside.filing.react({ type: "post.written", postId: reply.id });
    await outside.filing.finish();
    const query: Query = { index: "posts", words: "holunder" };
    expect((await finds(outside, people.noor, query)).total).toBe(1);
    await within((tx) => deletePost(tx, people.mira, { postId: reply.id }));
    expect(there.documents().some(({ id }) => id === reply.id)).toBe(true);
    expect(await finds(outside, people.noor, query)).toMatchObject({ ids: [], total: 0 });
    await outside.filing.react({ type: "post.deleted", postId: reply.id });
    await outside.filing.finish();
    expect(there.documents().some(({ id }) => id === reply.id)).toBe(false);
  });

  test("keeps changes queued while Typesense is down, and PostgreSQL answers meanwhile", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await fileAll();
    const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
    there.state.away = true;
    expect((await finds(outside, people.noor, { index: "posts", words: INSIDE_WORD })).total).toBeGreaterThan(
      0,
    );
    await outside.filing.react({ type: "post.written", postId: reply.id });
    await expect(outside.filing.finish()).rejects.toThrow("503");
    expect(await outside.filing.waiting()).toBe(1);
    there.state.away = false;
    await outside.filing.finish();
    expect(await outside.filing.waiting()).toBe(0);
    expect((await finds(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(1);
  });

  test("rebuild runs in one process at a time, and in the next one after an abort", async () => {
    await createLeakCommunity(database, people, "public");
    await fileAll();
    there.collections.clear();
    there.aliases.clear();
    const another = openSearch({ database, outside: there.address }).outside!;
    const go = new AbortController();
    await Promise.all([outside.outside!.fillIfEmpty(go.signal), another.fillIfEmpty(go.signal)]);
    expect([there.collections.size, there.documents().length > 0]).toEqual([1, true]);
    there.collections.clear();
    there.aliases.clear();
    await expect(outside.outside!.fillIfEmpty(AbortSignal.abort())).rejects.toThrow("aborted");
    expect(there.aliases.has("kith")).toBe(false);
    await another.fillIfEmpty(go.signal);
    expect([...there.collections.keys()]).toEqual([there.aliases.get("kith")]);
  });

  test("writes changes to both collections during a rebuild, then switches the alias", async () => {
    const at = await createLeakCommunity(database, people, "public");
    await fileAll();
    const before = there.aliases.get("kith")!;
    const count = there.documents().length;
    let written = 0;
    // Someone posts after each batch: what follows the posts index is written by regular indexing only.
    await outside.outside!.rebuild(async () => {
      const reply = await createTestReply(database, people.mira, at.discussionId, { body: "Holunder" });
      await outside.filing.react({ type: "post.written", postId: reply.id });
      await outside.filing.finish();
      written += 1;
      expect((await finds(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(written);
    });
    expect(written).toBe(INDICES.length);
    expect(there.aliases.get("kith")).not.toBe(before);
    expect([...there.collections.keys()]).toEqual([there.aliases.get("kith")]);
    expect((await finds(outside, people.noor, { index: "posts", words: "holunder" })).total).toBe(written);
    expect(there.documents()).toHaveLength(count + written);
  });
});
