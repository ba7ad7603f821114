import { liteClient } from "algoliasearch/lite";
import algoliasearch4 from "algoliasearch-v4";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
  SERVER_KEY,
} from "../../../test/support/search/search-api.ts";

const inGroup = { groupName: "Long Beds", groupId: "g", groupSlug: "long-beds" };
const { engine, queries } = createFakeEngine([
  createTestDocument("d1", {
    type: "discussions",
    title: "When to sow beans",
    url: "/discussions/d1",
    ...inGroup,
  }),
  createTestDocument("p2", {
    title: "When to sow beans",
    body: "The soil is cold. Beans wait.",
    url: "/posts/p2",
    number: 2,
    ...inGroup,
  }),
  createTestDocument("g", {
    type: "groups",
    title: "Long Beds of beans",
    url: "/groups/long-beds",
    ...inGroup,
  }),
  createTestDocument("bea", { type: "people", title: "Bea Beans", url: "/people/bea" }),
]);
let testApi: TestSearchApi;
beforeAll(async () => void (testApi = await startTestSearchApi(engine)));
afterAll(() => testApi.server.close());

/** Attributes requested by DocSearch versions 3 and 4. */
const LEVELS = [0, 1, 2, 3, 4, 5, 6].map((n) => `hierarchy.lvl${n}`);
const REQUEST = {
  indexName: "docsearch",
  query: "beans",
  attributesToRetrieve: [...LEVELS, "content", "type", "url"],
  attributesToSnippet: [...LEVELS.slice(1).map((it) => `${it}:10`), "content:10"],
  snippetEllipsisText: "…",
  highlightPreTag: "<mark>",
  highlightPostTag: "</mark>",
  hitsPerPage: 20,
  clickAnalytics: false,
};
const host = { url: "127.0.0.1", protocol: "http", accept: "readWrite" } as const;
const five = () => liteClient(APP, KEY, { hosts: [{ ...host, port: testApi.port }] });
const four = () =>
  algoliasearch4(APP, KEY, { hosts: [{ protocol: "http", url: `127.0.0.1:${testApi.port}` }] as never });

describe("documentation index", () => {
  test.each([
    ["5", async () => (await five().search({ requests: [REQUEST] })).results[0]],
    ["4", async () => (await four().search([{ ...REQUEST, params: {} }] as never)).results[0]],
  ])("returns records in the form that DocSearch expects: client %s", async (_version, search) => {
    const { hits } = (await search()) as { hits: Record<string, unknown>[] };
    const levels = {
      lvl0: "Long Beds",
      lvl1: "When to sow beans",
      lvl2: null,
      lvl3: null,
      lvl4: null,
      lvl5: null,
      lvl6: null,
    };
    expect(hits.map(({ type, url, hierarchy, content }) => ({ type, url, hierarchy, content }))).toEqual([
      { type: "lvl1", url: "https://kith.example.org/discussions/d1", hierarchy: levels, content: null },
      {
        type: "content",
        url: "https://kith.example.org/posts/p2#post-2",
        hierarchy: levels,
        content: "The soil is cold. Beans wait.",
      },
      {
        type: "lvl1",
        url: "https://kith.example.org/groups/long-beds",
        hierarchy: { ...levels, lvl0: "Groups", lvl1: "Long Beds of beans" },
        content: null,
      },
    ]);
    expect(hits[1]).toMatchObject({
      _snippetResult: {
        hierarchy: { lvl1: { value: "When to sow <mark>beans</mark>" } },
        content: { value: "The soil is cold. <mark>Beans</mark> wait." },
      },
      _highlightResult: { hierarchy: { lvl0: { value: "Long Beds" }, lvl1: { matchLevel: "full" } } },
    });
    expect(queries.at(-1)!.query).toMatchObject({ index: "documentation", filter: null });
  });

  test("does not return people by id", async () => {
    const requests = ["bea", "g"].map((objectID) => ({
      indexName: "docsearch",
      objectID,
      attributesToRetrieve: ["url"],
    }));
    expect((await four().multipleGetObjects(requests)).results).toEqual([
      null,
      { objectID: "g", url: "https://kith.example.org/groups/long-beds" },
    ]);
  });

  test("returns a single level of the hierarchy on request", async () => {
    const [record] = (
      await four().multipleGetObjects([
        { indexName: "docsearch", objectID: "p2", attributesToRetrieve: ["anchor", "hierarchy.lvl1"] },
      ])
    ).results;
    expect(record).toEqual({ objectID: "p2", anchor: "post-2", hierarchy: { lvl1: "When to sow beans" } });
  });
});

describe("list of indices", () => {
  test("contains every index with its replicas", async () => {
    const { items } = await algoliasearch4(APP, SERVER_KEY, {
      hosts: [{ protocol: "http", url: `127.0.0.1:${testApi.port}` }] as never,
    }).listIndices();
    const posts = items.find(({ name }) => name === "posts");
    expect(posts).toMatchObject({
      entries: 1,
      replicas: expect.arrayContaining(["posts_created_desc"]),
      pendingTask: false,
    });
    expect(items.find(({ name }) => name === "posts_created_desc")).toMatchObject({
      entries: 1,
      primary: "posts",
    });
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(["all", "docsearch", "groups"]));
    for (const { createdAt, updatedAt } of items)
      expect([Date.parse(createdAt), Date.parse(updatedAt)].every(Number.isFinite)).toBe(true);
  });
});

describe("administration calls", () => {
  test.each([
    ["GET", "/1/logs"],
    ["POST", "/1/clusters/mapping"],
    ["PUT", "/1/keys/abc"],
    ["POST", "/1/dictionaries/stopwords/batch"],
    ["GET", "/1/security/sources"],
    ["POST", "/1/indexes"],
    ["PUT", "/1/indexes/posts/rules/x"],
    ["GET", "/1/indexes/posts/task/1"],
  ] as const)("fail with every key: %s %s", async (method, url) => {
    const headers = { "x-algolia-application-id": APP, "x-algolia-api-key": SERVER_KEY };
    const answer = await testApi.server.inject({
      method,
      url,
      headers,
      ...(method !== "GET" && { payload: "{}" }),
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({ message: "Method not allowed with this API key", status: 403 });
  });
});

test("response contains all facets, but its display order has no id facets", async () => {
  const { results } = await five().search({ requests: [{ indexName: "posts", facets: ["*"] }] });
  const { renderingContent, facets } = results[0] as {
    renderingContent: { facetOrdering: { facets: { order: string[] } } };
    facets: object;
  };
  const { order } = renderingContent.facetOrdering.facets;
  expect(order).toEqual(expect.arrayContaining(["groupName", "type"]));
  expect(order.filter((name) => /Id$|^_|At$/.test(name))).toEqual([]);
  expect(facets).toHaveProperty("groupId");
});
