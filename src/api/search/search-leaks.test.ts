import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { INDICES, createSearch } from "#community/search";
import { blockPerson } from "#community/friends";
import type { Viewer } from "#community/rules";
import { run, sql } from "#platform/database";
import {
  createTestReply,
  createTestUsers,
  type TestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { createLeakCommunity, type LeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../test/support/leak-matrix/marker-words.ts";
import {
  OUTSIDE_CLASSES,
  EXPECTED_VISIBILITY,
  createViewer,
} from "../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  KEY,
  startTestSearchApi,
  type TestSearchApi,
  SERVER_KEY,
} from "../../../test/support/search/search-api.ts";

const database = await testDatabase();
const { inTransaction: within } = database;
const search = createSearch({ database });
let testApi: TestSearchApi;
let people: TestUsers;
beforeAll(async () => {
  testApi = await startTestSearchApi(search.engine);
  testApi.limits.take = async () => {};
});
afterAll(() => testApi.server.close());
beforeEach(async () => {
  testApi.state.now = database.clock.at;
  people = await createTestUsers(database);
});

const fileAll = async () => {
  await search.indexer.beginAgain();
  await search.indexer.finish();
};

/** In this test a session id equals the person's id. */
function keyOf(viewer: Viewer): string {
  if (viewer.id === null) return KEY;
  testApi.state.sessions.set(viewer.id, viewer);
  return testApi.keyFor(viewer.id);
}

const SHOWN = {
  facets: ["*"],
  getRankingInfo: true,
  attributesToHighlight: ["*"],
  attributesToSnippet: ["*:20"],
};

/** Sends every query about a group; returns the answers by name. */
async function loadResponses(viewer: Viewer, at: LeakCommunity): Promise<Record<string, string>> {
  const key = keyOf(viewer);
  const ids = Object.values(at).filter((it) => /^[0-9a-f-]{36}$/.test(it));
  const hits = (indices: string[], more: object) => [
    "/indexes/*/queries",
    { requests: indices.map((indexName) => ({ indexName, ...SHOWN, ...more })) },
  ];
  const values = (facet: string, facetQuery: string) => [
    "/indexes/*/queries",
    { requests: [{ indexName: "all", type: "facet", facet, facetQuery }] },
  ];
  const recommended = (requests: object[]) => [
    "/indexes/*/recommendations",
    { requests: requests.map((it) => ({ indexName: "all", threshold: 0, ...it })) },
  ];
  const searches = {
    "by what it is called": hits(["all"], { query: GROUP_NAME }),
    "by what stands in it": hits(["all"], { query: INSIDE_WORD.slice(0, 5) }),
    "by what was said in private": hits(["all"], { query: PRIVATE_WORD }),
    "by what was deleted": hits(["all"], { query: DELETED_WORD }),
    "by nothing": hits([...INDICES, "posts_created_desc"], {}),
    "as documentation": hits(["docsearch"], { query: GROUP_NAME }),
    "by an id among the filters": hits(["all"], { filters: ids.map((id) => `objectID:${id}`).join(" OR ") }),
    "by its group": hits(["all"], { filters: `groupId:${at.groupId}` }),
    "by any word": hits(["posts", "discussions"], {
      query: `${INSIDE_WORD} ${GROUP_NAME}`,
      optionalWords: [`${INSIDE_WORD} ${GROUP_NAME}`],
    }),
    "by their ids": [
      "/indexes/*/objects",
      { requests: ids.map((objectID) => ({ indexName: "all", objectID })) },
    ],
    related: recommended(
      [at.discussionId, at.replyId, at.resourceId, at.messageId].map((objectID) => ({
        model: "related-products",
        objectID,
      })),
    ),
    trending: recommended([
      { model: "trending-items" },
      { model: "recommended-for-you" },
      { model: "trending-facets", facetName: "tags" },
    ]),
    "values of tags": values("tags", INSIDE_WORD.slice(0, 4)),
    "values of groupName": values("groupName", GROUP_NAME),
    "values of places": values("place.lvl1", GROUP_NAME),
  } as unknown as Record<string, [path: string, body: unknown]>;
  const responses: Record<string, string> = {};
  for (const [name, [path, body]] of Object.entries(searches)) {
    const answer = await testApi.call(path, body, key);
    // Answers repeat the query, so only their other members can reveal something.
    responses[name] = JSON.stringify(answer.json(), (member, value: unknown) =>
      ["query", "params", "matchedWords"].includes(member) ? undefined : value,
    );
  }
  return responses;
}

const responsesWith = (word: string, responses: Record<string, string>) =>
  Object.keys(responses).filter((name) => responses[name]!.toLowerCase().includes(word.toLowerCase()));

test.each(["private", "secret"] as const)(
  "search API shows outsiders of a %s group only what the visibility rules define",
  async (visibility) => {
    const at = await createLeakCommunity(database, people, visibility);
    await fileAll();
    const own = await loadResponses(people.mira, at);
    expect(responsesWith(INSIDE_WORD, own)).toEqual(
      expect.arrayContaining(["by what stands in it", "by nothing", "by their ids", "values of tags"]),
    );
    expect(responsesWith(GROUP_NAME, own)).toEqual(
      expect.arrayContaining([
        "by what it is called",
        "values of groupName",
        "values of places",
        "as documentation",
        "by an id among the filters",
      ]),
    );
    expect(responsesWith(PRIVATE_WORD, own)).toContain("by what was said in private");
    expect(responsesWith(DELETED_WORD, own)).toEqual([]);
    // An operator's client can browse what guests see, and nothing else.
    const browsed = { text: "" };
    for (const index of INDICES)
      browsed.text += (await testApi.call(`/indexes/${index}/browse`, { hitsPerPage: 2 }, SERVER_KEY)).body;
    expect(browsed.text).toContain("All may read");
    for (const word of [
      PRIVATE_WORD,
      DELETED_WORD,
      INSIDE_WORD,
      ...(EXPECTED_VISIBILITY[visibility]("guest").name ? [] : [GROUP_NAME]),
    ])
      expect([word, browsed.text.toLowerCase().includes(word.toLowerCase())]).toEqual([word, false]);
    for (const it of OUTSIDE_CLASSES) {
      const responses = await loadResponses(await createViewer(database, people, at.groupId, it), at);
      await within((tx) =>
        run(
          tx,
          sql`update people set username = 'u' || right(id::text, 12), email = id || '@example.org'
            where username = 'somebody'`,
        ),
      );
      for (const word of [PRIVATE_WORD, DELETED_WORD, INSIDE_WORD])
        expect([it, word, responsesWith(word, responses)]).toEqual([it, word, []]);
      if (!EXPECTED_VISIBILITY[visibility](it).name)
        expect([it, responsesWith(GROUP_NAME, responses)]).toEqual([it, []]);
      // A count that includes hidden documents would reveal them too.
      expect([it, responses["by what stands in it"]!.match(/"nbHits":[1-9]/g)]).toEqual([it, null]);
    }
  },
);

test("browsing returns every document once, page by page", async () => {
  const at = await createLeakCommunity(database, people, "public");
  database.clock.pass(5_000);
  for (const body of ["one", "two", "three"])
    await createTestReply(database, people.mira, at.discussionId, { body });
  await fileAll();
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await testApi.call("/indexes/posts/browse", { hitsPerPage: 2, cursor }, SERVER_KEY)).json<{
      hits: { objectID: string }[];
      cursor?: string;
    }>();
    seen.push(...page.hits.map(({ objectID }) => objectID));
    cursor = page.cursor;
  } while (cursor);
  const { nbHits } = (await testApi.call("/indexes/posts/query", {})).json<{ nbHits: number }>();
  expect(nbHits).toBeGreaterThan(5);
  expect([seen.length, new Set(seen).size]).toEqual([nbHits, nbHits]);
});

test("search between blocked people finds nothing of the other person", async () => {
  const at = await createLeakCommunity(database, people, "public");
  const [bram, cleo] = await within(
    async (tx) => [await createPerson(tx, "bram"), await createPerson(tx, "cleo")] as const,
  );
  await within((tx) =>
    run(
      tx,
      sql`insert into memberships (group_id, person_id, state, role, joined_at, changed_at)
    select ${at.groupId}, id, 'member', 'member', ${tx.now}, ${tx.now} from people
    where username in ('bram', 'cleo')`,
    ),
  );
  await createTestReply(database, bram, at.discussionId, { body: "Brombeere" });
  await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
  await fileAll();
  const found = async (viewer: Viewer) =>
    (await testApi.call("/indexes/posts/query", { query: "brombeere" }, keyOf(viewer))).json<{
      nbHits?: number;
      status?: number;
    }>();
  expect(await found(people.noor)).toMatchObject({ nbHits: 1 });
  expect(await found(cleo)).toMatchObject({ nbHits: 0 });
  const key = keyOf(people.noor);
  testApi.state.sessions.delete(people.noor.id);
  expect((await testApi.call("/indexes/posts/query", {}, key)).statusCode).toBe(403);
});
