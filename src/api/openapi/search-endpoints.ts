import type { EndpointShapes } from "./exchange-shapes.ts";

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
  searchEndpoint(
    "post",
    "/indexes/*/queries",
    "Runs up to fifty searches at once.",
    ["SearchQuestions"],
    ["SearchResults"],
  ),
  searchEndpoint("post", "/indexes/{index}/query", "Runs a search.", ["SearchQuestion"], ["SearchAnswer"]),
  searchEndpoint(
    "post",
    "/indexes/{index}/facets/{facet}/query",
    "Values of a facet that begin with `facetQuery`.",
    ["SearchQuestion"],
    ["FacetHits"],
  ),
  searchEndpoint(
    "post",
    "/indexes/*/objects",
    "Records by their ids.",
    ["SearchQuestions"],
    ["SearchResults"],
  ),
  searchEndpoint("get", "/indexes/{index}/{objectID}", "One record by its id.", null, ["SearchRecord"]),
  searchEndpoint(
    "post",
    "/indexes/*/recommendations",
    "Related or popular records.",
    ["SearchQuestions"],
    ["SearchResults"],
  ),
  searchEndpoint("get", "/keys/{key}", "Permissions of the caller's own key.", null, ["SearchKey"]),
  searchEndpoint("post", "/events", "Accepted and discarded.", ["Anything"], ["Anything"]),
  searchEndpoint(
    "post",
    "/indexes/{index}/browse",
    "All records, page by page; requires the server key.",
    ["SearchQuestion"],
    ["SearchAnswer"],
  ),
  searchEndpoint("get", "/indexes/{index}/settings", "Settings of an index; requires the server key.", null, [
    "Named",
  ]),
  searchEndpoint("get", "/indexes", "Lists the indices; requires the server key.", null, ["IndexList"]),
  searchEndpoint(
    "post",
    "/indexes/{index}/rules/search",
    "Always empty; requires the server key.",
    ["SearchQuestion"],
    ["SearchAnswer"],
  ),
  searchEndpoint(
    "post",
    "/indexes/{index}/synonyms/search",
    "Always empty; requires the server key.",
    ["SearchQuestion"],
    ["SearchAnswer"],
  ),
];
