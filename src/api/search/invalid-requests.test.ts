import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDocument,
  createFakeEngine,
  KEY,
  openTestSearchApi,
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
  testApi = await openTestSearchApi(engine);
  testApi.limits.take = async () => {};
});
afterAll(() => testApi.server.close());

const one = (params: unknown) => testApi.call("/indexes/posts/query", params);

describe("search request", () => {
  test.each<[string, unknown, number]>([
    ["nothing", undefined, 200],
    ["no JSON", "{", 400],
    ["a list", [], 400],
    ["null", "null", 400],
    ["100 kB of words", { query: "a ".repeat(50_000) }, 400],
    ["a query of 513 bytes", { query: "é".repeat(257) }, 400],
    ["a query of 512 bytes", { query: "é".repeat(256) }, 200],
    ["a query that is an object", { query: {} }, 400],
    ["a page far away", { page: 1e9 }, 200],
    ["a page below", { page: -1 }, 400],
    ["a page that is none", { page: "one" }, 400],
    ["more hits than there can be", { hitsPerPage: 1_001 }, 400],
    ["a thousand facets", { facets: Array.from({ length: 1_000 }, (_, n) => `f${n}`) }, 200],
    ["more facets", { facets: Array.from({ length: 1_001 }, (_, n) => `f${n}`) }, 400],
    ["a thousand and one filters", { facetFilters: [Array.from({ length: 1_001 }, () => "a:b")] }, 400],
    ["lists within lists within lists", { facetFilters: [[["a:b"]]] }, 400],
    ["lists ever deeper", `{"facetFilters":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    ["what nobody knows, ever deeper", `{"newer":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    [
      "what nobody knows in parameters, ever deeper",
      `{"params":{"newer":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}`,
      400,
    ],
    ["what nobody knows, some deep", `{"newer":${"[".repeat(90)}${"]".repeat(90)}}`, 200],
    ["an attribute that is not searched", { restrictSearchableAttributes: ["secret"] }, 400],
    ["a place that is none", { aroundLatLng: "here" }, 400],
    ["a place beyond the pole", { aroundLatLng: "91,0" }, 400],
    ["half a box", { insideBoundingBox: "1,2,3" }, 400],
    ["a box of an object that cannot be a number", { insideBoundingBox: [{ toString: 1 }] }, 400],
    [
      "a polygon of an object that cannot be a number",
      { insidePolygon: [[{ valueOf: 1, toString: null }]] },
      400,
    ],
    ["a box of lists that are no numbers", { insideBoundingBox: [[[[1]]], [[[2]]], [[[3]]], [[[4]]]] }, 400],
    ["a box in a text with a gap", { insideBoundingBox: "1,,3,4" }, 400],
    ["half of a sign", '{"query":"\\ud800","filters":"","newer":"\\udfff"}', 200],
    ["a truth called constructor", { getRankingInfo: "constructor" }, 400],
    ["a typo tolerance called constructor", { typoTolerance: "constructor" }, 400],
    ["hundreds of parameters", Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, 1])), 400],
    [
      "hundreds of parameters in a text",
      { params: Array.from({ length: 120_000 }, (_, n) => n).join("&") },
      400,
    ],
    [
      "hundreds of parameters in an object",
      { params: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, 1])) },
      400,
    ],
    [
      "as many parameters as there can be",
      { params: Array.from({ length: 499 }, (_, n) => n).join("&") },
      200,
    ],
    ["parameters of the future", { newInVersionNine: { a: [1] } }, 200],
    ["names of objects", '{"__proto__":{"a":1},"constructor":1,"params":"__proto__=1&toString=2"}', 200],
    ["parameters that are a number", { params: 7 }, 400],
    ["broken percent signs", { params: "query=%E0%A4%A&page=%" }, 400],
  ])("%s", async (_what, body, status) => {
    const answer = await one(body);
    expect(answer.statusCode).toBe(status);
    if (status !== 200)
      expect(answer.json()).toEqual({ message: expect.stringMatching(/^\w/) as string, status });
  });

  test("may be compressed, but must not expand beyond the limit", async () => {
    const packed = (bytes: Buffer) =>
      testApi.call("/indexes/posts/query", bytes, KEY, { headers: { "content-encoding": "gzip" } });
    expect((await packed(gzipSync('{"query":"hello"}'))).json<{ nbHits: number }>().nbHits).toBe(1);
    expect((await packed(gzipSync(Buffer.alloc(5_000_000, " ")))).statusCode).toBe(413);
    expect((await packed(Buffer.from("no gzip"))).statusCode).toBe(400);
    expect((await one(`{"query":"${"a".repeat(1_000_001)}"}`)).statusCode).toBe(413);
  });

  test.each<[string, unknown, number]>([
    ["no requests", {}, 400],
    ["requests that are none", { requests: [null] }, 400],
    [
      "fifty requests",
      { requests: Array.from({ length: 50 }, () => ({ indexName: "posts", hitsPerPage: 0 })) },
      200,
    ],
    ["more requests", { requests: Array.from({ length: 51 }, () => ({ indexName: "posts" })) }, 400],
    [
      "too many hits together",
      { requests: Array.from({ length: 3 }, () => ({ indexName: "posts", hitsPerPage: 1_000 })) },
      400,
    ],
    ["no index", { requests: [{}] }, 400],
    ["a facet that is not named", { requests: [{ indexName: "posts", type: "facet" }] }, 400],
  ])("with several queries: %s", async (_what, body, status) => {
    expect((await testApi.call("/indexes/*/queries", body)).statusCode).toBe(status);
  });

  test.each<[string, object, number]>([
    ["a model that is none", { indexName: "posts", model: "best", threshold: 0 }, 400],
    ["no thing to go by", { indexName: "posts", model: "related-products", threshold: 0 }, 400],
    ["a threshold that is none", { indexName: "posts", model: "trending-items", threshold: "high" }, 400],
    [
      "parameters that are a list",
      { indexName: "posts", model: "trending-items", threshold: 0, queryParameters: [] },
      400,
    ],
    [
      "a facet that is none",
      { indexName: "posts", model: "trending-facets", threshold: 0, facetName: "price" },
      200,
    ],
  ])("for recommendations: %s", async (_what, request, status) => {
    expect((await testApi.call("/indexes/*/recommendations", { requests: [request] })).statusCode).toBe(
      status,
    );
  });

  test(
    "any request gets an answer or an error in one shape, and never a 500",
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
        fc.asyncProperty(request, async (said) => {
          const answers = await Promise.all([
            one(said),
            testApi.call("/indexes/*/queries", { requests: [{ ...said, indexName: "posts" }] }),
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
