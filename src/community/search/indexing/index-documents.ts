import { setImmediate } from "node:timers/promises";
import { type Database, one, run, sql, type Tx } from "#platform/database";
import type { Log } from "#platform/log";
import { EngineUnavailable, type IndexDocument, type Index, type SearchEngine } from "../search-engine.ts";
import { toIndexDocument } from "./index-document.ts";
import { type SearchSource, loadSearchSources } from "./search-sources.ts";

export type IndexingContext = { database: Database; engine: SearchEngine; log?: Log };

/** Number of documents read and processed at once. The text of one file may have a million characters. */
export const BATCH_SIZES: Record<Index, number> = {
  people: 250,
  groups: 250,
  discussions: 250,
  posts: 250,
  resources: 10,
  messages: 250,
  events: 250,
};
/** Number of documents tokenized before the event loop runs again. */
const YIELD_EVERY = 25;

/**
 * Indexes the current state of these documents, and removes those that are no longer searchable. A document
 * that fails is removed and logged; it does not block the others.
 */
export async function indexDocuments(
  tx: Tx,
  at: IndexingContext,
  index: Index,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await run(tx, sql`savepoint indexing`);
  try {
    await indexTogether(tx, at, index, ids);
  } catch (error) {
    await run(tx, sql`rollback to savepoint indexing`);
    if (error instanceof EngineUnavailable) throw error;
    const half = ids.length >> 1;
    if (half > 0)
      for (const some of [ids.slice(0, half), ids.slice(half)]) await indexDocuments(tx, at, index, some);
    else {
      at.log?.error({ err: error, index, id: ids[0] }, "a document could not be indexed for search");
      await at.engine.remove(tx, ids);
    }
  }
  await run(tx, sql`release savepoint indexing`);
}

/** Indexes documents in batches: while the database writes one batch, the next is tokenized. */
async function indexTogether(
  tx: Tx,
  at: IndexingContext,
  index: Index,
  ids: readonly string[],
): Promise<void> {
  const { version } = await one(tx, sql<{ version: string }>`select nextval('search_versions') as version`);
  const filedFrom = async (from: number) =>
    toIndexDocuments(
      index,
      await loadSearchSources(tx, index, ids.slice(from, from + BATCH_SIZES[index])),
      Number(version),
    );
  let next = await filedFrom(0);
  for (let from = 0; from < ids.length; from += BATCH_SIZES[index]) {
    const part = next;
    // The next batch is requested before this one is written, because a connection runs its statements in
    // order.
    const reading = filedFrom(from + BATCH_SIZES[index]);
    [next] = await Promise.all([
      reading,
      replaceDocuments(tx, at, ids.slice(from, from + BATCH_SIZES[index]), part),
    ]);
  }
}

async function toIndexDocuments(
  index: Index,
  sources: readonly SearchSource[],
  version: number,
): Promise<IndexDocument[]> {
  const all: IndexDocument[] = [];
  for (const source of sources) {
    if (all.length % YIELD_EVERY === 0) await setImmediate();
    all.push(toIndexDocument(index, source, version));
  }
  return all;
}

async function replaceDocuments(
  tx: Tx,
  { engine }: IndexingContext,
  ids: readonly string[],
  documents: readonly IndexDocument[],
): Promise<void> {
  await engine.upsert(tx, documents);
  const there = new Set(documents.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length > 0) await engine.remove(tx, gone);
}
