import type { EndpointShapes } from "./endpoint-shapes.ts";

type SearchEndpoint = { method: "get" | "post"; path: string; about: string; exchange: EndpointShapes };

const searchEndpoint = (
  method: SearchEndpoint["method"],
  path: string,
  about: string,
  takes: EndpointShapes["takes"] | null,
  gives: EndpointShapes["gives"],
) => ({
  method,
  path: `/1${path}`,
  about,
  exchange: { ...(takes && { takes }), gives },
});

/**
 * Endpoints of the search API in the protocol of Algolia's clients. They are at the origin, next to the app
 * paths.
 */
export const SEARCH_ENDPOINTS: readonly SearchEndpoint[] = [
  searchEndpoint("post", "/indexes/*/queries", "Up to fifty questions at once.", ["SearchQuestions"], ["SearchResults"]),
  searchEndpoint("post", "/indexes/{index}/query", "One question.", ["SearchQuestion"], ["SearchAnswer"]),
  searchEndpoint(
    "post",
    "/indexes/{index}/facets/{facet}/query",
    "Values of a facet that begin with `facetQuery`.",
    ["SearchQuestion"],
    ["FacetHits"],
  ),
  searchEndpoint("post", "/indexes/*/objects", "Records by their ids.", ["SearchQuestions"], ["SearchResults"]),
  searchEndpoint("get", "/indexes/{index}/{objectID}", "One record by its id.", null, ["SearchRecord"]),
  searchEndpoint("post", "/indexes/*/recommendations", "What is alike, or liked.", ["SearchQuestions"], ["SearchResults"]),
  searchEndpoint("get", "/keys/{key}", "What the caller's own key may do.", null, ["SearchKey"]),
  searchEndpoint("post", "/events", "Taken, and not kept.", ["Anything"], ["Anything"]),
  searchEndpoint("post", "/indexes/{index}/browse", "Everything, page by page: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
  searchEndpoint("get", "/indexes/{index}/settings", "How an index is searched: with the server key.", null, ["Named"]),
  searchEndpoint("get", "/indexes", "Which indices there are: with the server key.", null, ["IndexList"]),
  searchEndpoint("post", "/indexes/{index}/rules/search", "There are none: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
  searchEndpoint("post", "/indexes/{index}/synonyms/search", "There are none: with the server key.", ["SearchQuestion"], ["SearchAnswer"]),
];
