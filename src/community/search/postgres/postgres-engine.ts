import type { Db } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";
import {
  type Index,
  INDICES,
  indicesInScope,
  MAX_FACET_VALUES,
  type Query,
  type Results,
  type SearchDocument,
  type SearchEngine,
} from "../search-engine.ts";
import { parseTerms, type SearchTerm, type TextQuery, compileTextQuery } from "../text/text-query.ts";
import { foldWord, tokenize } from "../text/tokenizer.ts";
import { countTypos, type Vocabulary } from "../text/vocabulary.ts";
import { removeCommonWords } from "../text/stop-words.ts";
import { loadDocuments, mapInBatches, MAX_BODY_CHARACTERS } from "./search-documents.ts";
import { listCountable, mergeFacets } from "./facet-counts.ts";
import { createHit } from "./search-hits.ts";
import {
  type CandidateQuery,
  type Candidate,
  countMatchesUpTo,
  compareFits,
  isTimeout,
  type CandidateList,
  findCandidates,
} from "./candidates.ts";
import { removeDocuments, writeWordCounts, storeDocuments } from "./document-store.ts";

type EngineOptions = {
  /** For queries only: each may take half a second. */
  reading: Db;
  vocabulary: Vocabulary;
};

/** The last hit anyone would page to. */
const LAST_HIT = 1_000;
/** With fewer hits than this, more typos are tolerated. */
const ENOUGH_HITS = 5;
const MAX_DROPPED_WORDS = 4;

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

/** Whether any word of a value begins like this, or nearly. */
function hasPrefix(value: string, begins: string): boolean {
  const wanted = foldWord(begins.trim()).slice(0, 50);
  if (wanted === "") return true;
  const slips = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0;
  return (
    foldWord(value).startsWith(wanted) ||
    tokenize(value).some(
      ({ word }) => word.startsWith(wanted) || countTypos(wanted, word, slips, true) <= slips,
    )
  );
}

type IndexCandidates = { index: Index; look: CandidateList };
/** The last attempt and what it found. */
type SearchAttempt = { asked: readonly SearchTerm[]; wanted: TextQuery | null; found: IndexCandidates[] };

async function searchPostgres(
  db: Db,
  vocabulary: Vocabulary,
  viewer: Viewer,
  given: Query,
): Promise<Results> {
  const query = await removeCommonWords(db, given);
  const offset = clampInteger(query.offset ?? 0, LAST_HIT);
  const length = Math.min(clampInteger(query.length ?? 20, LAST_HIT), LAST_HIT - offset);
  const facets = listCountable(query.facets ?? []);
  const words = parseTerms(
    query.index === "people" && query.prefix !== "none" ? { ...query, prefix: "all" } : query,
  );
  const lookAt = (wanted: TextQuery | null) =>
    searchIndices(db, viewer, query, wanted, offset + length, facets);
  const count = (wanted: TextQuery | null, most: number) =>
    countWithoutFilter(db, viewer, query, wanted, most);
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

/**
 * Searches for all words; with few hits, tolerates more typos, then drops words as far as the query allows.
 */
async function attemptSearch(
  asked: readonly SearchTerm[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: TextQuery | null, words: readonly SearchTerm[]) => Promise<IndexCandidates[]>,
): Promise<SearchAttempt> {
  const { needed = "all" } = query;
  let last: SearchAttempt | null = null;
  const { steps, enough } = TYPO_STEPS[String(query.typos ?? true)]!;
  for (const words of listWordSubsets(asked, needed)) {
    let strict = false;
    for (const wide of steps) {
      const wanted = compileTextQuery(words, vocabulary, {
        ...query,
        wide,
        all: needed !== "any" && words.all,
      });
      if (last && wide > 0 && !last.wanted?.couldBeWider) continue;
      last = { asked: words, wanted, found: await lookAt(wanted, words) };
      // After a timeout, another wording would time out too.
      if (last.found.some(({ look: { cut } }) => cut)) return last;
      if (sumTotals(last.found) >= enough || wanted === null) {
        if (query.typos !== "strict" || strict || wanted === null) return last;
        // The fewest typos that find something, then one more.
        strict = true;
      }
    }
    if (sumTotals(last!.found) > 0) return last!;
  }
  return last!;
}

/**
 * The same for filtered queries: typo tolerance depends on the number of hits without the filter. So a filter
 * never adds hits, and a facet count equals the hits of choosing its value.
 */
async function attemptWithoutFilter(
  asked: readonly SearchTerm[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: TextQuery | null) => Promise<IndexCandidates[]>,
  count: (wanted: TextQuery | null, most: number) => Promise<number>,
): Promise<SearchAttempt> {
  let chosen: Omit<SearchAttempt, "found"> | null = null;
  await attemptSearch(asked, query, vocabulary, async (wanted, words) => {
    chosen = { asked: words, wanted };
    const total = wanted === null ? Infinity : await count(wanted, ENOUGH_HITS);
    return [{ index: INDICES[0], look: { rows: [], total, counts: [], exact: true } }];
  });
  const { asked: words, wanted } = chosen!;
  return { asked: words, wanted, found: await lookAt(wanted) };
}

async function countWithoutFilter(
  db: Db,
  viewer: Viewer,
  query: Query,
  wanted: TextQuery | null,
  most: number,
): Promise<number> {
  const counts = await Promise.all(
    indicesInScope(query.index).map((index) =>
      // A count that times out is large.
      countMatchesUpTo(db, viewer, index, wanted, most).catch((error: unknown) => {
        if (isTimeout(error)) return most;
        throw error;
      }),
    ),
  );
  return counts.reduce((sum, it) => sum + it, 0);
}

/** Typos tolerated per word in each step, and how many hits end the search. */
const TYPO_STEPS: Record<string, { steps: number[]; enough: number }> = {
  true: { steps: [0, 2], enough: ENOUGH_HITS },
  false: { steps: [0], enough: ENOUGH_HITS },
  min: { steps: [0, 1, 2], enough: 1 },
  strict: { steps: [0, 1, 2], enough: 1 },
};

type WordSubset = SearchTerm[] & { all: boolean };
const wordSubset = (words: readonly SearchTerm[], all = true): WordSubset =>
  Object.assign([...words], { all });

/** All the words, then the remaining subsets. */
function listWordSubsets(asked: readonly SearchTerm[], needed: NonNullable<Query["needed"]>): WordSubset[] {
  const least = Math.max(1, asked.length - MAX_DROPPED_WORDS);
  const shorter = Array.from({ length: Math.max(0, asked.length - least) }, (_, i) => asked.length - 1 - i);
  if (needed === "all-or-fewer-last")
    return [asked, ...shorter.map((n) => asked.slice(0, n))].map((it) => wordSubset(it));
  if (needed === "all-or-fewer-first")
    return [asked, ...shorter.map((n) => asked.slice(-n))].map((it) => wordSubset(it));
  if (needed === "all-or-any" && asked.length > 1) return [wordSubset(asked), wordSubset(asked, false)];
  return [wordSubset(asked)];
}

const valuesPerFacetOf = ({ valuesPerFacet = 100 }: Query): number =>
  clampInteger(valuesPerFacet, MAX_FACET_VALUES);

const sumTotals = (found: readonly IndexCandidates[]) =>
  found.reduce((sum, { look: { total } }) => sum + total, 0);

const searchIndices = (
  db: Db,
  viewer: Viewer,
  query: Query,
  wanted: TextQuery | null,
  most: number,
  facets: readonly string[],
): Promise<IndexCandidates[]> =>
  Promise.all(
    indicesInScope(query.index).map(async (index) => {
      const asking: CandidateQuery = {
        index,
        wanted,
        most,
        facets,
        sort: query.sort ?? "relevance",
        valuesPerFacet: valuesPerFacetOf(query),
        filter: query.filter,
        rather: query.rather,
        distinct: query.distinct,
        except: query.except && isId(query.except) ? query.except : undefined,
      };
      return { index, look: await emptyOnTimeout(findCandidates(db, viewer, asking)) };
    }),
  );

const EMPTY_LIST: CandidateList = { rows: [], total: 0, counts: [], exact: false, cut: true };

/** A query that times out returns no hits and marks the result as incomplete. */
const emptyOnTimeout = (asked: Promise<CandidateList>): Promise<CandidateList> =>
  asked.catch((error: unknown) => {
    if (isTimeout(error)) return EMPTY_LIST;
    throw error;
  });

type IndexedCandidate = Candidate & { index: Index };

/** Merges the hits of several indices into one order. */
function mergeCandidates(found: readonly IndexCandidates[]): IndexedCandidate[] {
  const all = found.flatMap(({ index, look: { rows } }) => rows.map((row) => ({ ...row, index })));
  return found.length === 1 ? all : all.sort((a, b) => compareFits(b.fit, a.fit));
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
