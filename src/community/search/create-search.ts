import { type Database, type Db, limit, many, one, sql } from "#platform/database";
import type { Log } from "#platform/log";
import type { SearchEngine } from "./search-engine.ts";
import { Indexer } from "./indexing/indexer.ts";
import { createPostgresEngine } from "./postgres/postgres-engine.ts";
import { createTypesenseEngine } from "./typesense/typesense-engine.ts";
import { rebuildIfEmpty, rebuildCollection } from "./typesense/rebuild-collection.ts";
import { createTypesenseClient } from "./typesense/typesense-client.ts";
import { Vocabulary } from "./text/vocabulary.ts";

/** Search of the app: the engine that answers queries, and the indexer that keeps its index current. */
export type Search = { engine: SearchEngine; indexer: Indexer; outside: ExternalEngine | null };

/** An external search engine, and the functions that fill it. */
export type ExternalEngine = {
  /**
   * Fills the external engine if it has no data of this site or an old schema. Does nothing if another
   * process is filling it. `signal` aborts.
   */
  fillIfEmpty: (signal: AbortSignal) => Promise<void>;
  /**
   * Rebuilds the external engine's data. The current data serves queries until the new data is complete.
   * Returns the number of documents.
   */
  rebuild: (onProgress?: (count: number) => unknown) => Promise<number>;
};

type Options = {
  database: Database;
  /** Read-only connections for short statements; by default those of `database`. */
  reading?: Db;
  log?: Log;
  /** Address of an external engine, including its key. Without it, PostgreSQL answers everything. */
  outside?: string | null;
};

/** Creates the search engine. Automatic indexing starts with `indexer.start`. */
export function createSearch({ database, reading = database.db, log, outside = null }: Options): Search {
  const vocabulary = new Vocabulary();
  const own = withVocabulary(createPostgresEngine({ reading, vocabulary }), () =>
    loadVocabulary(database.db, vocabulary),
  );
  const logged = log && { log };
  if (outside === null)
    return { engine: own, indexer: new Indexer({ database, engine: own, ...logged }), outside: null };
  const typesense = createTypesenseClient(outside);
  const engine = createTypesenseEngine({ own, reading, typesense, ...logged });
  return {
    engine,
    indexer: new Indexer({ database, engine, ...logged }),
    outside: createRebuilder({ database, typesense }, log),
  };
}

function createRebuilder(at: Parameters<typeof rebuildCollection>[0], log: Log | undefined): ExternalEngine {
  return {
    rebuild: (onProgress) => rebuildCollection(at, { onProgress }),
    async fillIfEmpty(signal) {
      const count = await rebuildIfEmpty(at, signal);
      if (count !== null) log?.info({ count }, "the external search engine was filled");
    },
  };
}

/**
 * Interval in milliseconds at which words written by other processes are loaded; words of this process are
 * known at once.
 */
const REFRESH_INTERVAL = 5 * 60_000;
const MAX_WORDS = 400_000;

/**
 * Loads the vocabulary. This takes longer than a query may, but needs no sort: rows arrive in index order,
 * which is also the vocabulary's order. If there are too many words, the rarest are left out.
 */
async function loadVocabulary(db: Db, vocabulary: Vocabulary): Promise<void> {
  const least = await minFrequency(db);
  const rows = await many(
    db,
    sql<{ word: string; documents: number }>`
      select word, documents from search_words where documents >= ${least} order by word ${limit(MAX_WORDS)}`,
  );
  vocabulary.load(rows.map(({ word, documents }) => [word, documents]));
}

/** Above this number, counts of words are approximate. */
const MAX_EXACT_COUNT = 1_000;

/** Minimum document count at which at most `MAX_WORDS` words qualify; 0 if all words do. */
async function minFrequency(db: Db): Promise<number> {
  const { estimate } = await one(
    db,
    sql<{
      estimate: number;
    }>`select reltuples::int as estimate from pg_class where oid = 'search_words'::regclass`,
  );
  if (estimate < MAX_WORDS) return 0;
  const counts = await many(
    db,
    sql<{ often: number; words: number }>`
      select least(documents, ${MAX_EXACT_COUNT}) as often, count(*)::int as words from search_words
      group by 1 order by 1 desc`,
  );
  let known = 0;
  for (const { often, words } of counts) {
    known += words;
    if (known > MAX_WORDS) return Math.min(MAX_EXACT_COUNT, often + 1);
  }
  return 0;
}

/**
 * Wraps the engine so that it loads its vocabulary before the first query or indexing, and refreshes it
 * regularly.
 */
function withVocabulary(engine: SearchEngine, read: () => Promise<void>): SearchEngine {
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  const known = async () => {
    if (performance.now() - readAt < REFRESH_INTERVAL) return;
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
