import { type Database, isUniqueViolation, many, maybeOne, run, sql } from "#platform/database";
import type { Room } from "#platform/limits";
import { hiveIsThere, noSuchHive, tooManyHives } from "../refusals.ts";
import { MOST_HIVES } from "../store.ts";

export type Rows = Pick<Database, "db" | "world" | "inTransaction"> & { room: Room };

export async function hiveNames({ db }: Rows): Promise<string[]> {
  const rows = await many(db, sql<{ name: string }>`select name from hives order by name`);
  return rows.map(({ name }) => name);
}

export async function createHive({ db, world }: Rows, name: string): Promise<void> {
  const made = sql`
    insert into hives (id, name, created_at) select ${world.newId()}::uuid, ${name}, ${world.now()}::timestamptz
    where (select count(*) from hives) < ${MOST_HIVES}`;
  if ((await named(run(db, made), name)) === 0) throw tooManyHives();
}

export async function deleteHive({ db }: Rows, name: string): Promise<void> {
  if ((await run(db, sql`delete from hives where name = ${name}`)) === 0) throw noSuchHive(name);
}

export async function renameHive({ db }: Rows, name: string, newName: string): Promise<void> {
  if ((await named(run(db, sql`update hives set name = ${newName} where name = ${name}`), newName)) === 0) throw noSuchHive(name);
}

export const emptyHives = async ({ db }: Rows): Promise<void> => void (await run(db, sql`delete from hives`));

/** @throws `not-found` */
export async function hiveId({ db }: Pick<Rows, "db">, name: string): Promise<string> {
  const found = await maybeOne(db, sql<{ id: string }>`select id from hives where name = ${name}`);
  if (!found) throw noSuchHive(name);
  return found.id;
}

async function named(work: Promise<number>, name: string): Promise<number> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) throw hiveIsThere(name);
    throw error;
  }
}
