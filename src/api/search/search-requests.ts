import {
  FACETS,
  type Filter,
  MAX_FACET_VALUES,
  NUMERIC_ATTRIBUTES,
  type Query,
  SEARCHABLE_ATTRIBUTES,
} from "#community/search";
import { isOneOf } from "#platform/objects";
import type { Caller } from "./search-caller.ts";
import { SearchApiError } from "./search-api-error.ts";
import { parseFilters } from "./filters/filter-parser.ts";
import { parseIndexName, MAX_REACHABLE_HITS } from "./index-names.ts";
import { parseNested } from "./filters/nested-filters.ts";
import { type SearchParams, parseSearchParams } from "./search-params.ts";

/** A search request prepared for the engine. Hits are returned from index `from`, at most `most`. */
export type SearchRequest = {
  name: string;
  /** Whether records have the index's own shape or DocSearch's. */
  shape: "record" | "docs";
  origin: string;
  params: SearchParams;
  /** Parameters as the client sent them; the answer repeats them. */
  rawParams: Record<string, unknown>;
  query: Query;
  from: number;
  most: number;
  /**
   * Whether the request restricts hits to an area. It then matches nothing, since no document has a
   * location.
   */
  nowhere: boolean;
};

/**
 * Parameters that a key cannot replace but only add to: the filters of the key and those of the request must
 * all be met.
 */
export const CUMULATIVE_PARAMS = ["filters", "facetFilters", "numericFilters", "tagFilters"] as const;

/**
 * Reads one request of a call.
 * @throws 400, 403 and 404 as the protocol defines
 */
export function readSearchRequest(
  { forced, origin }: Caller,
  name: string,
  request: Record<string, unknown>,
): SearchRequest {
  const { index, sort, shape } = parseIndexName(name);
  const others = Object.fromEntries(
    Object.entries(forced).filter(([key]) => !isOneOf(CUMULATIVE_PARAMS, key)),
  );
  const read = parseSearchParams(request);
  const rawParams = { ...read.rawParams, ...others };
  const params = Object.keys(others).length === 0 ? read.params : parseSearchParams(rawParams).params;
  const filter = combineFilters([
    readFilters(params),
    Object.keys(forced).length === 0 ? null : readFilters(parseSearchParams(forced).params),
  ]);
  const { from, most } = readPage(params);
  const query: Query = {
    index,
    sort,
    ...readWords(params),
    ...readMatching(params),
    filter,
    optionalFilters: readOptionalFilters(params),
    facets: readFacets(params.facets),
    // All values are needed to sort them alphabetically.
    valuesPerFacet: params.sortFacetValuesBy === "alpha" ? MAX_FACET_VALUES : params.maxValuesPerFacet,
    offset: from,
    length: Math.max(0, Math.min(most, MAX_REACHABLE_HITS - from)),
    distinct: params.distinct !== false && params.distinct !== 0,
  };
  return {
    name,
    shape,
    origin,
    params,
    rawParams,
    query,
    from,
    most,
    nowhere: isGeoRestricted(params, rawParams),
  };
}

/**
 * Reads optional filters. Each entry of the outer list adds to the score of matching documents and excludes
 * none.
 */
function readOptionalFilters(params: SearchParams): readonly Filter[] {
  const filter = parseNested("optionalFilters", params.optionalFilters);
  return filter === null ? [] : "and" in filter ? filter.and : [filter];
}

function readFilters(params: SearchParams): Filter | null {
  return combineFilters([
    parseFilters(params.filters),
    parseNested("facetFilters", params.facetFilters),
    parseNested("numericFilters", params.numericFilters),
    parseNested("tagFilters", params.tagFilters),
  ]);
}

function combineFilters(parts: (Filter | null)[]): Filter | null {
  const some = parts.filter((it) => it !== null);
  return some.length < 2 ? (some[0] ?? null) : { and: some };
}

const readPage = ({ page, hitsPerPage, offset, length }: SearchParams) =>
  offset !== undefined && length !== undefined
    ? { from: offset, most: length }
    : { from: page * hitsPerPage, most: hitsPerPage };

/** Reads the options that decide which words match. */
function readMatching(
  params: SearchParams,
): Pick<Query, "prefix" | "typos" | "typosFrom" | "wordForms" | "unasked" | "needed" | "within"> {
  return {
    prefix: ({ prefixLast: "last", prefixAll: "all", prefixNone: "none" } as const)[params.queryType],
    typos: params.typoTolerance,
    typosFrom: { one: params.minWordSizefor1Typo, two: params.minWordSizefor2Typos },
    wordForms: params.ignorePlurals ?? true,
    unasked: params.removeStopWords,
    needed: readRequiredWords(params),
    within: readSearchedAttributes(params.restrictSearchableAttributes),
  };
}

/**
 * Splits a query into words. In the advanced syntax a quoted text is a phrase, and a word after a minus is
 * excluded.
 */
function readWords({
  query,
  similarQuery,
  advancedSyntax,
}: SearchParams): Pick<Query, "words" | "phrases" | "without"> {
  if (!advancedSyntax) return { words: query || similarQuery };
  const phrases = [...query.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
  const without = [...query.matchAll(/(?<=^|\s)-([^\s"-][^\s"]*)/g)].map((match) => match[1]!);
  return { words: query.replaceAll(/(?<=^|\s)-[^\s"-][^\s"]*/g, "").replaceAll('"', " "), phrases, without };
}

const REQUIRED_WORDS = {
  none: "all",
  lastWords: "all-or-fewer-last",
  firstWords: "all-or-fewer-first",
  allOptional: "all-or-any",
} as const;

/**
 * Reads which words are required. If all words are optional, any word suffices. If only some are, the
 * optional words are dropped when all words together find nothing.
 */
function readRequiredWords({
  query,
  similarQuery,
  optionalWords,
  removeWordsIfNoResults,
}: SearchParams): Query["needed"] {
  if (query === "" && similarQuery !== "") return "any";
  if (optionalWords.length === 0) return REQUIRED_WORDS[removeWordsIfNoResults];
  const optional = new Set(optionalWords.join(" ").toLowerCase().split(/\s+/));
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => optional.has(word))
    ? "any"
    : "all-or-any";
}

function readSearchedAttributes(wanted: string[]): Query["within"] {
  if (wanted.length === 0 || wanted.includes("*")) return undefined;
  const unknown = wanted.find((name) => !isOneOf(SEARCHABLE_ATTRIBUTES, name));
  if (unknown !== undefined)
    throw new SearchApiError(
      400,
      `restrictSearchableAttributes: ${unknown.slice(0, 60)} is not searchable. Searchable are ` +
        SEARCHABLE_ATTRIBUTES.join(", "),
    );
  return wanted.filter((name) => isOneOf(SEARCHABLE_ATTRIBUTES, name));
}

const COUNTABLE: readonly string[] = [...FACETS, ...NUMERIC_ATTRIBUTES];

/** Returns the requested facets that exist; unknown attributes are ignored without an error. */
const readFacets = (wanted: string[]): string[] =>
  wanted.includes("*") ? [...COUNTABLE] : [...new Set(wanted)].filter((name) => COUNTABLE.includes(name));

const LAT_LNG_PATTERN = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

function isGeoRestricted(
  { aroundLatLng, insideBoundingBox, insidePolygon }: SearchParams,
  rawParams: Record<string, unknown>,
): boolean {
  const at = LAT_LNG_PATTERN.exec(aroundLatLng);
  if (aroundLatLng !== "" && !(at && Math.abs(Number(at[1])) <= 90 && Math.abs(Number(at[2])) <= 180))
    throw new SearchApiError(400, "aroundLatLng: must be a latitude and a longitude, such as 48.8,2.3");
  if (insideBoundingBox && insideBoundingBox.length % 4 !== 0)
    throw new SearchApiError(400, "insideBoundingBox: must be boxes of four numbers each");
  if (insidePolygon && (insidePolygon.length < 6 || insidePolygon.length % 2 !== 0))
    throw new SearchApiError(400, "insidePolygon: must be polygons of at least three points");
  const radius = rawParams["aroundRadius"];
  const bounded = aroundLatLng !== "" && radius !== undefined && radius !== null && radius !== "all";
  return bounded || (insideBoundingBox?.length ?? 0) > 0 || (insidePolygon?.length ?? 0) > 0;
}
