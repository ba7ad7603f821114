import type { Db } from "#platform/database";
import type { Log } from "#platform/log";
import type { Viewer } from "#community/rules";
import { keysOf } from "#platform/objects";
import type { FacetValue, Query, Results, SearchEngine } from "../search-engine.ts";
import { loadDocuments, mapInBatches } from "../postgres/search-documents.ts";
import { createHit } from "../postgres/search-hits.ts";
import { removeCommonWords } from "../text/stop-words.ts";
import { type SearchTerm as Word, parseTerms, type TextQuery } from "../text/text-query.ts";
import { countTypos } from "../text/vocabulary.ts";
import {
  ALIAS,
  isExternalIndex,
  NEXT_ALIAS,
  type ExternalIndex,
  toTypesenseDocument,
} from "./collection-schema.ts";
import {
  canTranslateFilter,
  fieldName,
  translateFilter,
  isNumericAttribute,
  quoteLiteral,
  LOCAL_FACETS,
} from "./filter-translation.ts";
import { viewerScope } from "./viewer-scope.ts";
import { type TypesenseAnswer, TypesenseError, type Typesense } from "./typesense-client.ts";

type EngineOptions = { own: SearchEngine; reading: Db; typesense: Typesense; log?: Log };

/** Maximum hits per Typesense request. */
const PAGE_SIZE = 250;
const LAST_HIT = 1_000;

/**
 * Combines Typesense with the PostgreSQL engine. Groups, discussions, posts and resources are searched in
 * Typesense with the viewer's permissions as an added filter; the hits are then read from PostgreSQL as the
 * viewer. PostgreSQL answers queries that Typesense cannot, and all queries while Typesense is unavailable.
 */
export function createTypesenseEngine({ own, reading, typesense, log }: EngineOptions): SearchEngine {
  const unless = async <T>(outside: () => Promise<T | null>, inside: () => Promise<T>): Promise<T> => {
    try {
      return (await outside()) ?? (await inside());
    } catch (error) {
      if (!(error instanceof TypesenseError)) throw error;
      log?.warn({ err: error }, "the external search engine did not respond");
      return inside();
    }
  };
  const targets = async () => {
    const aliases = await typesense.aliases();
    return new Set([aliases.get(ALIAS), aliases.get(NEXT_ALIAS)].filter((it) => it !== undefined));
  };
  return {
    search: (viewer, query) =>
      unless(
        async () => searchTypesense(reading, typesense, viewer, await removeCommonWords(reading, query)),
        () => own.search(viewer, query),
      ),
    facet: (viewer, query) =>
      unless(
        async () => {
          const { facet, begins, most, of } = query;
          const found = await queryTypesense(
            reading,
            typesense,
            viewer,
            { ...of, facets: [facet], length: 0 },
            { facet_query: `${fieldName(facet)}:${begins}`, max_facet_values: most },
          );
          return (
            found && {
              values: collectFacets(found.answer, [facet]).facets[facet] ?? [],
              exhaustive: found.answer.search_cutoff !== true,
            }
          );
        },
        () => own.facet(viewer, query),
      ),
    get: own.get,
    async upsert(tx, documents) {
      await own.upsert(tx, documents);
      const there = documents.filter(({ index }) => isExternalIndex(index)).map(toTypesenseDocument);
      // Documents are sent to Typesense before the commit: if this fails, they remain queued.
      if (there.length > 0) for (const target of await targets()) await typesense.bring(target, there);
    },
    async remove(tx, ids) {
      await own.remove(tx, ids);
      if (ids.length > 0) for (const target of await targets()) await typesense.takeOut(target, ids);
    },
    settle: own.settle,
    capabilities: { name: "Typesense", unread: true, exactTotals: false },
  };
}

type TypesenseResult = { answer: TypesenseAnswer; words: Word[]; index: ExternalIndex };

/** Searches in Typesense. Null if PostgreSQL has to answer. */
async function queryTypesense(
  reading: Db,
  typesense: Typesense,
  viewer: Viewer,
  query: Query,
  more: Record<string, string | number> = {},
): Promise<TypesenseResult | null> {
  // Typesense knows no scopes of access tokens.
  if (viewer.scopes !== undefined) return null;
  const { index } = query;
  const facets = query.facets ?? [];
  if (
    !isExternalIndex(index) ||
    query.distinct ||
    query.needed === "any" ||
    query.optionalFilters?.length ||
    !canTranslateFilter(query.filter)
  )
    return null;
  if (facets.some((name) => LOCAL_FACETS.includes(name))) return null;
  const scope = await viewerScope(reading, viewer);
  if (!scope) return null;
  const words = parseTerms(query);
  const conditions = [
    `index:=${index}`,
    index === "groups" ? scope.groups : scope.content,
    translateFilter(query.filter),
    query.except ? `id:!=${quoteLiteral(query.except)}` : null,
  ];
  const asked = {
    ...matchingParams(query, words),
    filter_by: conditions.filter((it) => it !== null).join(" && "),
    sort_by: sortByOf(query),
    facet_by: [...new Set(facets.flatMap((name) => fieldName(name) ?? []))].join(","),
    max_facet_values: Math.max(1, query.valuesPerFacet ?? 100),
    include_fields: "id",
    highlight_fields: "title,names,words,body",
    ...more,
    offset: 0,
    limit: PAGE_SIZE,
  };
  return { answer: await fetchPages(typesense, asked, query), words, index };
}

/** Fetches as many pages from Typesense as are needed for one page here. Counts are from the first page. */
async function fetchPages(
  typesense: Typesense,
  asked: Parameters<Typesense["search"]>[1],
  query: Query,
): Promise<TypesenseAnswer> {
  const offset = Math.min(LAST_HIT, Math.max(0, query.offset ?? 0));
  const most = Math.min(query.length ?? 20, LAST_HIT - offset);
  const page = (at: number) =>
    typesense.search(ALIAS, {
      ...asked,
      offset: offset + at,
      limit: Math.min(PAGE_SIZE, most - at),
    });
  const first = await page(0);
  for (let at = PAGE_SIZE; at < most && first.hits.length >= at; at += PAGE_SIZE)
    first.hits.push(...(await page(at)).hits);
  return first;
}

const FIELD_WEIGHTS = {
  title: ["title", 8],
  names: ["names", 4],
  tags: ["words", 2],
  body: ["body", 1],
} as const;

function matchingParams(
  {
    prefix = "last",
    typos = true,
    typosFrom = { one: 4, two: 8 },
    needed = "all",
    within,
    wordForms,
    phrases = [],
    without = [],
  }: Query,
  words: Word[],
) {
  const fields = (within ?? keysOf(FIELD_WEIGHTS)).map((name) => FIELD_WEIGHTS[name]);
  const toWords = (text: string) => parseTerms({ words: text, prefix: "none" }).map(({ word }) => word);
  const q = [
    ...words.map(({ word }) => word),
    ...phrases.map((it) => `"${toWords(it).join(" ")}"`),
    ...without.flatMap((it) => toWords(it).map((word) => `-${word}`)),
  ];
  return {
    q: q.join(" ") || "*",
    // Stems have the lowest weight. They are left out if the search is restricted to some attributes.
    query_by: [...fields.map(([name]) => name), ...(within || wordForms === false ? [] : ["forms"])].join(
      ",",
    ),
    query_by_weights: [
      ...fields.map(([, weight]) => weight),
      ...(within || wordForms === false ? [] : [1]),
    ].join(","),
    prefix: prefix !== "none",
    num_typos: typos === false ? 0 : 2,
    min_len_1typo: typosFrom.one,
    min_len_2typo: typosFrom.two,
    typo_tokens_threshold: typos === "min" || typos === "strict" ? 1 : 5,
    drop_tokens_threshold: needed === "all" ? 0 : 1,
    ...(needed === "all-or-fewer-first" && { drop_tokens_mode: "left_to_right" }),
  };
}

const sortByOf = ({ sort = "relevance" }: Query) =>
  sort === "relevance"
    ? "_text_match:desc,score:desc"
    : `${fieldName(sort.by)!}:${sort.descending ? "desc" : "asc"},score:desc`;

async function searchTypesense(
  reading: Db,
  typesense: Typesense,
  viewer: Viewer,
  query: Query,
): Promise<Results | null> {
  const result = await queryTypesense(reading, typesense, viewer, query);
  if (!result) return null;
  const { answer, words, index } = result;
  const ids = answer.hits.map(({ document }) => document.id);
  const textQuery = { typos: collectTypos(answer, words) };
  const found = ids.map((id) => ({ id, index }));
  const hits = await mapInBatches(found, async (share) => {
    const documents = await loadDocuments(
      reading,
      viewer,
      index,
      share.map(({ id }) => id),
    );
    return share.flatMap(({ id }) => {
      const document = documents.get(id);
      return document ? [createHit(document, words, textQuery, [])] : [];
    });
  });
  const exact = answer.search_cutoff !== true;
  return {
    hits,
    // Subtracts hits that the viewer can no longer read.
    total: Math.max(0, answer.found - (ids.length - hits.length)),
    exhaustive: { total: exact, facets: exact },
    words: words.map(({ word }) => word),
    ...collectFacets(answer, query.facets ?? []),
  };
}

/** Collects the words that Typesense accepted as typos of a query word, so that they are highlighted too. */
function collectTypos({ hits }: TypesenseAnswer, words: Word[]): TextQuery["typos"] {
  const typos: TextQuery["typos"] = new Map();
  const tokens = new Set(
    hits.flatMap(({ highlights = [] }) =>
      highlights.flatMap(({ matched_tokens = [] }) => matched_tokens.flat()),
    ),
  );
  for (const token of tokens) {
    const near = words
      .map(({ word, prefix }, n) => ({ word: n, typos: countTypos(word, token, 2, prefix) }))
      .toSorted((a, b) => a.typos - b.typos)[0];
    if (near && near.typos > 0 && near.typos <= 2) typos.set(token, near);
  }
  return typos;
}

function collectFacets(
  { facet_counts }: TypesenseAnswer,
  names: readonly string[],
): Pick<Results, "facets" | "stats"> {
  const facets: Results["facets"] = {};
  const stats: Results["stats"] = {};
  for (const name of names) {
    const counted = facet_counts.find(({ field_name }) => field_name === fieldName(name));
    const values: FacetValue[] = (counted?.counts ?? []).filter(
      ({ value }) => value !== "none" && value !== "" && !(name === "number" && value === "-1"),
    );
    if (values.length === 0) continue;
    facets[name] = values.map(({ value, count }) => ({ value, count }));
    const { min, max, avg, sum } = counted?.stats ?? {};
    if (
      isNumericAttribute(name) &&
      min !== undefined &&
      max !== undefined &&
      avg !== undefined &&
      sum !== undefined
    )
      stats[name] = { min, max, avg, sum };
  }
  return { facets, stats };
}
