import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSearchClients } from "../../../test/support/search/algolia-clients.ts";
import {
  createTestDocument,
  createFakeEngine,
  startTestSearchApi,
  type TestSearchApi,
} from "../../../test/support/search/search-api.ts";

const SECRET = createTestDocument("d3", { title: "Hello members", isPublic: false, tags: ["quittenmus"] });
const FIRST = { indexName: "posts", query: "hel" };

const { engine } = createFakeEngine([createTestDocument("d1", { title: "Hello" }), SECRET]);
let testApi: TestSearchApi;
beforeAll(async () => void (testApi = await startTestSearchApi(engine)));
afterAll(() => testApi.server.close());
const { five, lite, four } = createSearchClients(() => testApi.port);

describe("errors raised by the clients", () => {
  const NOT_ALLOWED = { status: 403, message: "Method not allowed with this API key" };
  test.each<[string, () => Promise<unknown>, object]>([
    [
      "a wrong key",
      () => five("wrong").search({ requests: [FIRST] }),
      { status: 403, message: "Invalid Application-ID or API key" },
    ],
    [
      "a wrong key, version 4",
      () => four("wrong").initIndex("posts").search(""),
      { status: 403, message: "Invalid Application-ID or API key" },
    ],
    [
      "an unknown index",
      () => five().searchSingleIndex({ indexName: "po sts/é" }),
      { status: 404, message: "Index po sts/é does not exist" },
    ],
    [
      "an unknown index among others",
      () => lite().search({ requests: [FIRST, { indexName: "users" }] }),
      { status: 404, message: "Index users does not exist" },
    ],
    [
      "a hidden record",
      () => five().getObject({ indexName: "posts", objectID: "d3" }),
      { status: 404, message: "ObjectID does not exist" },
    ],
    [
      "a missing record",
      () => four().initIndex("posts").getObject("d 1/2"),
      { status: 404, message: "ObjectID does not exist" },
    ],
    [
      "invalid filters",
      () => five().searchSingleIndex({ indexName: "posts", searchParams: { filters: "a:1 b" } }),
      { status: 400, message: "filters: Unexpected token string(b) expected end of filter at col 5" },
    ],
    [
      "an unknown facet",
      () => five().searchForFacetValues({ indexName: "posts", facetName: "price" }),
      { status: 400 },
    ],
    ["browsing", () => five().browse({ indexName: "posts" }), NOT_ALLOWED],
    ["settings", () => five().getSettings({ indexName: "posts" }), NOT_ALLOWED],
    ["settings, version 4", () => four().initIndex("posts").getSettings(), NOT_ALLOWED],
    ["the list of indices", () => five().listIndices(), NOT_ALLOWED],
    ["rules", () => five().searchRules({ indexName: "posts" }), NOT_ALLOWED],
    ["synonyms", () => five().searchSynonyms({ indexName: "posts" }), NOT_ALLOWED],
    ["writing", () => five().saveObject({ indexName: "posts", body: { objectID: "x" } }), NOT_ALLOWED],
    ["deleting", () => five().deleteIndex({ indexName: "posts" }), NOT_ALLOWED],
  ])("have the expected status and message for %s", async (_what, ask, error) => {
    await expect(ask()).rejects.toMatchObject(error);
  });

  test("contain the time after which a rate-limited request may be retried", async () => {
    const refused = await testApi.call("/indexes/posts/query", {});
    expect(refused.statusCode).toBe(200);
    // Exactly the quota of a guest's address per minute, so that the next query exceeds it.
    await testApi.limits.take("search-guest", { points: 600, seconds: 60 }, "127.0.0.1", 0);
    const more = await Promise.all(
      Array.from({ length: 13 }, () =>
        testApi.call("/indexes/*/queries", {
          requests: Array.from({ length: 50 }, () => ({ indexName: "posts" })),
        }),
      ),
    );
    const late = more.find(({ statusCode }) => statusCode === 429)!;
    expect(late.json()).toEqual({ message: "Too Many Requests", status: 429 });
    expect(late.headers).toMatchObject({
      "retry-after": expect.stringMatching(/^\d+$/) as string,
      "access-control-expose-headers": "Retry-After",
    });
    await testApi.limits.forget("search-guest", { points: 600, seconds: 60 }, "127.0.0.1");
  });
});
