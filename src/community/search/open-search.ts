import { type Database, type Db, limit, many, one, sql } from "#platform/database";
import type { Log } from "#platform/log";
import type { SearchEngine } from "./engine.ts";
import { Filing } from "./filing/filing.ts";
import { ownEngine } from "./own/own-engine.ts";
import { outsideEngine } from "./outside/outside-engine.ts";
import { fillWhereEmpty, rebuild } from "./outside/rebuild.ts";
import { openTypesense } from "./outside/typesense.ts";
import { Vocabulary } from "./words/vocabulary.ts";

/** Search of the app: the engine that answers, and the indexer that keeps it current. */
export type Search = { engine: SearchEngine; filing: Filing; outside: Outside | null };

/** An external search engine, and how it is filled. */
export type Outside = {
  /**
   * Fills it if it has no data of this site or an old schema, unless another process does so already;
   * `signal` aborts.
   */
  fillIfEmpty: (signal: AbortSignal) => Promise<void>;
  /**
   * Rebuilds it next to the current data, which serves queries until then. Returns the number of documents.
   */
  rebuild: (onProgress?: (count: number) => unknown) => Promise<number>;
};

type Options = {
  database: Database;
  /** Read-only connections for quick statements; default: those of the database. */
  reading?: Db;
  log?: Log;
  /** Address of an external engine, with its key; without one, PostgreSQL answers everything. */
  outside?: string | null;
};

/** Opens the search engine. Automatic indexing starts with `filing.start`. */
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

/** How often words written by other processes are read; own words are known at once. */
const KEPT = 5 * 60_000;
const MOST_WORDS = 400_000;

/**
 * Takes longer than a query may, but needs no sort: words come in index order, which is the vocabulary's. If
 * there are too many, those in the fewest documents are left out.
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

/** Word counts beyond this are approximate. */
const OFTEN = 1_000;

/** Minimum document count so that at most `MAX_WORDS` words qualify: 0 where all fit. */
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

/**
 * Wraps the engine so that it loads its vocabulary before the first query or indexing, and refreshes it
 * regularly.
 */
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
