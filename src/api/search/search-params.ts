import { issueMessage, toEnglish } from "#platform/messages";
import { z } from "zod";
import { getOwnProperty } from "#platform/objects";
import { SearchApiError } from "./search-api-error.ts";
import { type NestedFilters, parseNestedText } from "./filters/nested-filters.ts";

/** Maximum entries of a list parameter, such as facets or attributes. */
const MAX_LIST_ENTRIES = 1_000;
/** Maximum bytes of a query text. */
const MAX_QUERY_BYTES = 512;
const MAX_FILTER_LENGTH = 100_000;
/** Maximum hits per page; also maximum values per facet. */
export const MAX_PAGE_HITS = 1_000;

/** Parses a text that contains JSON; other texts are returned unchanged. */
function parseNestedJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const lenient = <T extends z.ZodType>(read: (value: unknown) => unknown, type: T) => z.preprocess(read, type);

const textParam = (longest: number) =>
  lenient(
    (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
    z.string("must be a string").max(longest, `must have at most ${longest} characters`),
  );

const BOOLEAN_TEXTS: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
const toBoolean = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? (getOwnProperty(BOOLEAN_TEXTS, String(value)) ?? value)
    : value;
const booleanParam = lenient(toBoolean, z.boolean("must be a boolean"));

const toInteger = (value: unknown) =>
  typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
const integerParam = (most: number) =>
  lenient(
    toInteger,
    z
      .number("must be an integer")
      .int("must be an integer")
      .min(0, "must be at least 0")
      .max(most, `must be at most ${most}`),
  );

/** Converts a JSON list, a comma-separated list or a single entry to a list. */
function toList(value: unknown): unknown {
  const list = parseNestedJson(value);
  if (typeof list === "string") return list === "" ? [] : list.split(",").map((it) => it.trim());
  return list;
}
const listEntries = z.array(
  lenient(
    (it) => (typeof it === "number" ? String(it) : it),
    z.string("must be a list of strings").max(500, "has an entry that is too long"),
  ),
  "must be a list of strings",
);
const listParam = lenient(
  toList,
  listEntries.max(MAX_LIST_ENTRIES, `must have at most ${MAX_LIST_ENTRIES} entries`),
);

/** A list of languages, or a boolean for all languages or none. */
const booleanOrListParam = lenient(
  (value) => (typeof toBoolean(value) === "boolean" ? toBoolean(value) : toList(value)),
  z.union([z.boolean(), listEntries.max(100)], "must be a boolean or a list of languages"),
);

const filterTerm = z
  .string("must be a list of strings, or of lists of strings")
  .max(2_000, "has an entry that is too long");
const nestedParam = lenient(
  (value) => {
    const json = parseNestedJson(value);
    return typeof json === "string" ? parseNestedText(json) : json;
  },
  z
    .array(
      z.union(
        [filterTerm, z.array(filterTerm).max(MAX_LIST_ENTRIES)],
        "must be a list of strings, or of lists of strings",
      ),
    )
    .max(MAX_LIST_ENTRIES, `must have at most ${MAX_LIST_ENTRIES} entries`) as z.ZodType<NestedFilters>,
);

/** Coordinates: a list of numbers, nested lists, or comma-separated text. */
const coordinatesParam = lenient(
  (value) => {
    const json = parseNestedJson(value);
    const parts = typeof json === "string" ? json.split(",") : Array.isArray(json) ? json.flat(2) : json;
    // Only texts are converted to numbers, since converting an object may throw.
    return Array.isArray(parts)
      ? parts.map((it) => (typeof it === "string" && it.trim() !== "" ? Number(it) : it))
      : parts;
  },
  z.array(z.number("must be a list of numbers"), "must be a list of numbers").max(10_000),
);

const queryParam = lenient((value) => (value === null ? "" : value), textParam(100_000)).refine(
  (it) => Buffer.byteLength(it) <= MAX_QUERY_BYTES,
  `must have at most ${MAX_QUERY_BYTES} bytes`,
);
const attributesParam = listParam.optional();

/**
 * Schemas of all parsed parameters. They include some that have no effect here, so that invalid values are
 * reported.
 */
const PARAM_SHAPES = {
  query: queryParam.default(""),
  similarQuery: queryParam.default(""),
  page: integerParam(Number.MAX_SAFE_INTEGER).default(0),
  hitsPerPage: integerParam(MAX_PAGE_HITS).default(20),
  offset: integerParam(Number.MAX_SAFE_INTEGER).optional(),
  length: integerParam(MAX_PAGE_HITS).optional(),

  filters: textParam(MAX_FILTER_LENGTH).default(""),
  facetFilters: nestedParam.default([]),
  numericFilters: nestedParam.default([]),
  tagFilters: nestedParam.default([]),
  optionalFilters: nestedParam.default([]),

  facets: listParam.default([]),
  maxValuesPerFacet: integerParam(1_000).default(100),
  sortFacetValuesBy: z.enum(["count", "alpha"], "must be count or alpha").default("count"),
  facetQuery: queryParam.default(""),
  maxFacetHits: integerParam(100).default(10),

  attributesToRetrieve: attributesParam,
  attributesToHighlight: attributesParam,
  attributesToSnippet: listParam.default([]),
  restrictSearchableAttributes: listParam.default([]),
  responseFields: attributesParam,
  highlightPreTag: textParam(100).default("<em>"),
  highlightPostTag: textParam(100).default("</em>"),
  snippetEllipsisText: textParam(100).default("…"),
  restrictHighlightAndSnippetArrays: booleanParam.default(false),

  typoTolerance: lenient(
    toBoolean,
    z.union([z.boolean(), z.enum(["min", "strict"])], "must be true, false, min or strict"),
  ).default(true),
  minWordSizefor1Typo: integerParam(100).default(4),
  minWordSizefor2Typos: integerParam(100).default(8),
  queryType: z
    .enum(["prefixLast", "prefixAll", "prefixNone"], "must be prefixLast, prefixAll or prefixNone")
    .default("prefixLast"),
  removeWordsIfNoResults: z
    .enum(
      ["none", "lastWords", "firstWords", "allOptional"],
      "must be none, lastWords, firstWords or allOptional",
    )
    .default("none"),
  optionalWords: listParam.default([]),
  advancedSyntax: booleanParam.default(false),
  ignorePlurals: booleanOrListParam.optional(),
  removeStopWords: booleanOrListParam.default(false),
  distinct: lenient(
    (value) => toInteger(toBoolean(value)),
    z.union([z.boolean(), z.number().int().min(0).max(4)], "must be a boolean or an integer up to 4"),
  ).default(false),

  getRankingInfo: booleanParam.default(false),
  clickAnalytics: booleanParam.default(false),
  aroundLatLng: textParam(100).default(""),
  insideBoundingBox: coordinatesParam.optional(),
  insidePolygon: coordinatesParam.optional(),
  userToken: textParam(300).optional(),
  cursor: textParam(4_000).optional(),
} as const;

export const SearchParams = z.object(PARAM_SHAPES);
export type SearchParams = z.output<typeof SearchParams>;

/** Members of a request that are not search parameters. */
const REQUEST_MEMBERS = ["indexName", "type", "params", "facet", "requests", "strategy"];

/**
 * Reads the parameters of a request: its own members, then `params`, which is a query string or an object.
 * Unknown names are ignored, since new client versions add some.
 * @throws 400 with the name of the parameter and the error
 */
export const parseSearchParams = (
  request: Record<string, unknown>,
): { params: SearchParams; rawParams: Record<string, unknown> } => {
  assertParameterLimit(request);
  const rawParams = { ...omitNames(request, REQUEST_MEMBERS), ...parseInnerParams(request["params"]) };
  const parsed = SearchParams.safeParse(omitNulls(rawParams));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new SearchApiError(400, `${issue.path.slice(0, 1).join("")}: ${toEnglish(issueMessage(issue))}`);
  }
  return { params: parsed.data, rawParams };
};

/** Maximum parameters per request. Clients have about a hundred; unknown ones are repeated in the answer. */
const MAX_PARAMETERS = 500;

function assertParameterLimit(request: Record<string, unknown>): void {
  const { params } = request;
  const inParams =
    typeof params === "string" ? params.split("&", MAX_PARAMETERS + 1) : Object.keys(params ?? {});
  if (Object.keys(request).length + inParams.length > MAX_PARAMETERS)
    throw new SearchApiError(400, `A request can have at most ${MAX_PARAMETERS} parameters`);
}

const omitNames = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

/** Removes nulls, which some callers send for parameters they do not set. */
const omitNulls = (from: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(from).filter(([name, value]) => value !== null && Object.hasOwn(PARAM_SHAPES, name)),
  );

function parseInnerParams(params: unknown): Record<string, unknown> {
  if (typeof params === "string") return Object.fromEntries(new URLSearchParams(params));
  if (typeof params === "object" && params !== null && !Array.isArray(params)) return { ...params };
  if (params === undefined || params === null) return {};
  throw new SearchApiError(400, "params: must be a string or an object");
}

/** Formats parameters as the query string that an answer contains. */
export const formatSearchParams = (rawParams: Record<string, unknown>): string =>
  Object.entries(rawParams)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === "string" ? value.toWellFormed() : JSON.stringify(value))}`,
    )
    .join("&");
