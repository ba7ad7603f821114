import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
} from "../support/search/search-api.ts";
import { createBrowserSearch } from "../../src/web/search/browser-search.ts";

/** Browser search against the search API, with the key of its page. */
const { engine, queries } = createFakeEngine([
  createTestDocument("d1", { title: "Hello" }),
  createTestDocument("d2", { title: "Hello members", isPublic: false, url: "/discussions/d2" }),
]);
let testApi: TestSearchApi;
let key = KEY;
let keyRequests = 0;
beforeAll(async () => {
  testApi = await startTestSearchApi(engine, (server) =>
    server.get("/search/key", async () => ((keyRequests += 1), { key })),
  );
});
afterAll(() => testApi.server.close());

const direct = (search = { lite: true, cache: true }) =>
  createBrowserSearch({ appId: APP, search }, `http://127.0.0.1:${testApi.port}`);
const titles = async (it: ReturnType<typeof direct>) =>
  (await it.ask([{ indexName: "posts", query: "hello" }]))[0]!.hits.map(({ title, url }) => [title, url]);

describe("search from the browser", () => {
  test.each([true, false])(
    "finds what its viewer may see, with the lite and the full client",
    async (lite) => {
      key = KEY;
      expect(await titles(direct({ lite, cache: true }))).toEqual([["Hello", "/posts/d1"]]);
      key = testApi.mirasKey();
      expect(await titles(direct({ lite, cache: true }))).toEqual([
        ["Hello", "/posts/d1"],
        ["Hello members", "/discussions/d2"],
      ]);
    },
  );

  test("requests a key on the first search, and a new key after it has expired", async () => {
    key = testApi.mirasKey();
    keyRequests = 0;
    const it = direct();
    expect(keyRequests).toBe(0);
    await titles(it);
    await titles(it);
    expect(keyRequests).toBe(1);
    testApi.state.now = new Date(testApi.state.now.getTime() + 13 * 3_600_000);
    key = testApi.mirasKey();
    expect(await titles(it)).toHaveLength(2);
    expect(keyRequests).toBe(2);
  });

  test("reports an error when no key works", async () => {
    key = "wrong";
    queries.length = 0;
    await expect(titles(direct())).rejects.toMatchObject({ status: 403 });
    expect(queries).toEqual([]);
  });
});
