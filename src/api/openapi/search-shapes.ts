import { type Json, integerType, listOf, objectOf, textList, textType } from "./schema-types.ts";

/** Requests and answers of search. */
export const SEARCH_SHAPES = {
  SearchQuestion: objectOf({
    query: textType,
    params: textType,
    filters: textType,
    facets: textList,
    page: integerType,
    hitsPerPage: integerType,
  }),
  SearchQuestions: objectOf(
    { requests: { type: "array", items: { type: "object" } }, strategy: textType },
    "requests",
  ),
  SearchRecord: objectOf({ objectID: textType }, "objectID"),
  SearchAnswer: objectOf(
    {
      hits: listOf("Named"),
      nbHits: integerType,
      page: integerType,
      nbPages: integerType,
      query: textType,
      cursor: textType,
    },
    "hits",
  ),
  SearchResults: objectOf({ results: { type: "array", items: { type: ["object", "null"] } } }, "results"),
  FacetHits: objectOf(
    {
      facetHits: {
        type: "array",
        items: objectOf({ value: textType, highlighted: textType, count: integerType }),
      },
    },
    "facetHits",
  ),
  SearchKey: objectOf(
    { value: textType, acl: textList, indexes: textList, validity: integerType },
    "value",
    "acl",
  ),
  IndexList: objectOf(
    {
      items: { type: "array", items: objectOf({ name: textType, entries: integerType }) },
      nbPages: integerType,
    },
    "items",
  ),
  SearchFault: objectOf({ message: textType, status: integerType }, "message", "status"),
} satisfies Record<string, Json>;
