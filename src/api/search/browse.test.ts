import { expect, test } from "vitest";
import type { SearchEngine } from "#community/search";
import {
  createTestDocument,
  createFakeEngine,
  startTestSearchApi,
  SERVER_KEY,
} from "../../../test/support/search/search-api.ts";

test("browsing continues past documents that have disappeared meanwhile", async () => {
  const all = [4, 3, 2, 1].map((n) => createTestDocument(`p${n}`, { title: `Number ${n}`, createdAt: n }));
  const { engine } = createFakeEngine(all);
  /**
   * This engine has found four documents but returns only three, since no one may read one of them any more.
   */
  const fading: SearchEngine = {
    ...engine,
    async search(viewer, query) {
      const found = await engine.search(viewer, query);
      const hits = found.hits.filter(({ document }) => document.objectID !== "p3");
      return { ...found, hits, total: found.total - 1 };
    },
  };
  const testApi = await startTestSearchApi(fading);
  const { hits, cursor } = (
    await testApi.call("/indexes/posts/browse", { hitsPerPage: 2 }, SERVER_KEY)
  ).json<{
    hits: unknown[];
    cursor: string;
  }>();
  expect(hits).toMatchObject([{ objectID: "p4" }]);
  expect(cursor).toEqual(expect.any(String));
  await testApi.server.close();
});

test("browsing reports a timeout instead of an empty last page", async () => {
  const { engine } = createFakeEngine([createTestDocument("p1", { title: "One" })]);
  const slow: SearchEngine = {
    ...engine,
    search: async (viewer, query) => ({
      ...(await engine.search(viewer, query)),
      hits: [],
      total: 0,
      exhaustive: { total: false, facets: false },
    }),
  };
  const testApi = await startTestSearchApi(slow);
  const answer = await testApi.call("/indexes/posts/browse", {}, SERVER_KEY);
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "1"]);
  await testApi.server.close();
});
