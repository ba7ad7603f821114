import { type Database, isUniqueViolation, many, maybeOne, run, sql } from "#platform/database";
import type { CachedQuota } from "#platform/limits";
import { hiveExists, hiveNotFound, tooManyHives } from "../hive-errors.ts";
import { MAX_HIVES } from "../hive-store.ts";

export type PostgresContext = Pick<Database, "db" | "runtime" | "inTransaction"> & { quota: CachedQuota };

export async function listHiveNames({ db }: PostgresContext): Promise<string[]> {
  const rows = await many(db, sql<{ name: string }>`select name from hives order by name`);
  return rows.map(({ name }) => name);
}

export async function createHive({ db, runtime }: PostgresContext, name: string): Promise<void> {
  const made = sql`
    insert into hives (id, name, created_at) select ${runtime.newId()}::uuid, ${name},
      ${runtime.now()}::timestamptz
    where (select count(*) from hives) < ${MAX_HIVES}`;
  if ((await catchNameTaken(run(db, made), name)) === 0) throw tooManyHives();
}

export async function deleteHive({ db }: PostgresContext, name: string): Promise<void> {
  if ((await run(db, sql`delete from hives where name = ${name}`)) === 0) throw hiveNotFound(name);
}

export async function renameHive({ db }: PostgresContext, name: string, newName: string): Promise<void> {
  if (
    (await catchNameTaken(run(db, sql`update hives set name = ${newName} where name = ${name}`), newName)) ===
    0
  )
    throw hiveNotFound(name);
}

export const clearHives = async ({ db }: PostgresContext): Promise<void> =>
  void (await run(db, sql`delete from hives`));

/**
 * Returns the id of a hive.
 * @throws `not-found`
 */
export async function getHiveId({ db }: Pick<PostgresContext, "db">, name: string): Promise<string> {
  const found = await maybeOne(db, sql<{ id: string }>`select id from hives where name = ${name}`);
  if (!found) throw hiveNotFound(name);
  return found.id;
}

async function catchNameTaken(work: Promise<number>, name: string): Promise<number> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) throw hiveExists(name);
    throw error;
  }
}
