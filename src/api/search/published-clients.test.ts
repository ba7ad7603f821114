import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSearchClients } from "../../../test/support/search/algolia-clients.ts";
import {
  createTestDocument,
  createFakeEngine,
  KEY,
  startTestSearchApi,
  type TestSearchApi,
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

const { five, lite, four } = createSearchClients(() => testApi.port);

/** The common result of every client for the same two requests. */
type Both = {
  results: {
    hits?: { objectID: string; _highlightResult?: Record<string, { value: string }> }[];
    nbHits?: number;
    facetHits?: unknown[];
  }[];
};
const REQUESTS = [
  {
    indexName: "posts",
    query: "hel",
    hitsPerPage: 5,
    facets: ["tags"],
    filters: "tags:soil OR isPublic:true",
    facetFilters: [["tags:soil"]],
  },
  { indexName: "posts", type: "facet" as const, facet: "tags", facetQuery: "so", maxFacetHits: 5 },
];
const CLIENTS: Record<string, () => Promise<unknown>> = {
  "version 5": () => five().search({ requests: REQUESTS }),
  "version 5, as older calls are written": () =>
    five().search([
      {
        indexName: "posts",
        params: {
          query: "hel",
          hitsPerPage: 5,
          facets: ["tags"],
          filters: "tags:soil OR isPublic:true",
          facetFilters: [["tags:soil"]],
        },
      },
      { indexName: "posts", type: "facet", facet: "tags", params: { facetQuery: "so", maxFacetHits: 5 } },
    ] as never),
  "version 5, packed": () =>
    five(KEY, { compression: "gzip" }).search({
      requests: [
        REQUESTS[0]!,
        { ...REQUESTS[1]!, attributesToRetrieve: Array.from({ length: 200 }, (_, n) => `a${n}`) },
      ],
    }),
  "version 5, with its key in the address": () =>
    five(KEY, { authMode: "WithinQueryParameters" }).search({ requests: REQUESTS }),
  "version 5, lite": () => lite().search({ requests: REQUESTS }),
  "version 4": () =>
    four().multipleQueries([
      {
        indexName: "posts",
        query: "hel",
        params: {
          hitsPerPage: 5,
          facets: ["tags"],
          filters: "tags:soil OR isPublic:true",
          facetFilters: [["tags:soil"]],
        },
      },
      {
        indexName: "posts",
        type: "facet",
        facet: "tags",
        params: { facetQuery: "so", maxFacetHits: 5 },
      } as never,
    ]),
};

describe("multi-query request", () => {
  test.each(Object.entries(CLIENTS))("has the expected result with %s", async (_client, search) => {
    const { results } = (await search()) as Both;
    expect(results).toMatchObject([
      {
        nbHits: 2,
        page: 0,
        nbPages: 1,
        hitsPerPage: 5,
        index: "posts",
        query: "hel",
        exhaustiveNbHits: true,
        facets: { tags: { soil: 2, beans: 1 } },
        hits: [
          {
            objectID: "d1",
            groupName: "Long beds",
            _highlightResult: {
              body: {
                value: "The soil is still cold, says <em>Hél</em>ène.",
                matchLevel: "full",
                matchedWords: ["hel"],
              },
            },
          },
          {
            objectID: "d2",
            _highlightResult: {
              title: { value: "<em>Hel</em>lo", matchLevel: "full", fullyHighlighted: false },
            },
          },
        ],
      },
      { facetHits: [{ value: "soil", highlighted: "<em>so</em>il", count: 2 }], exhaustiveFacetsCount: true },
    ]);
    expect(queries[0]!.query).toMatchObject({
      index: "posts",
      words: "hel",
      length: 5,
      facets: ["tags"],
      filter: {
        and: [
          {
            or: [
              { facet: "tags", value: "soil" },
              { facet: "isPublic", value: "true" },
            ],
          },
          { facet: "tags", value: "soil" },
        ],
      },
    });
  });
});
