import { type Index, INDICES, type Query } from "../search-engine.ts";
import { type SearchTerm, type TextQuery, compileTextQuery } from "../text/text-query.ts";
import type { Vocabulary } from "../text/vocabulary.ts";
import type { CandidateList } from "./candidate-query.ts";

/** Number of hits that is enough. With fewer hits, the search is repeated with more typos tolerated. */
const ENOUGH_HITS = 5;
const MAX_DROPPED_WORDS = 4;

export type IndexCandidates = { index: Index; look: CandidateList };
/** The words of the last attempt and its hits. */
type SearchAttempt = { asked: readonly SearchTerm[]; wanted: TextQuery | null; found: IndexCandidates[] };

/**
 * Searches for all words. If there are few hits, tolerates more typos, and then drops words as far as the
 * query allows.
 */
export async function attemptSearch(
  terms: readonly SearchTerm[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: TextQuery | null, words: readonly SearchTerm[]) => Promise<IndexCandidates[]>,
): Promise<SearchAttempt> {
  const { needed = "all" } = query;
  let last: SearchAttempt | null = null;
  const { steps, enough } = TYPO_STEPS[String(query.typos ?? true)]!;
  for (const words of listWordSubsets(terms, needed)) {
    let strict = false;
    for (const wide of steps) {
      const textQuery = compileTextQuery(words, vocabulary, {
        ...query,
        wide,
        all: needed !== "any" && words.all,
      });
      if (last && wide > 0 && !last.wanted?.couldBeWider) continue;
      last = { asked: words, wanted: textQuery, found: await lookAt(textQuery, words) };
      // After a timeout, further attempts would time out too.
      if (last.found.some(({ look: { cut } }) => cut)) return last;
      if (sumTotals(last.found) >= enough || textQuery === null) {
        if (query.typos !== "strict" || strict || textQuery === null) return last;
        // `strict` allows one typo more than the best hits have, so one more attempt follows.
        strict = true;
      }
    }
    if (sumTotals(last!.found) > 0) return last!;
  }
  return last!;
}

/**
 * Like `attemptSearch`, for queries with filters. The hits without the filter decide how many typos are
 * tolerated. Thus a filter never adds hits, and a facet count equals the number of hits after choosing its
 * value.
 */
export async function attemptWithoutFilter(
  terms: readonly SearchTerm[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: TextQuery | null) => Promise<IndexCandidates[]>,
  count: (wanted: TextQuery | null, most: number) => Promise<number>,
): Promise<SearchAttempt> {
  let chosen: Omit<SearchAttempt, "found"> | null = null;
  await attemptSearch(terms, query, vocabulary, async (textQuery, words) => {
    chosen = { asked: words, wanted: textQuery };
    const total = textQuery === null ? Infinity : await count(textQuery, ENOUGH_HITS);
    return [{ index: INDICES[0], look: { rows: [], total, counts: [], exact: true } }];
  });
  const { asked: words, wanted } = chosen!;
  return { asked: words, wanted, found: await lookAt(wanted) };
}

/** Typos tolerated per word in each attempt, and the number of hits at which the search ends. */
const TYPO_STEPS: Record<string, { steps: number[]; enough: number }> = {
  true: { steps: [0, 2], enough: ENOUGH_HITS },
  false: { steps: [0], enough: ENOUGH_HITS },
  min: { steps: [0, 1, 2], enough: 1 },
  strict: { steps: [0, 1, 2], enough: 1 },
};

type WordSubset = SearchTerm[] & { all: boolean };
const wordSubset = (words: readonly SearchTerm[], all = true): WordSubset =>
  Object.assign([...words], { all });

/** Lists the word subsets to search for: all words first, then the smaller subsets. */
function listWordSubsets(terms: readonly SearchTerm[], needed: NonNullable<Query["needed"]>): WordSubset[] {
  const least = Math.max(1, terms.length - MAX_DROPPED_WORDS);
  const shorter = Array.from({ length: Math.max(0, terms.length - least) }, (_, i) => terms.length - 1 - i);
  if (needed === "all-or-fewer-last")
    return [terms, ...shorter.map((n) => terms.slice(0, n))].map((it) => wordSubset(it));
  if (needed === "all-or-fewer-first")
    return [terms, ...shorter.map((n) => terms.slice(-n))].map((it) => wordSubset(it));
  if (needed === "all-or-any" && terms.length > 1) return [wordSubset(terms), wordSubset(terms, false)];
  return [wordSubset(terms)];
}

export const sumTotals = (found: readonly IndexCandidates[]) =>
  found.reduce((sum, { look: { total } }) => sum + total, 0);
