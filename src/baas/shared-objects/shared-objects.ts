import { DAY, addMilliseconds } from "#platform/clock";
import { type Database, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { assertName, toBoundedJson } from "./shared-values.ts";

const MAX_OBJECTS = 10_000;
const MAX_KEYS = 1_000;
/** Maximum characters of all keys and values of one object. */
const MAX_OBJECT_CHARACTERS = 300_000;

export type SharedObjects = Pick<Database, "db" | "inTransaction"> & { quota: CachedQuota };

/**
 * Creates the store of named objects that API clients share, each with values by key. An object is created when its
 * first value is set.
 */
export function createSharedObjectStore({
  db,
  inTransaction,
}: Pick<Database, "db" | "inTransaction">): SharedObjects {
  const quota = new CachedQuota(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from shared_objects`);
    return found!.n < MAX_OBJECTS;
  });
  return { db, inTransaction, quota };
}

/**
 * Returns the value of a key, or null; without a key, the whole object.
 * @throws `invalid` for invalid names
 */
export async function readSharedObject({ db }: SharedObjects, name: string, key?: string): Promise<unknown> {
  assertName(name);
  if (key === undefined) {
    const rows = await many(
      db,
      sql<{
        key: string;
        value: string;
      }>`select key, value from shared_values where name = ${name} order by key`,
    );
    return Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value) as unknown]));
  }
  assertName(key);
  const found = await maybeOne(
    db,
    sql<{ value: string }>`select value from shared_values where name = ${name} and key = ${key}`,
  );
  return found ? (JSON.parse(found.value) as unknown) : null;
}

/** Returns values set in an object after `version`, in the order of change. */
export async function readChangesSince({ db }: SharedObjects, name: string, version: number) {
  const rows = await many(
    db,
    sql<{ key: string; value: string; version: string }>`
      select key, value, version from shared_values where name = ${name} and version > ${version}
      order by version`,
  );
  return rows.map((row) => ({
    key: row.key,
    data: JSON.parse(row.value) as unknown,
    version: Number(row.version),
  }));
}

/**
 * Sets a value and returns its version.
 * @throws `invalid` for invalid names or a value nested too deep, `too-large` for the value, the object or
 * the number of objects
 */
export async function setSharedValue(
  objects: SharedObjects,
  name: string,
  key: string,
  value: unknown,
): Promise<number> {
  assertName(name);
  assertName(key);
  const text = toBoundedJson(value);
  await assertObjectQuota(objects, name);
  return objects.inTransaction(async (tx) => {
    await lockObject(tx, name);
    const after = await one(tx, upsertValueSql(name, key, text));
    if (after.keys > MAX_KEYS)
      throw new Refusal(
        "too-large",
        msg("A shared object can have at most {count} keys.", { count: MAX_KEYS }),
      );
    if (after.size > MAX_OBJECT_CHARACTERS)
      throw new Refusal(
        "too-large",
        msg("{what} can have at most {count} characters as JSON.", {
          what: msg("A shared object"),
          count: MAX_OBJECT_CHARACTERS,
        }),
      );
    return Number(after.version);
  });
}

/** Locks an object. Later statements see the changes that others have committed before. */
const lockObject = (tx: Tx, name: string) =>
  run(
    tx,
    sql`insert into shared_objects (name, changed_at) values (${name}, ${tx.now})
        on conflict (name) do update set changed_at = excluded.changed_at`,
  );

const upsertValueSql = (name: string, key: string, text: string) => sql<{
  version: string;
  keys: number;
  size: number;
}>`
  with before as (select char_length(value) as size from shared_values where name = ${name} and key = ${key}),
  put as (
    insert into shared_values (name, key, value, version)
    values (${name}, ${key}, ${text}, nextval('shared_versions'))
    on conflict (name, key) do update set value = excluded.value, version = excluded.version
    returning version),
  counted as (
    update shared_objects set keys = keys + case when exists (select from before) then 0 else 1 end,
      size = size + char_length(${text}::text) - coalesce((select size from before),
        -char_length(${key}::text))
    where name = ${name} returning keys, size::float8 as size)
  select put.version, counted.keys, counted.size from put, counted`;

/**
 * Clears an object and returns the version of this change.
 * @throws `invalid` for an invalid name
 */
export async function clearSharedObject(objects: SharedObjects, name: string): Promise<number> {
  assertName(name);
  return objects.inTransaction(async (tx) => {
    await maybeOne(tx, sql`select 1 from shared_objects where name = ${name} for update`);
    await run(tx, sql`delete from shared_values where name = ${name}`);
    await run(
      tx,
      sql`update shared_objects set keys = 0, size = 0, changed_at = ${tx.now} where name = ${name}`,
    );
    return Number(
      (await one(tx, sql<{ version: string }>`select nextval('shared_versions') as version`)).version,
    );
  });
}

/** Deletes objects that have been empty for a day. */
export const purgeSharedObjects = async (tx: Tx): Promise<void> =>
  void (await run(
    tx,
    sql`delete from shared_objects where keys = 0 and changed_at < ${addMilliseconds(tx.now, -DAY)}`,
  ));

/** Checks that an object may be created; an existing object always passes. */
async function assertObjectQuota({ db, quota }: SharedObjects, name: string) {
  if ((await quota.left()) || (await maybeOne(db, sql`select 1 from shared_objects where name = ${name}`)))
    return;
  throw new Refusal(
    "too-large",
    msg("There are {count} shared objects, the maximum.", { count: MAX_OBJECTS }),
  );
}
