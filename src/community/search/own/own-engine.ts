import type { Db } from "#platform/database";
import { isId } from "#platform/ids";
import type { Viewer } from "#community/rules";
import { type Index, INDICES, MOST_VALUES, type Query, type Results, type SearchDocument, type SearchEngine } from "../engine.ts";
import { askedIn, type Asked, type Wanted, wantedOf } from "../words/question.ts";
import { folded, tokensOf } from "../words/tokens.ts";
import { slipsBetween, type Vocabulary } from "../words/vocabulary.ts";
import { withoutCommonWords } from "../words/common.ts";
import { documentsOf, inShares, MOST_LETTERS } from "./documents.ts";
import { countable, facetsOf } from "./facets.ts";
import { hitOf } from "./hits.ts";
import { type Asking, type Candidate, countUpTo, inOrderOf, isTooLong, type Look, lookFor } from "./looking.ts";
import { remove, settle, store } from "./storing.ts";

type Given = {
  /** For queries only: each may take half a second. */
  reading: Db;
  vocabulary: Vocabulary;
};

/** The last hit anyone would page to. */
const LAST = 1_000;
/** With fewer hits than this, more typos are tolerated. */
const ENOUGH = 5;
const ENOUGH_WORDS_LEFT_OUT = 4;

/** The built-in engine: PostgreSQL full-text search in the community's database. */
export function ownEngine({ reading, vocabulary }: Given): SearchEngine {
  return {
    search: (viewer, query) => searchIn(reading, vocabulary, viewer, query),
    async facet(viewer, { facet, begins, most, of }) {
      const { facets, exhaustive } = await searchIn(reading, vocabulary, viewer, {
        ...of,
        length: 0,
        facets: [facet],
        valuesPerFacet: MOST_VALUES,
      });
      const all = facets[facet] ?? [];
      const values = all.filter(({ value }) => beginsWith(value, begins));
      return { values: values.slice(0, most), exhaustive: exhaustive.facets && all.length < MOST_VALUES };
    },
    async get(viewer, index, ids) {
      const found = await Promise.all(
        (index === "all" ? INDICES : [index]).map((it) => documentsOf(reading, viewer, it, ids, MOST_LETTERS)),
      );
      const all = new Map(found.flatMap((it) => [...it]));
      return ids.map((id) => all.get(id) ?? null);
    },
    upsert: (tx, documents) => store(tx, documents, vocabulary),
    remove: (tx, ids) => remove(tx, ids, vocabulary),
    settle: (tx) => settle(tx, vocabulary),
    capabilities: { name: "PostgreSQL", unread: true, exactTotals: true },
  };
}

/** Whether any word of a value begins like this, or nearly. */
function beginsWith(value: string, begins: string): boolean {
  const wanted = folded(begins.trim()).slice(0, 50);
  if (wanted === "") return true;
  const slips = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0;
  return (
    folded(value).startsWith(wanted) ||
    tokensOf(value).some(({ word }) => word.startsWith(wanted) || slipsBetween(wanted, word, slips, true) <= slips)
  );
}

type Found = { index: Index; look: Look };
/** The last attempt and what it found. */
type Attempt = { asked: readonly Asked[]; wanted: Wanted | null; found: Found[] };

async function searchIn(db: Db, vocabulary: Vocabulary, viewer: Viewer, given: Query): Promise<Results> {
  const query = await withoutCommonWords(db, given);
  const offset = whole(query.offset ?? 0, LAST);
  const length = Math.min(whole(query.length ?? 20, LAST), LAST - offset);
  const facets = countable(query.facets ?? []);
  const words = askedIn(query.index === "people" && query.prefix !== "none" ? { ...query, prefix: "all" } : query);
  const lookAt = (wanted: Wanted | null) => look(db, viewer, query, wanted, offset + length, facets);
  const count = (wanted: Wanted | null, most: number) => countWithoutFilter(db, viewer, query, wanted, most);
  const attempt = query.filter
    ? await attemptUnfiltered(words, query, vocabulary, lookAt, count)
    : await attemptAt(words, query, vocabulary, lookAt);
  const candidates = inOneOrder(attempt.found).slice(offset, offset + length);
  const letters = attempt.asked.length === 0 ? MOST_LETTERS : null;
  const hits = await inShares(candidates, async (share) => {
    const documents = await documentsFor(db, viewer, share, letters);
    return share.flatMap(({ id, fit }) => {
      const document = documents.get(id);
      return document ? [hitOf(document, attempt.asked, attempt.wanted, fit)] : [];
    });
  });
  return {
    hits,
    words: attempt.asked.map(({ word }) => word),
    ...sumOf(attempt.found, [facets, perFacet(query)], candidates.length - hits.length),
  };
}

const whole = (number: number, most: number) => Math.min(most, Math.max(0, Math.trunc(number) || 0));

/**
 * Searches for all words; with few hits, tolerates more typos, then drops words as far as the query allows.
 */
async function attemptAt(
  asked: readonly Asked[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: Wanted | null, words: readonly Asked[]) => Promise<Found[]>,
): Promise<Attempt> {
  const { needed = "all" } = query;
  let last: Attempt | null = null;
  const { steps, enough } = STEPS[String(query.typos ?? true)]!;
  for (const words of wordings(asked, needed)) {
    let strict = false;
    for (const wide of steps) {
      const wanted = wantedOf(words, vocabulary, { ...query, wide, all: needed !== "any" && words.all });
      if (last && wide > 0 && !last.wanted?.couldBeWider) continue;
      last = { asked: words, wanted, found: await lookAt(wanted, words) };
      // After a timeout, another wording would time out too.
      if (last.found.some(({ look: { cut } }) => cut)) return last;
      if (totalOf(last.found) >= enough || wanted === null) {
        if (query.typos !== "strict" || strict || wanted === null) return last;
        // The fewest typos that find something, then one more.
        strict = true;
      }
    }
    if (totalOf(last!.found) > 0) return last!;
  }
  return last!;
}

/**
 * The same for filtered queries: typo tolerance depends on the number of hits without the filter. So a filter
 * never adds hits, and a facet count equals the hits of choosing its value.
 */
async function attemptUnfiltered(
  asked: readonly Asked[],
  query: Query,
  vocabulary: Vocabulary,
  lookAt: (wanted: Wanted | null) => Promise<Found[]>,
  count: (wanted: Wanted | null, most: number) => Promise<number>,
): Promise<Attempt> {
  let chosen: Omit<Attempt, "found"> | null = null;
  await attemptAt(asked, query, vocabulary, async (wanted, words) => {
    chosen = { asked: words, wanted };
    const total = wanted === null ? Infinity : await count(wanted, ENOUGH);
    return [{ index: INDICES[0], look: { rows: [], total, counts: [], exact: true } }];
  });
  const { asked: words, wanted } = chosen!;
  return { asked: words, wanted, found: await lookAt(wanted) };
}

async function countWithoutFilter(db: Db, viewer: Viewer, query: Query, wanted: Wanted | null, most: number): Promise<number> {
  const indices = query.index === "all" ? INDICES : [query.index];
  const counts = await Promise.all(
    indices.map((index) =>
      // A count that times out is large.
      countUpTo(db, viewer, index, wanted, most).catch((error: unknown) => {
        if (isTooLong(error)) return most;
        throw error;
      }),
    ),
  );
  return counts.reduce((sum, it) => sum + it, 0);
}

/** Typos tolerated per word in each step, and how many hits end the search. */
const STEPS: Record<string, { steps: number[]; enough: number }> = {
  true: { steps: [0, 2], enough: ENOUGH },
  false: { steps: [0], enough: ENOUGH },
  min: { steps: [0, 1, 2], enough: 1 },
  strict: { steps: [0, 1, 2], enough: 1 },
};

type Wording = Asked[] & { all: boolean };
const wording = (words: readonly Asked[], all = true): Wording => Object.assign([...words], { all });

/** All the words, then the remaining subsets. */
function wordings(asked: readonly Asked[], needed: NonNullable<Query["needed"]>): Wording[] {
  const least = Math.max(1, asked.length - ENOUGH_WORDS_LEFT_OUT);
  const shorter = Array.from({ length: Math.max(0, asked.length - least) }, (_, i) => asked.length - 1 - i);
  if (needed === "all-or-fewer-last") return [asked, ...shorter.map((n) => asked.slice(0, n))].map((it) => wording(it));
  if (needed === "all-or-fewer-first") return [asked, ...shorter.map((n) => asked.slice(-n))].map((it) => wording(it));
  if (needed === "all-or-any" && asked.length > 1) return [wording(asked), wording(asked, false)];
  return [wording(asked)];
}

const perFacet = ({ valuesPerFacet = 100 }: Query): number => whole(valuesPerFacet, MOST_VALUES);

const totalOf = (found: readonly Found[]) => found.reduce((sum, { look: { total } }) => sum + total, 0);

const look = (db: Db, viewer: Viewer, query: Query, wanted: Wanted | null, most: number, facets: readonly string[]): Promise<Found[]> =>
  Promise.all(
    (query.index === "all" ? INDICES : [query.index]).map(async (index) => {
      const asking: Asking = {
        index,
        wanted,
        most,
        facets,
        sort: query.sort ?? "relevance",
        valuesPerFacet: perFacet(query),
        filter: query.filter,
        rather: query.rather,
        distinct: query.distinct,
        except: query.except && isId(query.except) ? query.except : undefined,
      };
      return { index, look: await unlessTooLong(lookFor(db, viewer, asking)) };
    }),
  );

const NOTHING: Look = { rows: [], total: 0, counts: [], exact: false, cut: true };

/** A query that times out returns no hits and marks the result as incomplete. */
const unlessTooLong = (asked: Promise<Look>): Promise<Look> =>
  asked.catch((error: unknown) => {
    if (isTooLong(error)) return NOTHING;
    throw error;
  });

type Placed = Candidate & { index: Index };

/** Merges the hits of several indices into one order. */
function inOneOrder(found: readonly Found[]): Placed[] {
  const all = found.flatMap(({ index, look: { rows } }) => rows.map((row) => ({ ...row, index })));
  return found.length === 1 ? all : all.sort((a, b) => inOrderOf(b.fit, a.fit));
}

async function documentsFor(
  db: Db,
  viewer: Viewer,
  candidates: readonly Placed[],
  letters: number | null,
): Promise<Map<string, SearchDocument>> {
  const indices = [...new Set(candidates.map(({ index }) => index))];
  const read = indices.map((index) =>
    documentsOf(
      db,
      viewer,
      index,
      candidates.filter((it) => it.index === index).map(({ id }) => id),
      letters,
    ),
  );
  return new Map((await Promise.all(read)).flatMap((it) => [...it]));
}

function sumOf(
  found: readonly Found[],
  [names, perFacet]: [readonly string[], number],
  lost: number,
): Pick<Results, "total" | "exhaustive" | "facets" | "stats"> {
  const exact = found.every(({ look: it }) => it.exact);
  const counts = names.map((_, i) => found.flatMap(({ look: it }) => it.counts[i] ?? []));
  return { total: Math.max(0, totalOf(found) - lost), exhaustive: { total: exact, facets: exact }, ...facetsOf(names, counts, perFacet) };
}
