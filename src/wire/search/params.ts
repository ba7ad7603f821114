import { z } from "zod";
import { getOwn } from "#platform/own-property";
import { Fault } from "./fault.ts";
import { type Nested, nestedOf } from "./nested-filters.ts";

/** Maximum entries of a list parameter, such as facets or attributes. */
const MOST_ENTRIES = 1_000;
/** Maximum bytes of a query text. */
const LONGEST_QUERY = 512;
const LONGEST_FILTERS = 100_000;
/** Maximum hits per page, and values per facet. */
export const MOST_HITS = 1_000;

/** Parses JSON inside a text; other texts are unchanged. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const loose = <T extends z.ZodType>(read: (value: unknown) => unknown, type: T) => z.preprocess(read, type);

const text = (longest: number) =>
  loose(
    (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
    z.string("must be a string").max(longest, `must have at most ${longest} characters`),
  );

const TRUTHS: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
const truthOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? (getOwn(TRUTHS, String(value)) ?? value) : value;
const truth = loose(truthOf, z.boolean("must be a boolean"));

const numeral = (value: unknown) => (typeof value === "string" && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value);
const whole = (least: number, most: number) =>
  loose(
    numeral,
    z.number("must be an integer").int("must be an integer").min(least, `must be at least ${least}`).max(most, `must be at most ${most}`),
  );

/** A JSON list, a comma-separated one, or a single entry. */
function listOf(value: unknown): unknown {
  const list = unwrapped(value);
  if (typeof list === "string") return list === "" ? [] : list.split(",").map((it) => it.trim());
  return list;
}
const entries = z.array(
  loose(
    (it) => (typeof it === "number" ? String(it) : it),
    z.string("must be a list of strings").max(500, "has an entry that is too long"),
  ),
  "must be a list of strings",
);
const list = loose(listOf, entries.max(MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`));

/** Languages, or a boolean for all or none. */
const truthOrList = loose(
  (value) => (typeof truthOf(value) === "boolean" ? truthOf(value) : listOf(value)),
  z.union([z.boolean(), entries.max(100)], "must be a boolean or a list of languages"),
);

const term = z.string("must be a list of strings, or of lists of strings").max(2_000, "has an entry that is too long");
const nested = loose(
  (value) => {
    const read = unwrapped(value);
    return typeof read === "string" ? nestedOf(read) : read;
  },
  z
    .array(z.union([term, z.array(term).max(MOST_ENTRIES)], "must be a list of strings, or of lists of strings"))
    .max(MOST_ENTRIES, `must have at most ${MOST_ENTRIES} entries`) as z.ZodType<Nested>,
);

/** Coordinates: numbers in a list, nested lists, or comma-separated text. */
const numbers = loose(
  (value) => {
    const read = unwrapped(value);
    const parts = typeof read === "string" ? read.split(",") : Array.isArray(read) ? read.flat(2) : read;
    // Only what is written as a number: an object may have no conversion.
    return Array.isArray(parts) ? parts.map((it) => (typeof it === "string" && it.trim() !== "" ? Number(it) : it)) : parts;
  },
  z.array(z.number("must be a list of numbers"), "must be a list of numbers").max(10_000),
);

const query = loose((value) => (value === null ? "" : value), text(100_000)).refine(
  (it) => Buffer.byteLength(it) <= LONGEST_QUERY,
  `must have at most ${LONGEST_QUERY} bytes`,
);
const attributes = list.optional();

/** Every parsed parameter, including some without effect, so that invalid values are reported. */
const Shape = {
  query: query.default(""),
  similarQuery: query.default(""),
  page: whole(0, Number.MAX_SAFE_INTEGER).default(0),
  hitsPerPage: whole(0, MOST_HITS).default(20),
  offset: whole(0, Number.MAX_SAFE_INTEGER).optional(),
  length: whole(0, MOST_HITS).optional(),

  filters: text(LONGEST_FILTERS).default(""),
  facetFilters: nested.default([]),
  numericFilters: nested.default([]),
  tagFilters: nested.default([]),
  optionalFilters: nested.default([]),

  facets: list.default([]),
  maxValuesPerFacet: whole(0, 1_000).default(100),
  sortFacetValuesBy: z.enum(["count", "alpha"], "must be count or alpha").default("count"),
  facetQuery: query.default(""),
  maxFacetHits: whole(0, 100).default(10),

  attributesToRetrieve: attributes,
  attributesToHighlight: attributes,
  attributesToSnippet: list.default([]),
  restrictSearchableAttributes: list.default([]),
  responseFields: attributes,
  highlightPreTag: text(100).default("<em>"),
  highlightPostTag: text(100).default("</em>"),
  snippetEllipsisText: text(100).default("…"),
  restrictHighlightAndSnippetArrays: truth.default(false),

  typoTolerance: loose(truthOf, z.union([z.boolean(), z.enum(["min", "strict"])], "must be true, false, min or strict")).default(true),
  minWordSizefor1Typo: whole(0, 100).default(4),
  minWordSizefor2Typos: whole(0, 100).default(8),
  queryType: z.enum(["prefixLast", "prefixAll", "prefixNone"], "must be prefixLast, prefixAll or prefixNone").default("prefixLast"),
  removeWordsIfNoResults: z
    .enum(["none", "lastWords", "firstWords", "allOptional"], "must be none, lastWords, firstWords or allOptional")
    .default("none"),
  optionalWords: list.default([]),
  advancedSyntax: truth.default(false),
  ignorePlurals: truthOrList.optional(),
  removeStopWords: truthOrList.default(false),
  distinct: loose(
    (value) => numeral(truthOf(value)),
    z.union([z.boolean(), z.number().int().min(0).max(4)], "must be a boolean or an integer up to 4"),
  ).default(false),

  getRankingInfo: truth.default(false),
  clickAnalytics: truth.default(false),
  aroundLatLng: text(100).default(""),
  insideBoundingBox: numbers.optional(),
  insidePolygon: numbers.optional(),
  userToken: text(300).optional(),
  cursor: text(4_000).optional(),
} as const;

const Params = z.object(Shape);
export type Params = z.output<typeof Params>;

/** Request members that are no search parameters. */
const ABOUT = ["indexName", "type", "params", "facet", "requests", "strategy"];

/**
 * Parameters of a request: its own members, then `params`, a query string or an object. Unknown names are
 * ignored, since clients add some with each version.
 * @throws 400 with the name and the fault
 */
export const paramsOf = (request: Record<string, unknown>): { params: Params; said: Record<string, unknown> } => {
  assertFewParameters(request);
  const said = { ...without(request, ABOUT), ...inside(request["params"]) };
  const read = Params.safeParse(definedIn(said));
  if (!read.success) throw new Fault(400, `${read.error.issues[0]!.path.slice(0, 1).join("")}: ${read.error.issues[0]!.message}`);
  return { params: read.data, said };
};

/** Maximum parameters per request. Clients know about a hundred; unknown ones are echoed in the answer. */
const MOST_PARAMETERS = 500;

function assertFewParameters(request: Record<string, unknown>): void {
  const { params } = request;
  const inParams = typeof params === "string" ? params.split("&", MOST_PARAMETERS + 1) : Object.keys(params ?? {});
  if (Object.keys(request).length + inParams.length > MOST_PARAMETERS)
    throw new Fault(400, `A request can have at most ${MOST_PARAMETERS} parameters`);
}

const without = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

/** Some callers send null to omit a parameter. */
const definedIn = (from: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(from).filter(([name, value]) => value !== null && Object.hasOwn(Shape, name)));

function inside(params: unknown): Record<string, unknown> {
  if (typeof params === "string") return Object.fromEntries(new URLSearchParams(params));
  if (typeof params === "object" && params !== null && !Array.isArray(params)) return { ...params };
  if (params === undefined || params === null) return {};
  throw new Fault(400, "params: must be a string or an object");
}

/** Formats parameters as the query string that answers echo. */
export const textOf = (said: Record<string, unknown>): string =>
  Object.entries(said)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === "string" ? value.toWellFormed() : JSON.stringify(value))}`)
    .join("&");
