import { setImmediate } from "node:timers/promises";
import { type Database, one, run, sql, type Tx } from "#platform/database";
import type { Log } from "#platform/log";
import { EngineAway, type Filed, type Index, type SearchEngine } from "../engine.ts";
import { filedOf } from "./filed.ts";
import { type Source, sourcesOf } from "./sources.ts";

export type At = { database: Database; engine: SearchEngine; log?: Log };

/** Documents read and processed at once: a file may have a million characters. */
export const AT_ONCE: Record<Index, number> = { people: 250, groups: 250, discussions: 250, posts: 250, resources: 10, messages: 250 };
/** Documents tokenized before the event loop gets a turn. */
const IN_A_ROW = 25;

/**
 * Indexes the current state of these documents and removes those no longer searchable. One that fails is
 * removed and logged; it does not block the others.
 */
export async function file(tx: Tx, at: At, index: Index, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(tx, sql`savepoint filing`);
  try {
    await fileTogether(tx, at, index, ids);
  } catch (error) {
    await run(tx, sql`rollback to savepoint filing`);
    if (error instanceof EngineAway) throw error;
    const half = ids.length >> 1;
    if (half > 0) for (const some of [ids.slice(0, half), ids.slice(half)]) await file(tx, at, index, some);
    else {
      at.log?.error({ err: error, index, id: ids[0] }, "a thing could not be filed for search");
      await at.engine.remove(tx, ids);
    }
  }
  await run(tx, sql`release savepoint filing`);
}

/** Works in batches: while the database writes one, the next is tokenized. */
async function fileTogether(tx: Tx, at: At, index: Index, ids: readonly string[]): Promise<void> {
  const { version } = await one(tx, sql<{ version: string }>`select nextval('search_versions') as version`);
  const filedFrom = async (from: number) =>
    filedOfAll(index, await sourcesOf(tx, index, ids.slice(from, from + AT_ONCE[index])), Number(version));
  let next = await filedFrom(0);
  for (let from = 0; from < ids.length; from += AT_ONCE[index]) {
    const part = next;
    // Requested before this batch is written, since both use one connection.
    const reading = filedFrom(from + AT_ONCE[index]);
    [next] = await Promise.all([reading, put(tx, at, ids.slice(from, from + AT_ONCE[index]), part)]);
  }
}

async function filedOfAll(index: Index, sources: readonly Source[], version: number): Promise<Filed[]> {
  const all: Filed[] = [];
  for (const source of sources) {
    if (all.length % IN_A_ROW === 0) await setImmediate();
    all.push(filedOf(index, source, version));
  }
  return all;
}

async function put(tx: Tx, { engine }: At, ids: readonly string[], filed: readonly Filed[]): Promise<void> {
  await engine.upsert(tx, filed);
  const there = new Set(filed.map(({ id }) => id));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length > 0) await engine.remove(tx, gone);
}
