import { type Database, isUniqueViolation, many, maybeOne, run, sql } from "#platform/database";
import { Room } from "#platform/limits";
import { Refusal } from "#platform/refusal";

const LONGEST_NAME = 250;
const MOST_HIVES = 1_000;
const MOST_KEYS = 100_000;

export type Hives = Pick<Database, "db" | "world" | "inTransaction"> & { room: Room };

/** Stores that programs keep things in, by the name of a hive, a kind and a key. */
export function openHives({ db, world, inTransaction }: Pick<Database, "db" | "world" | "inTransaction">): Hives {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from hive_keys`);
    return found!.n < MOST_KEYS;
  });
  return { db, world, inTransaction, room };
}

/** Names of the hives, in their order. */
export async function hiveNames({ db }: Hives): Promise<string[]> {
  const rows = await many(db, sql<{ name: string }>`select name from hives order by name`);
  return rows.map(({ name }) => name);
}

/** Throws `conflict` for a name that is taken, `invalid` for one that is none, `too-large` where there are too many. */
export async function createHive({ db, world }: Hives, name: string): Promise<void> {
  assertName(name);
  const made = sql`
    insert into hives (id, name, created_at) select ${world.newId()}::uuid, ${name}, ${world.now()}::timestamptz
    where (select count(*) from hives) < ${MOST_HIVES}`;
  if ((await named(run(db, made), name)) === 0) throw new Refusal("too-large", `There are ${MOST_HIVES} hives, as many as can be.`);
}

/** Takes a hive away with all of its stores. Throws `not-found`. */
export async function deleteHive({ db }: Hives, name: string): Promise<void> {
  if ((await run(db, sql`delete from hives where name = ${name}`)) === 0) throw noSuchHive(name);
}

/** Throws `not-found`, and what `createHive` throws. */
export async function renameHive({ db }: Hives, name: string, newName: string): Promise<void> {
  assertName(newName);
  if ((await named(run(db, sql`update hives set name = ${newName} where name = ${name}`), newName)) === 0) throw noSuchHive(name);
}

/** The id of the hive with this name. Throws `not-found`. */
export async function hiveId({ db }: Pick<Hives, "db">, name: string): Promise<string> {
  const found = await maybeOne(db, sql<{ id: string }>`select id from hives where name = ${name}`);
  if (!found) throw noSuchHive(name);
  return found.id;
}

const noSuchHive = (name: string) => new Refusal("not-found", `There is no hive '${name.slice(0, LONGEST_NAME)}'.`);

async function named(work: Promise<number>, name: string): Promise<number> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal("conflict", `There is a hive '${name}' already.`);
    throw error;
  }
}

/** Throws `invalid` for what no hive, store or entry can be called. */
export function assertName(...names: string[]): void {
  for (const name of names)
    if (name === "" || name.length > LONGEST_NAME)
      throw new Refusal("invalid", `Names of hives and keys have 1 to ${LONGEST_NAME} characters.`);
}
