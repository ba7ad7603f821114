import { randomBytes } from "node:crypto";
import { type FacetValue, NUMERIC_ATTRIBUTES, READABLE_FACETS, type Results } from "#community/search";
import { keysOf } from "#platform/objects";
import { MAX_REACHABLE_HITS } from "./index-names.ts";
import { HighlightBudget, highlightText, type HighlightTags } from "./records/highlight.ts";
import { type SearchParams, formatSearchParams } from "./search-params.ts";
import type { SearchRequest } from "./search-requests.ts";
import { formatHit } from "./records/search-records.ts";

const EMPTY_RESULTS: Results = {
  hits: [],
  total: 0,
  exhaustive: { total: true, facets: true },
  facets: {},
  stats: {},
  words: [],
};

/** The result of a request that need not be run, or cannot match anything. */
export const emptyResults = (): Results => EMPTY_RESULTS;

/** Message that clients get, with a successful answer, for hits beyond those reachable by paging. */
const REACHABLE = `you can only fetch the ${MAX_REACHABLE_HITS} hits for this query.`;
const BEYOND_REACHABLE = `${REACHABLE} contact us to increase the limit`;

/** Formats the answer to a search for clients. `extra` has members that only some answers contain. */
export function formatResult(question: SearchRequest, results: Results, ms: number, extra: object = {}) {
  const { params, name, from, most } = question;
  const beyond = most > 0 && from >= MAX_REACHABLE_HITS;
  const budget = new HighlightBudget();
  const queryID = params.clickAnalytics ? { queryID: randomBytes(16).toString("hex") } : {};
  const answer = {
    hits: beyond
      ? []
      : results.hits.map((hit) => ({
          ...formatHit(hit, results.words, params, budget, question),
          ...(params.clickAnalytics && { __queryID: queryID.queryID }),
        })),
    ...countPages(question, beyond ? 0 : results.total),
    ...(beyond && { message: BEYOND_REACHABLE }),
    ...(params.facets.length > 0 && formatCounts(results, params)),
    ...formatExhaustive(results),
    query: params.query,
    params: formatSearchParams(effectiveParams(question)),
    index: name,
    processingTimeMS: ms,
    ...queryID,
    ...(params.aroundLatLng !== "" && { aroundLatLng: params.aroundLatLng, automaticRadius: "0" }),
    ...extra,
  };
  return pickMembers(answer, params.responseFields);
}

function countPages({ params, from, most }: SearchRequest, total: number) {
  if (params.offset !== undefined && params.length !== undefined)
    return { nbHits: total, offset: from, length: most };
  const { page, hitsPerPage } = params;
  return {
    nbHits: total,
    page,
    nbPages: hitsPerPage === 0 ? 0 : Math.ceil(Math.min(total, MAX_REACHABLE_HITS) / hitsPerPage),
    hitsPerPage,
  };
}

/** The parameters in effect: those sent by the client, and the defaults that paging depends on. */
const effectiveParams = ({ params, rawParams }: SearchRequest) => ({
  ...rawParams,
  query: params.query,
  hitsPerPage: params.hitsPerPage,
  page: params.page,
});

const formatExhaustive = ({ exhaustive: { total, facets } }: Results) => ({
  exhaustiveNbHits: total,
  exhaustiveTypo: true,
  exhaustiveFacetsCount: facets,
  exhaustive: { nbHits: total, typo: true, facetsCount: facets, facetValues: facets, rulesMatch: true },
});

function formatCounts({ facets, stats }: Results, params: SearchParams) {
  const counted = Object.entries(facets).filter(([, values]) => values.length > 0);
  const ordered = (values: FacetValue[]) =>
    params.sortFacetValuesBy === "alpha"
      ? sortAlphabetically(values).slice(0, params.maxValuesPerFacet)
      : values;
  const names = counted.map(([name]) => name);
  const order = params.facets.includes("*") ? SHOWN_FACETS.filter((name) => names.includes(name)) : names;
  return {
    // A facet value may have any name, even `__proto__`, so properties are defined and not assigned.
    facets: Object.fromEntries(
      counted.map(([name, values]) => [
        name,
        Object.fromEntries(ordered(values).map(({ value, count }) => [value, count])),
      ]),
    ),
    ...(Object.keys(stats).length > 0 && { facets_stats: stats }),
    renderingContent: {
      facetOrdering: {
        facets: { order },
        values: Object.fromEntries(
          order.map((name) => [name, { sortRemainingBy: params.sortFacetValuesBy }]),
        ),
      },
    },
  };
}

/**
 * Facets returned when all are requested: those with readable values. Ids are left out, and so are times,
 * which are numbers.
 */
const SHOWN_FACETS = [...READABLE_FACETS, ...NUMERIC_ATTRIBUTES.filter((name) => !name.endsWith("At"))];

const COLLATOR = new Intl.Collator(undefined, { numeric: true });
const sortAlphabetically = (values: FacetValue[]) =>
  values.toSorted((a, b) => COLLATOR.compare(a.value, b.value));

function pickMembers<T extends object>(answer: T, wanted: string[] | undefined): Partial<T> {
  if (wanted === undefined || wanted.includes("*")) return answer;
  const picked: Partial<T> = {};
  for (const name of keysOf(answer)) if (wanted.includes(name)) picked[name] = answer[name];
  return picked;
}

/** Formats facet values for clients, with the searched prefix highlighted. */
export function formatFacetResult(
  { values, exhaustive }: { values: FacetValue[]; exhaustive: boolean },
  params: SearchParams,
  ms: number,
) {
  const tags = { pre: params.highlightPreTag, post: params.highlightPostTag };
  const facetHits = values.map(({ value, count }) => ({
    value,
    highlighted: highlightPrefix(value, params.facetQuery, tags),
    count,
  }));
  return { facetHits, exhaustiveFacetsCount: exhaustive, processingTimeMS: ms };
}

const foldText = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Highlights the words of a value that begin with one of the typed words. */
function highlightPrefix(value: string, typed: string, tags: HighlightTags): string {
  const wanted = foldText(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const marks = [...value.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap((match) => {
    const word = wanted.find((it) => foldText(match[0]).startsWith(it));
    return word === undefined
      ? []
      : [{ from: match.index, to: match.index + prefixLength(match[0], word), word: 0 }];
  });
  return highlightText(value, marks, [], tags).value;
}

/** Returns the length of the part of a word that corresponds to its beginning without accents and case. */
function prefixLength(word: string, beginning: string): number {
  let to = 0;
  while (to < word.length && foldText(word.slice(0, to)).length < beginning.length) to += 1;
  while (to < word.length && /\p{M}/u.test(word[to]!)) to += 1;
  return to;
}
