import { type Database, type Db, limit, many, one, sql } from "#platform/database";
import type { Log } from "#platform/log";
import type { SearchEngine } from "./engine.ts";
import { Filing } from "./filing/filing.ts";
import { ownEngine } from "./own/own-engine.ts";
import { outsideEngine } from "./outside/outside-engine.ts";
import { fillWhereEmpty, rebuild } from "./outside/rebuild.ts";
import { openTypesense } from "./outside/typesense.ts";
import { Vocabulary } from "./words/vocabulary.ts";

/** What the house has for searching: who answers, and who keeps the answers true. */
export type Search = { engine: SearchEngine; filing: Filing; outside: Outside | null };

/** An engine outside the house, and how it is filled. */
export type Outside = {
  /** Fills it where it has nothing of this house, or nothing of today's shape, and no other process does; until `signal` ends that. */
  fillIfEmpty: (signal: AbortSignal) => Promise<void>;
  /** Fills it anew beside what is there, which is asked until then. How many documents it was. */
  rebuild: (onProgress?: (count: number) => unknown) => Promise<number>;
};

type Options = {
  database: Database;
  /** Connections on which nothing is written and nothing takes long; without them, those of the database. */
  reading?: Db;
  log?: Log;
  /** The address of an engine outside, with its key; without one, ours answers everything. */
  outside?: string | null;
};

/** Opens the engine of the house. Nothing is filed by itself before `filing.start`. */
export function openSearch({ database, reading = database.db, log, outside = null }: Options): Search {
  const vocabulary = new Vocabulary();
  const own = remembering(ownEngine({ reading, vocabulary }), () => readWords(database.db, vocabulary));
  const logged = log && { log };
  if (outside === null) return { engine: own, filing: new Filing({ database, engine: own, ...logged }), outside: null };
  const typesense = openTypesense(outside);
  const engine = outsideEngine({ own, reading, typesense, ...logged });
  return { engine, filing: new Filing({ database, engine, ...logged }), outside: fillingOf({ database, typesense }, log) };
}

function fillingOf(at: Parameters<typeof rebuild>[0], log: Log | undefined): Outside {
  return {
    rebuild: (onProgress) => rebuild(at, { onProgress }),
    async fillIfEmpty(signal) {
      const count = await fillWhereEmpty(at, signal);
      if (count !== null) log?.info({ count }, "the search engine outside has been filled");
    },
  };
}

/** Words that come from other processes are read after so long; own ones are known at once. */
const KEPT = 5 * 60_000;
const MOST_WORDS = 400_000;

/**
 * Longer than a question may take, but nothing is sorted for it: the words come in the order of their index, which is that
 * of the vocabulary. Of too many, those are left out that stand in the fewest documents.
 */
async function readWords(db: Db, vocabulary: Vocabulary): Promise<void> {
  const least = await leastFrequent(db);
  const rows = await many(
    db,
    sql<{ word: string; documents: number }>`
      select word, documents from search_words where documents >= ${least} order by word ${limit(MOST_WORDS)}`,
  );
  vocabulary.load(rows.map(({ word, documents }) => [word, documents]));
}

/** Beyond this, how often a word occurs is told no more exactly. */
const OFTEN = 1_000;

/** In how many documents a word has to stand so that no more than `MOST_WORDS` do: 0 where all may be known. */
async function leastFrequent(db: Db): Promise<number> {
  const { estimate } = await one(
    db,
    sql<{ estimate: number }>`select reltuples::int as estimate from pg_class where oid = 'search_words'::regclass`,
  );
  if (estimate < MOST_WORDS) return 0;
  const counts = await many(
    db,
    sql<{ often: number; words: number }>`
      select least(documents, ${OFTEN}) as often, count(*)::int as words from search_words group by 1 order by 1 desc`,
  );
  let known = 0;
  for (const { often, words } of counts) {
    known += words;
    if (known > MOST_WORDS) return Math.min(OFTEN, often + 1);
  }
  return 0;
}

/** The engine, which reads its words before it first answers or files, and now and then after that. */
function remembering(engine: SearchEngine, read: () => Promise<void>): SearchEngine {
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  const known = async () => {
    if (performance.now() - readAt < KEPT) return;
    const first = readAt === -Infinity;
    reading ??= read()
      .then(() => void (readAt = performance.now()))
      .finally(() => (reading = null));
    if (first) await reading;
    else reading.catch(() => {});
  };
  return {
    ...engine,
    search: (viewer, query) => known().then(() => engine.search(viewer, query)),
    facet: (viewer, query) => known().then(() => engine.facet(viewer, query)),
    upsert: (tx, documents) => known().then(() => engine.upsert(tx, documents)),
  };
}
