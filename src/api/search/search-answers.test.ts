import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  createFakeEngine,
  startTestSearchApi,
  type TestSearchApi,
} from "../../../test/support/search/search-api.ts";

const { engine, queries } = createFakeEngine([
  createTestDocument("d1", {
    title: "Hello",
    tags: ["soil", "__proto__"],
    body: "__ais-highlight__Hello <em>there",
  }),
]);
let testApi: TestSearchApi;
beforeAll(async () => {
  testApi = await startTestSearchApi(engine);
  testApi.limits.take = async () => {};
});
afterAll(() => testApi.server.close());

const one = (params: unknown) => testApi.call("/indexes/posts/query", params);

describe("search answers", () => {
  test("report that a page is beyond the reachable hits", async () => {
    const answer = (page: number) =>
      one({ page, hitsPerPage: 20 }).then((it) => it.json<Record<string, unknown>>());
    expect(await answer(49)).toMatchObject({ hits: [], nbHits: 1, nbPages: 1, page: 49 });
    expect(await answer(50)).toMatchObject({
      hits: [],
      nbHits: 0,
      nbPages: 0,
      page: 50,
      message: expect.stringContaining("1000 hits") as string,
    });
    expect(await one({ offset: 0, length: 1 }).then((it) => it.json<object>())).toMatchObject({
      offset: 0,
      length: 1,
      nbHits: 1,
    });
  });

  test("contain counts even with zero hits per page", async () => {
    const answer = (await one({ hitsPerPage: "0", facets: "tags", maxValuesPerFacet: "30" })).json<
      Record<string, unknown>
    >();
    expect(answer).toMatchObject({
      hits: [],
      nbHits: 1,
      nbPages: 0,
      hitsPerPage: 0,
      exhaustiveFacetsCount: true,
    });
    expect(Object.entries(answer["facets"] as object)).toEqual([
      ["tags", JSON.parse('{"soil":1,"__proto__":1}')],
    ]);
    expect(answer["renderingContent"]).toMatchObject({ facetOrdering: { facets: { order: ["tags"] } } });
  });

  test("contain the requested highlight tags, but no text that resembles them", async () => {
    const tags = { highlightPreTag: "__ais-highlight__", highlightPostTag: "__/ais-highlight__" };
    const { hits } = (
      await one({
        query: "hello",
        ...tags,
        attributesToSnippet: ["body:1", "nothing:5"],
        attributesToHighlight: ["*"],
      })
    ).json<{
      hits: { _highlightResult: Record<string, { value: string }>; _snippetResult: object }[];
    }>();
    expect(hits[0]!._highlightResult["body"]).toMatchObject({
      value: "__ais-highlight__Hello__/ais-highlight__ <em>there",
    });
    expect(hits[0]!._highlightResult["likes"]).toEqual({ value: "0", matchLevel: "none", matchedWords: [] });
    expect(hits[0]!._snippetResult).toEqual({
      body: { value: "__ais-highlight__Hello__/ais-highlight__…", matchLevel: "full" },
    });
  });

  test("contain no hits for a geographic search, since no record has a location", async () => {
    queries.length = 0;
    for (const geo of [
      { aroundLatLng: "48.8,2.3", aroundRadius: 1_000 },
      { insideBoundingBox: "1.5,2.5,0.5,1.5" },
      { insidePolygon: [[1, 2, 3, 4, 5, 6]] },
    ])
      expect((await one(geo)).json()).toMatchObject({ hits: [], nbHits: 0 });
    expect(queries).toEqual([]);
    expect((await one({ aroundLatLng: "48.8,2.3" })).json()).toMatchObject({
      nbHits: 1,
      aroundLatLng: "48.8,2.3",
    });
  });

  test("contain a query id for click events, and only the requested fields", async () => {
    const clicked = (await one({ clickAnalytics: true })).json<{
      queryID: string;
      hits: { __queryID: string }[];
    }>();
    expect(clicked.queryID).toMatch(/^[0-9a-f]{32}$/);
    expect(clicked.hits[0]!.__queryID).toBe(clicked.queryID);
    expect(Object.keys((await one({ responseFields: ["hits", "nbHits"] })).json())).toEqual([
      "hits",
      "nbHits",
    ]);
  });

  test("treat quotes and minus signs as words without the advanced syntax", async () => {
    queries.length = 0;
    const query = 'hello "there you" -soil half-done';
    await one({ query, advancedSyntax: true });
    await one({ query });
    const [advanced, plain] = queries.map((it) => it.query);
    expect(advanced).toMatchObject({ phrases: ["there you"], without: ["soil"] });
    expect(advanced!.words.split(/\s+/)).toEqual(["hello", "there", "you", "half-done"]);
    expect([plain!.words, plain!.phrases]).toEqual([query, undefined]);
  });

  test("omit later queries once there are enough hits, on request", async () => {
    const requests = [{ indexName: "posts", hitsPerPage: 1 }, { indexName: "posts" }];
    const { results } = (
      await testApi.call("/indexes/*/queries", { requests, strategy: "stopIfEnoughMatches" })
    ).json<{
      results: object[];
    }>();
    expect(results).toMatchObject([{ nbHits: 1 }, { nbHits: 0, hits: [], processed: false }]);
  });

  test("accept click events without storing them", async () => {
    expect((await testApi.call("/events", { events: [{ eventType: "click" }] })).json()).toEqual({
      status: 200,
      message: "OK",
    });
    expect((await testApi.call("/events", { events: "click" })).statusCode).toBe(400);
  });
});
