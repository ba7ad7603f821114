import type { Db } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";
import {
  type Index,
  indicesInScope,
  MAX_FACET_VALUES,
  type Query,
  type Results,
  type SearchDocument,
  type SearchEngine,
} from "../search-engine.ts";
import { parseTerms, type TextQuery } from "../text/text-query.ts";
import { foldWord, tokenize } from "../text/tokenizer.ts";
import { countTypos, type Vocabulary } from "../text/vocabulary.ts";
import { removeCommonWords } from "../text/stop-words.ts";
import { loadDocuments, mapInBatches, MAX_BODY_CHARACTERS } from "./search-documents.ts";
import { type CountableFacet, listCountableFacets, mergeFacets } from "./facet-counts.ts";
import { createHit } from "./search-hits.ts";
import {
  type CandidateQuery,
  type Candidate,
  countMatchesUpTo,
  isTimeout,
  type CandidateList,
} from "./candidate-query.ts";
import { compareRankingKeys, findCandidates } from "./candidates.ts";
import { removeDocuments, writeWordCounts, storeDocuments } from "./document-store.ts";
import { type IndexCandidates, attemptSearch, attemptWithoutFilter, sumTotals } from "./search-attempts.ts";

type EngineOptions = {
  /** Connections for queries, which time out after half a second. */
  reading: Db;
  vocabulary: Vocabulary;
};

/** Maximum number of hits that can be paged through. */
const LAST_HIT = 1_000;

/** The built-in engine: PostgreSQL full-text search in the community's database. */
export function createPostgresEngine({ reading, vocabulary }: EngineOptions): SearchEngine {
  return {
    search: (viewer, query) => searchPostgres(reading, vocabulary, viewer, query),
    async facet(viewer, { facet, begins, most, of }) {
      const { facets, exhaustive } = await searchPostgres(reading, vocabulary, viewer, {
        ...of,
        length: 0,
        facets: [facet],
        valuesPerFacet: MAX_FACET_VALUES,
      });
      const all = facets[facet] ?? [];
      const values = all.filter(({ value }) => hasPrefix(value, begins));
      return {
        values: values.slice(0, most),
        exhaustive: exhaustive.facets && all.length < MAX_FACET_VALUES,
      };
    },
    async get(viewer, index, ids) {
      const found = await Promise.all(
        indicesInScope(index).map((it) => loadDocuments(reading, viewer, it, ids, MAX_BODY_CHARACTERS)),
      );
      const all = new Map(found.flatMap((it) => [...it]));
      return ids.map((id) => all.get(id) ?? null);
    },
    upsert: (tx, documents) => storeDocuments(tx, documents, vocabulary),
    remove: (tx, ids) => removeDocuments(tx, ids, vocabulary),
    settle: (tx) => writeWordCounts(tx, vocabulary),
    capabilities: { name: "PostgreSQL", unread: true, exactTotals: true },
  };
}

/** Whether a word of the value begins with the text, allowing for typos. */
function hasPrefix(value: string, begins: string): boolean {
  const wanted = foldWord(begins.trim()).slice(0, 50);
  if (wanted === "") return true;
  const typos = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0;
  return (
    foldWord(value).startsWith(wanted) ||
    tokenize(value).some(
      ({ word }) => word.startsWith(wanted) || countTypos(wanted, word, typos, true) <= typos,
    )
  );
}

async function searchPostgres(
  db: Db,
  vocabulary: Vocabulary,
  viewer: Viewer,
  given: Query,
): Promise<Results> {
  const query = await removeCommonWords(db, given);
  const offset = clampInteger(query.offset ?? 0, LAST_HIT);
  const length = Math.min(clampInteger(query.length ?? 20, LAST_HIT), LAST_HIT - offset);
  const facets = listCountableFacets(query.facets ?? []);
  const words = parseTerms(
    query.index === "people" && query.prefix !== "none" ? { ...query, prefix: "all" } : query,
  );
  const lookAt = (textQuery: TextQuery | null) =>
    searchIndices(db, viewer, query, textQuery, offset + length, facets);
  const count = (textQuery: TextQuery | null, most: number) =>
    countWithoutFilter(db, viewer, query, textQuery, most);
  const attempt = query.filter
    ? await attemptWithoutFilter(words, query, vocabulary, lookAt, count)
    : await attemptSearch(words, query, vocabulary, lookAt);
  const candidates = mergeCandidates(attempt.found).slice(offset, offset + length);
  const letters = attempt.asked.length === 0 ? MAX_BODY_CHARACTERS : null;
  const hits = await mapInBatches(candidates, async (share) => {
    const documents = await loadCandidateDocuments(db, viewer, share, letters);
    return share.flatMap(({ id, fit }) => {
      const document = documents.get(id);
      return document ? [createHit(document, attempt.asked, attempt.wanted, fit)] : [];
    });
  });
  return {
    hits,
    words: attempt.asked.map(({ word }) => word),
    ...summarizeResults(attempt.found, [facets, valuesPerFacetOf(query)], candidates.length - hits.length),
  };
}

const clampInteger = (number: number, most: number) => Math.min(most, Math.max(0, Math.trunc(number) || 0));

async function countWithoutFilter(
  db: Db,
  viewer: Viewer,
  query: Query,
  textQuery: TextQuery | null,
  most: number,
): Promise<number> {
  const counts = await Promise.all(
    indicesInScope(query.index).map((index) =>
      // If a count times out, the number is large.
      countMatchesUpTo(db, viewer, index, textQuery, most).catch((error: unknown) => {
        if (isTimeout(error)) return most;
        throw error;
      }),
    ),
  );
  return counts.reduce((sum, it) => sum + it, 0);
}

const valuesPerFacetOf = ({ valuesPerFacet = 100 }: Query): number =>
  clampInteger(valuesPerFacet, MAX_FACET_VALUES);

const searchIndices = (
  db: Db,
  viewer: Viewer,
  query: Query,
  textQuery: TextQuery | null,
  most: number,
  facets: readonly CountableFacet[],
): Promise<IndexCandidates[]> =>
  Promise.all(
    indicesInScope(query.index).map(async (index) => {
      const asking: CandidateQuery = {
        index,
        wanted: textQuery,
        most,
        facets,
        sort: query.sort ?? "relevance",
        valuesPerFacet: valuesPerFacetOf(query),
        filter: query.filter,
        optionalFilters: query.optionalFilters,
        distinct: query.distinct,
        except: query.except && isId(query.except) ? query.except : undefined,
      };
      return { index, look: await emptyOnTimeout(findCandidates(db, viewer, asking)) };
    }),
  );

const EMPTY_LIST: CandidateList = { rows: [], total: 0, counts: [], exact: false, cut: true };

/** Catches timeouts: such a query returns no hits and marks the result as incomplete. */
const emptyOnTimeout = (asked: Promise<CandidateList>): Promise<CandidateList> =>
  asked.catch((error: unknown) => {
    if (isTimeout(error)) return EMPTY_LIST;
    throw error;
  });

type IndexedCandidate = Candidate & { index: Index };

/** Merges the hits of several indices into one order. */
function mergeCandidates(found: readonly IndexCandidates[]): IndexedCandidate[] {
  const all = found.flatMap(({ index, look: { rows } }) => rows.map((row) => ({ ...row, index })));
  return found.length === 1 ? all : all.sort((a, b) => compareRankingKeys(b.fit, a.fit));
}

async function loadCandidateDocuments(
  db: Db,
  viewer: Viewer,
  candidates: readonly IndexedCandidate[],
  letters: number | null,
): Promise<Map<string, SearchDocument>> {
  const indices = [...new Set(candidates.map(({ index }) => index))];
  const read = indices.map((index) =>
    loadDocuments(
      db,
      viewer,
      index,
      candidates.filter((it) => it.index === index).map(({ id }) => id),
      letters,
    ),
  );
  return new Map((await Promise.all(read)).flatMap((it) => [...it]));
}

function summarizeResults(
  found: readonly IndexCandidates[],
  [names, perFacet]: [readonly string[], number],
  lost: number,
): Pick<Results, "total" | "exhaustive" | "facets" | "stats"> {
  const exact = found.every(({ look: it }) => it.exact);
  const counts = names.map((_, i) => found.flatMap(({ look: it }) => it.counts[i] ?? []));
  return {
    total: Math.max(0, sumTotals(found) - lost),
    exhaustive: { total: exact, facets: exact },
    ...mergeFacets(names, counts, perFacet),
  };
}
