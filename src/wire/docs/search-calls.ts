import type { Exchange } from "./exchanges.ts";

type SearchCall = { method: "get" | "post"; path: string; about: string; exchange: Exchange };

const call = (method: SearchCall["method"], path: string, about: string, takes: Exchange["takes"] | null, gives: Exchange["gives"]) => ({
  method,
  path: `/1${path}`,
  about,
  exchange: { ...(takes && { takes }), gives },
});

/**
 * Endpoints of the search API in the protocol of Algolia's clients. They are at the origin, next to the app
 * paths.
 */
export const SEARCH_CALLS: readonly SearchCall[] = [
  call("post", "/indexes/*/queries", "Up to fifty questions at once.", ["SearchQuestions"], ["SearchResults"]),
  call("post", "/indexes/{index}/query", "One question.", ["SearchQuestion"], ["SearchAnswer"]),
  call(
    "post",
    "/indexes/{index}/facets/{facet}/query",
    "Values of a facet that begin with `facetQuery`.",
    ["SearchQuestion"],
    ["FacetHits"],
  ),
  call("post", "/indexes/*/objects", "Records by their ids.", ["SearchQuestions"], ["SearchResults"]),
  call("get", "/indexes/{index}/{objectID}", "One record by its id.", null, ["SearchRecord"]),
  call("post", "/indexes/*/recommendations", "What is alike, or liked.", ["SearchQuestions"], ["SearchResults"]),
  call("get", "/keys/{key}", "What the caller's own key may do.", null, ["SearchKey"]),
  call("post", "/events", "Taken, and not kept.", ["Anything"], ["Anything"]),
  call("post", "/indexes/{index}/browse", "Everything, page by page: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
  call("get", "/indexes/{index}/settings", "How an index is searched: with the server key.", null, ["Named"]),
  call("get", "/indexes", "Which indices there are: with the server key.", null, ["IndexList"]),
  call("post", "/indexes/{index}/rules/search", "There are none: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
  call("post", "/indexes/{index}/synonyms/search", "There are none: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
];
