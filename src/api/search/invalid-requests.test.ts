import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
} from "../../../test/support/search/search-api.ts";
import { countCases, FUZZ_TIMEOUT } from "../../../test/support/fuzz-cases.ts";

const { engine } = createFakeEngine([
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

describe("search request", () => {
  test.each<[string, unknown, number]>([
    ["nothing", undefined, 200],
    ["invalid JSON", "{", 400],
    ["a list", [], 400],
    ["null", "null", 400],
    ["100 kB of words", { query: "a ".repeat(50_000) }, 400],
    ["a query of 513 bytes", { query: "é".repeat(257) }, 400],
    ["a query of 512 bytes", { query: "é".repeat(256) }, 200],
    ["an object as query", { query: {} }, 400],
    ["a page far beyond the hits", { page: 1e9 }, 200],
    ["a negative page", { page: -1 }, 400],
    ["an invalid page", { page: "one" }, 400],
    ["more hits per page than allowed", { hitsPerPage: 1_001 }, 400],
    ["a thousand facets", { facets: Array.from({ length: 1_000 }, (_, n) => `f${n}`) }, 200],
    ["more than a thousand facets", { facets: Array.from({ length: 1_001 }, (_, n) => `f${n}`) }, 400],
    ["more than a thousand filters", { facetFilters: [Array.from({ length: 1_001 }, () => "a:b")] }, 400],
    ["filters nested too deeply", { facetFilters: [[["a:b"]]] }, 400],
    ["extremely nested filters", `{"facetFilters":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    ["an extremely nested unknown parameter", `{"newer":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    [
      "an extremely nested unknown object in params",
      `{"params":{"newer":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}`,
      400,
    ],
    ["a moderately nested unknown parameter", `{"newer":${"[".repeat(90)}${"]".repeat(90)}}`, 200],
    ["an attribute that is not searchable", { restrictSearchableAttributes: ["secret"] }, 400],
    ["an invalid location", { aroundLatLng: "here" }, 400],
    ["a location beyond the pole", { aroundLatLng: "91,0" }, 400],
    ["an incomplete box", { insideBoundingBox: "1,2,3" }, 400],
    ["a box with an object as number", { insideBoundingBox: [{ toString: 1 }] }, 400],
    ["a polygon with an object as number", { insidePolygon: [[{ valueOf: 1, toString: null }]] }, 400],
    ["a box with nested lists", { insideBoundingBox: [[[[1]]], [[[2]]], [[[3]]], [[[4]]]] }, 400],
    ["a box with an empty number", { insideBoundingBox: "1,,3,4" }, 400],
    ["a lone surrogate", '{"query":"\\ud800","filters":"","newer":"\\udfff"}', 200],
    ["a boolean named constructor", { getRankingInfo: "constructor" }, 400],
    ["a typo tolerance named constructor", { typoTolerance: "constructor" }, 400],
    ["too many parameters", Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, 1])), 400],
    [
      "too many parameters in a text",
      { params: Array.from({ length: 120_000 }, (_, n) => n).join("&") },
      400,
    ],
    [
      "too many parameters in an object",
      { params: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, 1])) },
      400,
    ],
    ["the maximum number of parameters", { params: Array.from({ length: 499 }, (_, n) => n).join("&") }, 200],
    ["unknown newer parameters", { newInVersionNine: { a: [1] } }, 200],
    [
      "property names of objects",
      '{"__proto__":{"a":1},"constructor":1,"params":"__proto__=1&toString=2"}',
      200,
    ],
    ["a number as params", { params: 7 }, 400],
    ["invalid percent encoding", { params: "query=%E0%A4%A&page=%" }, 400],
  ])("gets the expected status for %s", async (_what, body, status) => {
    const answer = await one(body);
    expect(answer.statusCode).toBe(status);
    if (status !== 200)
      expect(answer.json()).toEqual({ message: expect.stringMatching(/^\w/) as string, status });
  });

  test("may be compressed up to a limit for its decompressed size", async () => {
    const packed = (bytes: Buffer) =>
      testApi.call("/indexes/posts/query", bytes, KEY, { headers: { "content-encoding": "gzip" } });
    expect((await packed(gzipSync('{"query":"hello"}'))).json<{ nbHits: number }>().nbHits).toBe(1);
    expect((await packed(gzipSync(Buffer.alloc(5_000_000, " ")))).statusCode).toBe(413);
    expect((await packed(Buffer.from("no gzip"))).statusCode).toBe(400);
    expect((await one(`{"query":"${"a".repeat(1_000_001)}"}`)).statusCode).toBe(413);
  });

  test.each<[string, unknown, number]>([
    ["no requests", {}, 400],
    ["invalid requests", { requests: [null] }, 400],
    [
      "fifty requests",
      { requests: Array.from({ length: 50 }, () => ({ indexName: "posts", hitsPerPage: 0 })) },
      200,
    ],
    [
      "more than fifty requests",
      { requests: Array.from({ length: 51 }, () => ({ indexName: "posts" })) },
      400,
    ],
    [
      "too many hits in total",
      { requests: Array.from({ length: 3 }, () => ({ indexName: "posts", hitsPerPage: 1_000 })) },
      400,
    ],
    ["no index", { requests: [{}] }, 400],
    ["a facet query without a name", { requests: [{ indexName: "posts", type: "facet" }] }, 400],
  ])("with several queries gets the expected status for %s", async (_what, body, status) => {
    expect((await testApi.call("/indexes/*/queries", body)).statusCode).toBe(status);
  });

  test.each<[string, object, number]>([
    ["an unknown model", { indexName: "posts", model: "best", threshold: 0 }, 400],
    ["no object id", { indexName: "posts", model: "related-products", threshold: 0 }, 400],
    ["an invalid threshold", { indexName: "posts", model: "trending-items", threshold: "high" }, 400],
    [
      "a list as parameters",
      { indexName: "posts", model: "trending-items", threshold: 0, queryParameters: [] },
      400,
    ],
    [
      "an unknown facet",
      { indexName: "posts", model: "trending-facets", threshold: 0, facetName: "price" },
      200,
    ],
  ])("for recommendations gets the expected status for %s", async (_what, request, status) => {
    expect((await testApi.call("/indexes/*/recommendations", { requests: [request] })).statusCode).toBe(
      status,
    );
  });

  test(
    "always gets an answer or an error, but no internal error",
    async () => {
      const name = fc.constantFrom(
        "query",
        "page",
        "hitsPerPage",
        "offset",
        "length",
        "filters",
        "facetFilters",
        "numericFilters",
        "tagFilters",
        "facets",
        "attributesToRetrieve",
        "attributesToHighlight",
        "attributesToSnippet",
        "typoTolerance",
        "distinct",
        "aroundLatLng",
        "insideBoundingBox",
        "params",
        "responseFields",
        "queryType",
        "ignorePlurals",
        "highlightPreTag",
        "optionalWords",
        "clickAnalytics",
        "getRankingInfo",
        "type",
        "facet",
        "facetQuery",
      );
      const value = fc.oneof(
        fc.string({ unit: "binary", maxLength: 30 }),
        fc.constantFrom("true", "1", "-1", "*", "title", "tags:a", "likes>1", "[", '["tags"]', "%"),
        fc.jsonValue({ maxDepth: 3 }),
      );
      const request = fc.dictionary(name, value, { maxKeys: 6 });
      await fc.assert(
        fc.asyncProperty(request, async (input) => {
          const answers = await Promise.all([
            one(input),
            testApi.call("/indexes/*/queries", { requests: [{ ...input, indexName: "posts" }] }),
          ]);
          for (const answer of answers) {
            expect([200, 400]).toContain(answer.statusCode);
            if (answer.statusCode === 400) expect(Object.keys(answer.json())).toEqual(["message", "status"]);
          }
        }),
        { numRuns: countCases(300, 10) },
      );
    },
    FUZZ_TIMEOUT,
  );
});
