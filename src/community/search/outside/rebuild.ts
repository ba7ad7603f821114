import { type Database, limit, many, run, sql } from "#platform/database";
import { filedOf } from "../filing/filed.ts";
import { FILING_LOCK } from "../filing/rounds.ts";
import { sourcesOf } from "../filing/sources.ts";
import { ALIAS, isOfThisShape, nameOf, NEXT, OUTSIDE, type OutsideIndex, outsideOf, schemaOf } from "./collection.ts";
import type { Typesense } from "./typesense.ts";

type At = { database: Database; typesense: Typesense };
type Ways = { onProgress?: ((count: number) => unknown) | undefined; signal?: AbortSignal };

/** Documents copied at once, under the indexing lock. */
const SHARE = 200;

/** Advisory lock of the process that rebuilds Typesense. */
const REBUILD_LOCK = 7_301_552;

/**
 * Rebuilds Typesense if it is empty or has an old schema, unless another process does so. Returns the number
 * of documents; null when there was nothing to do.
 */
export async function fillWhereEmpty(at: At, signal: AbortSignal): Promise<number | null> {
  if (await isThere(at.typesense)) return null;
  const client = await at.database.pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [REBUILD_LOCK]);
    if (!rows[0]?.mine) return null;
    try {
      // The previous holder of the lock may have filled it.
      return (await isThere(at.typesense)) ? null : await rebuild(at, { signal });
    } finally {
      await client.query("select pg_advisory_unlock($1)", [REBUILD_LOCK]).catch((error: Error) => (broken = error));
    }
  } finally {
    client.release(broken);
  }
}

/** Whether the alias leads to one of our collections with the current schema. */
const isThere = async (typesense: Typesense): Promise<boolean> => isOfThisShape((await typesense.aliases()).get(ALIAS) ?? "");

/**
 * Fills a second collection with all documents, then switches the alias. The first one answers until then,
 * and changes go to both. The indexing lock keeps old data from overwriting new. Returns the number of
 * documents. `signal` aborts between batches; the next rebuild drops the leftovers.
 */
export async function rebuild({ database, typesense }: At, { onProgress, signal }: Ways = {}): Promise<number> {
  const before = await typesense.aliases();
  const collection = nameOf(await database.inTransaction(async (tx) => tx.newId()));
  await typesense.create(schemaOf(collection));
  await typesense.lead(NEXT, collection);
  let count = 0;
  for (const index of OUTSIDE) {
    for (let after = "00000000-0000-0000-0000-000000000000"; ;) {
      const ids = await share({ database, typesense }, collection, index, after);
      count += ids.length;
      if (ids.length > 0) await onProgress?.(count);
      signal?.throwIfAborted();
      if (ids.length < SHARE) break;
      after = ids.at(-1)!;
    }
  }
  await typesense.lead(ALIAS, collection);
  await typesense.unlead(NEXT);
  for (const old of new Set([before.get(ALIAS), before.get(NEXT)])) if (old !== undefined && old !== collection) await typesense.drop(old);
  return count;
}

const share = ({ database, typesense }: At, collection: string, index: OutsideIndex, after: string): Promise<string[]> =>
  database.inTransaction(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${FILING_LOCK})`);
    const filed = await many(
      tx,
      sql<{
        id: string;
        version: string;
      }>`select id, version from search_documents where in_index = ${index} and id > ${after}::uuid order by id ${limit(SHARE)}`,
    );
    const versions = new Map(filed.map(({ id, version }) => [id, Number(version)]));
    const sources = await sourcesOf(tx, index, [...versions.keys()]);
    if (sources.length > 0)
      await typesense.bring(
        collection,
        sources.map((source) => outsideOf(filedOf(index, source, versions.get(source.id)!))),
      );
    return [...versions.keys()];
  });
