import { type Database, limit, many, run, sql } from "#platform/database";
import { toIndexDocument } from "../indexing/index-document.ts";
import { INDEXING_LOCK } from "../indexing/indexing-batches.ts";
import { loadSearchSources } from "../indexing/search-sources.ts";
import {
  ALIAS,
  hasCurrentSchema,
  collectionName,
  NEXT_ALIAS,
  EXTERNAL_INDICES,
  type ExternalIndex,
  toTypesenseDocument,
  collectionSchema,
} from "./collection-schema.ts";
import type { Typesense } from "./typesense-client.ts";

type RebuildContext = { database: Database; typesense: Typesense };
type RebuildOptions = { onProgress?: ((count: number) => unknown) | undefined; signal?: AbortSignal };

/** Number of documents copied per batch, under the indexing lock. */
const BATCH_SIZE = 200;

/** Advisory lock of the process that rebuilds Typesense. */
const REBUILD_LOCK_ID = 7_301_552;

/**
 * Rebuilds Typesense if it is empty or has an old schema, unless another process is doing so. Returns the
 * number of documents; null if nothing was rebuilt.
 */
export async function rebuildIfEmpty(at: RebuildContext, signal: AbortSignal): Promise<number | null> {
  if (await isFilled(at.typesense)) return null;
  const client = await at.database.pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      REBUILD_LOCK_ID,
    ]);
    if (!rows[0]?.mine) return null;
    try {
      // The process that held the lock before may have filled it.
      return (await isFilled(at.typesense)) ? null : await rebuildCollection(at, { signal });
    } finally {
      await client
        .query("select pg_advisory_unlock($1)", [REBUILD_LOCK_ID])
        .catch((error: Error) => (broken = error));
    }
  } finally {
    client.release(broken);
  }
}

/** Whether the alias points to one of our collections with the current schema. */
const isFilled = async (typesense: Typesense): Promise<boolean> =>
  hasCurrentSchema((await typesense.aliases()).get(ALIAS) ?? "");

/**
 * Fills a second collection with all documents, then switches the alias to it. Until then the first
 * collection answers queries, and changes are written to both. The indexing lock prevents old data from
 * overwriting new data. Returns the number of documents. `signal` aborts between batches; the next rebuild
 * deletes the incomplete collection.
 */
export async function rebuildCollection(
  { database, typesense }: RebuildContext,
  { onProgress, signal }: RebuildOptions = {},
): Promise<number> {
  const before = await typesense.aliases();
  const collection = collectionName(await database.inTransaction(async (tx) => tx.newId()));
  await typesense.create(collectionSchema(collection));
  await typesense.lead(NEXT_ALIAS, collection);
  let count = 0;
  for (const index of EXTERNAL_INDICES) {
    for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
      const ids = await copyBatch({ database, typesense }, collection, index, after);
      count += ids.length;
      if (ids.length > 0) await onProgress?.(count);
      signal?.throwIfAborted();
      if (ids.length < BATCH_SIZE) break;
      after = ids.at(-1)!;
    }
  }
  await typesense.lead(ALIAS, collection);
  await typesense.unlead(NEXT_ALIAS);
  for (const old of new Set([before.get(ALIAS), before.get(NEXT_ALIAS)]))
    if (old !== undefined && old !== collection) await typesense.drop(old);
  return count;
}

const copyBatch = (
  { database, typesense }: RebuildContext,
  collection: string,
  index: ExternalIndex,
  after: string,
): Promise<string[]> =>
  database.inTransaction(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${INDEXING_LOCK})`);
    const filed = await many(
      tx,
      sql<{
        id: string;
        version: string;
      }>`select id, version from search_documents where in_index = ${index} and id > ${after}::uuid
        order by id ${limit(BATCH_SIZE)}`,
    );
    const versions = new Map(filed.map(({ id, version }) => [id, Number(version)]));
    const sources = await loadSearchSources(tx, index, [...versions.keys()]);
    if (sources.length > 0)
      await typesense.bring(
        collection,
        sources.map((source) =>
          toTypesenseDocument(toIndexDocument(index, source, versions.get(source.id)!)),
        ),
      );
    return [...versions.keys()];
  });
