import { recommendClient } from "@algolia/recommend";
import algoliasearch4 from "algoliasearch-v4";
import recommend4 from "recommend-v4";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSearchClients } from "../../../test/support/search/algolia-clients.ts";
import {
  createTestDocument,
  APP,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
  SERVER_KEY,
} from "../../../test/support/search/search-api.ts";

const BEANS = createTestDocument("d1", {
  title: "When to sow beans",
  body: "The soil is still cold, says Hélène.",
  tags: ["soil", "beans"],
  likes: 7,
  groupName: "Long beds",
});
const HELLO = createTestDocument("d2", { title: "Hello", body: "Who is new here?", tags: ["soil"] });
const SECRET = createTestDocument("d3", { title: "Hello members", isPublic: false, tags: ["quittenmus"] });
const MIRA = createTestDocument("p1", { type: "people", title: "Mira", names: "mira" });

const { engine, queries } = createFakeEngine([BEANS, HELLO, SECRET, MIRA]);
let testApi: TestSearchApi;
beforeAll(async () => void (testApi = await startTestSearchApi(engine)));
afterAll(() => testApi.server.close());
beforeEach(() => void (queries.length = 0));

const { five, lite, four, hosts4, hosts5 } = createSearchClients(() => testApi.port);

describe("requests of search clients", () => {
  test("can query one index", async () => {
    const one = await five().searchSingleIndex({
      indexName: "posts",
      searchParams: {
        query: "hello",
        attributesToRetrieve: ["title"],
        numericFilters: ["likes>3"],
        getRankingInfo: true,
      },
    });
    expect(one.hits[0]).toEqual({
      objectID: "d2",
      title: "Hello",
      _highlightResult: expect.objectContaining({
        title: {
          value: "<em>Hello</em>",
          matchLevel: "full",
          matchedWords: ["hello"],
          fullyHighlighted: true,
        },
      }) as object,
      _rankingInfo: expect.objectContaining({ nbTypos: 0, nbExactWords: 1 }) as object,
    });
    expect(queries[0]!.query.filter).toEqual({ number: "likes", is: ">", to: 3 });
    expect((await four().initIndex("posts").search("hello", { hitsPerPage: 3 })).nbHits).toBe(1);
    expect((await five().searchSingleIndex({ indexName: "posts" })).nbHits).toBe(2);
  });

  test("can limit highlighted lists to matching items", async () => {
    const searchParams = {
      query: "bea",
      attributesToHighlight: ["tags", "title"],
      attributesToSnippet: ["tags"],
    };
    const whole = (await five().searchSingleIndex({ indexName: "posts", searchParams })).hits[0]!;
    const found = { value: "<em>bea</em>ns", matchLevel: "full" };
    expect(whole._highlightResult).toMatchObject({ tags: [{ value: "soil", matchLevel: "none" }, found] });
    const restricted = { ...searchParams, restrictHighlightAndSnippetArrays: true };
    const some = (await five().searchSingleIndex({ indexName: "posts", searchParams: restricted })).hits[0]!;
    expect(some).toMatchObject({
      _highlightResult: { tags: [found], title: { matchLevel: "full" } },
      _snippetResult: { tags: [found] },
    });
  });

  test("can have optional filters, which exclude nothing", async () => {
    const searchParams = {
      optionalFilters: ["tags:beans", ["kind:link", "groupName:-Long beds"]],
      filters: "tags:soil",
    };
    expect((await five().searchSingleIndex({ indexName: "posts", searchParams })).nbHits).toBe(2);
    const [plain, either] = [
      { facet: "tags", value: "beans" },
      { or: [{ facet: "kind", value: "link" }, { not: { facet: "groupName", value: "Long beds" } }] },
    ];
    expect(queries[0]!.query).toMatchObject({
      filter: { facet: "tags", value: "soil" },
      optionalFilters: [plain, either],
    });
  });

  test("can set languages for plurals and stop words", async () => {
    const sentOptions = async (searchParams: object) => {
      await five().searchSingleIndex({ indexName: "posts", searchParams });
      const { wordForms, unasked } = queries.at(-1)!.query;
      return [wordForms, unasked];
    };
    expect(await sentOptions({})).toEqual([true, false]);
    expect(await sentOptions({ ignorePlurals: false, removeStopWords: true })).toEqual([false, true]);
    expect(await sentOptions({ ignorePlurals: ["de", "en"], removeStopWords: ["fr"] })).toEqual([
      ["de", "en"],
      ["fr"],
    ]);
  });

  test("can sort facet values alphabetically before the limit applies", async () => {
    const searchParams = { facets: ["tags"], maxValuesPerFacet: 1 };
    const facetsBy = async (sortFacetValuesBy: "alpha" | "count") =>
      (
        await five().searchSingleIndex({
          indexName: "posts",
          searchParams: { ...searchParams, sortFacetValuesBy },
        })
      ).facets;
    expect(await facetsBy("alpha")).toEqual({ tags: { beans: 1 } });
    expect(queries.at(-1)!.query.valuesPerFacet).toBe(10_000);
    await facetsBy("count");
    expect(queries.at(-1)!.query.valuesPerFacet).toBe(1);
  });

  test("can search among facet values", async () => {
    const found = await five().searchForFacetValues({
      indexName: "posts",
      facetName: "tags",
      searchForFacetValuesRequest: { facetQuery: "b", params: "filters=tags%3Asoil" },
    });
    expect(found.facetHits).toEqual([{ value: "beans", highlighted: "<em>b</em>eans", count: 1 }]);
    expect(queries[0]!.query.filter).toEqual({ facet: "tags", value: "soil" });
    expect(
      (await four().initIndex("posts").searchForFacetValues("tags", "b", { query: "sow" })).facetHits,
    ).toHaveLength(1);
  });

  test("get records by id, in order, with null for missing records", async () => {
    const wanted = [
      { indexName: "posts", objectID: "d1", attributesToRetrieve: ["title"] },
      { indexName: "posts", objectID: "d3" },
      { indexName: "people", objectID: "p1" },
    ];
    const names = [
      { objectID: "d1", title: "When to sow beans" },
      null,
      expect.objectContaining({ title: "Mira" }) as object,
    ];
    expect((await five().getObjects({ requests: wanted })).results).toEqual(names);
    expect((await four().multipleGetObjects(wanted)).results).toEqual(names);
    expect(
      await five().getObject({
        indexName: "posts",
        objectID: "d1",
        attributesToRetrieve: ["title", "likes"],
      }),
    ).toEqual({
      objectID: "d1",
      title: "When to sow beans",
      likes: 7,
    });
    expect(
      await four()
        .initIndex("posts")
        .getObject("d1", { attributesToRetrieve: ["title"] }),
    ).toEqual({ objectID: "d1", title: "When to sow beans" });
  });

  test("can get recommendations", async () => {
    const requests = [
      {
        indexName: "posts",
        model: "related-products" as const,
        objectID: "d1",
        threshold: 10,
        queryParameters: { filters: "tags:soil" },
      },
      {
        indexName: "posts",
        model: "trending-items" as const,
        threshold: 0,
        facetName: "tags",
        facetValue: "soil",
      },
      { indexName: "posts", model: "trending-facets" as const, facetName: "tags", threshold: 0 },
      { indexName: "posts", model: "bought-together" as const, objectID: "d1", threshold: 0 },
      { indexName: "posts", model: "looking-similar" as const, objectID: "d3", threshold: 0 },
    ];
    const recommended = await recommendClient(APP, KEY, { hosts: hosts5() }).getRecommendations({ requests });
    const [related, items, facets, bought, hidden] = recommended.results as unknown as {
      hits: Record<string, unknown>[];
    }[];
    expect(queries.find(({ query }) => query.except)!.query).toMatchObject({
      words: "When to sow beans soil beans",
      needed: "any",
      except: "d1",
      filter: { facet: "tags", value: "soil" },
    });
    expect(related!.hits.every((hit) => typeof hit["_score"] === "number")).toBe(true);
    expect(items!.hits.map(({ objectID }) => objectID)).toEqual(["d1", "d2"]);
    expect(facets!.hits[0]).toEqual({ facetName: "tags", facetValue: "soil", _score: 100 });
    expect([bought!.hits, hidden!.hits]).toEqual([[], []]);
    const older = await recommend4(APP, KEY, { hosts: hosts4() }).getFrequentlyBoughtTogether([
      { indexName: "posts", objectID: "d1" },
    ]);
    expect(older.results[0]!.hits).toEqual([]);
    expect((await lite().getRecommendations({ requests: [requests[1]!] })).results).toHaveLength(1);
  });

  test("can browse, read settings and list indices with an operator's key", async () => {
    const mine = five(SERVER_KEY);
    const seen: string[] = [];
    await mine.browseObjects({
      indexName: "posts",
      browseParams: { hitsPerPage: 1 },
      aggregator: ({ hits }) => void seen.push(...hits.map(({ objectID }) => objectID)),
    });
    expect(seen).toEqual(["d1", "d2"]);
    expect((await mine.browse({ indexName: "posts" })).hits).toHaveLength(2);
    await expect(
      mine.browse({ indexName: "posts", browseParams: { cursor: "nonsense" } }),
    ).rejects.toMatchObject({ status: 400 });
    expect(await mine.getSettings({ indexName: "posts" })).toMatchObject({
      searchableAttributes: ["title", "names", "tags", "body"],
    });
    expect(
      await algoliasearch4(APP, SERVER_KEY, { hosts: hosts4() }).initIndex("posts").getSettings(),
    ).toMatchObject({ hitsPerPage: 20 });
    expect((await mine.listIndices()).items).toContainEqual(
      expect.objectContaining({ name: "posts", entries: 2 }),
    );
    expect(await mine.searchRules({ indexName: "posts" })).toMatchObject({ hits: [], nbHits: 0 });
    expect(await mine.searchSynonyms({ indexName: "posts" })).toMatchObject({ hits: [], nbHits: 0 });
    await expect(mine.saveObject({ indexName: "posts", body: { objectID: "x" } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test("can read their own key, but no other key", async () => {
    expect(await five().getApiKey({ key: KEY })).toMatchObject({ value: KEY, acl: ["search"], validity: 0 });
    await expect(five().getApiKey({ key: "another" })).rejects.toMatchObject({ status: 403 });
  });
});
