import { randomBytes } from "node:crypto";
import { type FacetValue, NUMBERS, READABLE_FACETS, type Results } from "#community/search";
import { REACHABLE } from "./indices.ts";
import { Budget, highlight, type Tags } from "./highlight.ts";
import { type Params, textOf } from "./params.ts";
import type { Question } from "./questions.ts";
import { hitOf } from "./records.ts";

const NOTHING: Results = { hits: [], total: 0, exhaustive: { total: true, facets: true }, facets: {}, stats: {}, words: [] };

/** The result when nothing was asked or nothing can be found. */
export const nothing = (): Results => NOTHING;

/** Clients get this message, in a successful answer, for hits beyond the reachable ones. */
const BEYOND = `you can only fetch the ${REACHABLE} hits for this query. contact us to increase the limit`;

/** Formats the answer to a query for clients. `extra` adds members that not every answer has. */
export function resultOf(question: Question, results: Results, ms: number, extra: object = {}) {
  const { params, name, from, most } = question;
  const beyond = most > 0 && from >= REACHABLE;
  const budget = new Budget();
  const queryID = params.clickAnalytics ? { queryID: randomBytes(16).toString("hex") } : {};
  const answer = {
    hits: beyond
      ? []
      : results.hits.map((hit) => ({
          ...hitOf(hit, results.words, params, budget, question),
          ...(params.clickAnalytics && { __queryID: queryID.queryID }),
        })),
    ...pagesOf(question, beyond ? 0 : results.total),
    ...(beyond && { message: BEYOND }),
    ...(params.facets.length > 0 && countsOf(results, params)),
    ...exhaustiveness(results),
    query: params.query,
    params: textOf(echoOf(question)),
    index: name,
    processingTimeMS: ms,
    ...queryID,
    ...(params.aroundLatLng !== "" && { aroundLatLng: params.aroundLatLng, automaticRadius: "0" }),
    ...extra,
  };
  return trimmed(answer, params.responseFields);
}

function pagesOf({ params, from, most }: Question, total: number) {
  if (params.offset !== undefined && params.length !== undefined) return { nbHits: total, offset: from, length: most };
  const { page, hitsPerPage } = params;
  return { nbHits: total, page, nbPages: hitsPerPage === 0 ? 0 : Math.ceil(Math.min(total, REACHABLE) / hitsPerPage), hitsPerPage };
}

/** The effective parameters: those sent, and the defaults that paging depends on. */
const echoOf = ({ params, said }: Question) => ({ ...said, query: params.query, hitsPerPage: params.hitsPerPage, page: params.page });

const exhaustiveness = ({ exhaustive: { total, facets } }: Results) => ({
  exhaustiveNbHits: total,
  exhaustiveTypo: true,
  exhaustiveFacetsCount: facets,
  exhaustive: { nbHits: total, typo: true, facetsCount: facets, facetValues: facets, rulesMatch: true },
});

function countsOf({ facets, stats }: Results, params: Params) {
  const counted = Object.entries(facets).filter(([, values]) => values.length > 0);
  const ordered = (values: FacetValue[]) =>
    params.sortFacetValuesBy === "alpha" ? byAlphabet(values).slice(0, params.maxValuesPerFacet) : values;
  const names = counted.map(([name]) => name);
  const order = params.facets.includes("*") ? SHOWN.filter((name) => names.includes(name)) : names;
  return {
    // Facet values may have any name: entries are defined, not assigned.
    facets: Object.fromEntries(
      counted.map(([name, values]) => [name, Object.fromEntries(ordered(values).map(({ value, count }) => [value, count]))]),
    ),
    ...(Object.keys(stats).length > 0 && { facets_stats: stats }),
    renderingContent: {
      facetOrdering: {
        facets: { order },
        values: Object.fromEntries(order.map((name) => [name, { sortRemainingBy: params.sortFacetValuesBy }])),
      },
    },
  };
}

/** A request for all facets returns those readable for people: no ids, and no times as numbers. */
const SHOWN = [...READABLE_FACETS, ...NUMBERS.filter((name) => !name.endsWith("At"))];

const ALPHABET = new Intl.Collator(undefined, { numeric: true });
const byAlphabet = (values: FacetValue[]) => values.toSorted((a, b) => ALPHABET.compare(a.value, b.value));

function trimmed<T extends object>(answer: T, wanted: string[] | undefined): Partial<T> {
  if (wanted === undefined || wanted.includes("*")) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => wanted.includes(name))) as Partial<T>;
}

/** Facet values, with the searched prefix highlighted. */
export function facetResult({ values, exhaustive }: { values: FacetValue[]; exhaustive: boolean }, params: Params, ms: number) {
  const tags = { pre: params.highlightPreTag, post: params.highlightPostTag };
  const facetHits = values.map(({ value, count }) => ({ value, highlighted: begun(value, params.facetQuery, tags), count }));
  return { facetHits, exhaustiveFacetsCount: exhaustive, processingTimeMS: ms };
}

const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Highlights each word of a value that begins with a typed word. */
function begun(value: string, typed: string, tags: Tags): string {
  const wanted = folded(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const marks = [...value.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap((match) => {
    const word = wanted.find((it) => folded(match[0]).startsWith(it));
    return word === undefined ? [] : [{ from: match.index, to: match.index + lengthOf(match[0], word), word: 0 }];
  });
  return highlight(value, marks, [], tags).value;
}

/** Length in the original word of its folded prefix. */
function lengthOf(word: string, beginning: string): number {
  let to = 0;
  while (to < word.length && folded(word.slice(0, to)).length < beginning.length) to += 1;
  while (to < word.length && /\p{M}/u.test(word[to]!)) to += 1;
  return to;
}
