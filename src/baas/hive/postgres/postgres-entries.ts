import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { storeFull, setsTooLarge } from "../hive-errors.ts";
import {
  type SetOperation,
  type StoreEntry,
  MAX_STORE_CHARACTERS,
  MAX_COMBINED_CHARACTERS,
  MAX_COMBINED,
  MAX_ENTRIES,
  type StoreKey,
  type KeySpace,
} from "../hive-store.ts";
import { getHiveId, type PostgresContext } from "./postgres-hives.ts";
import { addToJsonNumber } from "./postgres-key-values.ts";
import { findKey, type StoredKey, withKey } from "./postgres-keys.ts";

export async function readEntries(
  hives: PostgresContext,
  storeKey: StoreKey,
  fields?: string[],
): Promise<StoreEntry[]> {
  const found = await findKey(hives, storeKey);
  if (!found) return [];
  const which = fields ? sql`and field = any(${fields})` : sql``;
  return many(
    hives.db,
    sql<StoreEntry>`select field, value from hive_entries where key_id = ${found.id} ${which} order by field`,
  );
}

export const putEntries = (
  hives: PostgresContext,
  storeKey: StoreKey,
  entries: StoreEntry[],
): Promise<number> => withKey(hives, storeKey, (tx, key) => upsertEntries(tx, key, entries));

export const putNewEntry = (
  hives: PostgresContext,
  storeKey: StoreKey,
  entry: StoreEntry,
): Promise<boolean> =>
  withKey(hives, storeKey, async (tx, key) => {
    if (
      await maybeOne(tx, sql`select 1 from hive_entries where key_id = ${key.id} and field = ${entry.field}`)
    )
      return false;
    await upsertEntries(tx, key, [entry]);
    return true;
  });

export const addToEntry = (
  hives: PostgresContext,
  storeKey: StoreKey,
  field: string,
  by: number,
): Promise<number> =>
  withKey(hives, storeKey, async (tx, key) => {
    const there = sql<{
      value: string;
    }>`select value from hive_entries where key_id = ${key.id} and field = ${field}`;
    const sum = addToJsonNumber((await maybeOne(tx, there))?.value ?? null, by);
    await upsertEntries(tx, key, [{ field, value: JSON.stringify(sum) }]);
    return sum;
  });

export const removeEntries = (
  hives: PostgresContext,
  storeKey: StoreKey,
  fields: string[],
): Promise<number> => withKey(hives, storeKey, (tx, key) => deleteEntries(tx, key, fields));

export async function getRandomEntries(
  hives: PostgresContext,
  storeKey: StoreKey,
  count: number,
): Promise<string[]> {
  const found = await findKey(hives, storeKey);
  return found ? (await selectRandom(hives.db, found, count)).map(({ value }) => value) : [];
}

export const takeRandomEntries = (
  hives: PostgresContext,
  storeKey: StoreKey,
  count: number,
): Promise<string[]> =>
  withKey(hives, storeKey, async (tx, key) => {
    const rows = await selectRandom(tx, key, count);
    const fields = rows.map(({ field }) => field);
    await deleteEntries(tx, key, fields);
    return rows.map(({ value }) => value);
  });

const selectRandom = (db: PostgresContext["db"] | Tx, { id }: StoredKey, count: number) =>
  many(
    db,
    sql<StoreEntry>`select field, value from hive_entries where key_id = ${id} order by random()
      limit ${count}`,
  );

export async function combineEntries(
  hives: PostgresContext,
  { hive, kind }: KeySpace,
  how: SetOperation,
  keys: string[],
): Promise<string[]> {
  const selection = sql`k.hive_id = ${await getHiveId(hives, hive)} and k.kind = ${kind} and k.key = any(${keys})
    and (k.expires_at is null or k.expires_at > ${hives.runtime.now()})`;
  const all = sql<{
    n: string;
    size: string;
  }>`select coalesce(sum(entries), 0) as n, coalesce(sum(size), 0) as size from hive_keys k where ${selection}`;
  const { n, size } = await one(hives.db, all);
  if (Number(n) > MAX_COMBINED || Number(size) > MAX_COMBINED_CHARACTERS) throw setsTooLarge();
  const condition = {
    difference: sql`bool_or(k.key = ${keys[0] ?? ""}) and count(*) = 1`,
    intersection: sql`count(*) = ${keys.length}`,
    union: sql`true`,
  }[how];
  // Summed as `numeric`, because the sum of two very large scores overflows `double precision`.
  const rows = sql<{ value: string }>`
    select min(e.value) as value from hive_keys k join hive_entries e on e.key_id = k.id where ${selection}
    group by e.field having ${condition}
    order by sum(e.score::numeric), max(e.score), e.field ${limit(MAX_ENTRIES)}`;
  return (await many(hives.db, rows)).map(({ value }) => value);
}

/**
 * Sets entries; returns how many fields are new.
 * @throws `too-large`
 */
async function upsertEntries(tx: Tx, { id }: StoredKey, entries: StoreEntry[]): Promise<number> {
  const fields = entries.map(({ field }) => field);
  const values = entries.map(({ value }) => value);
  const { n, size } = await one(
    tx,
    sql<{ n: number; size: string }>`
      with before as (select count(*)::int as n, coalesce(sum(char_length(value)), 0) as size
        from hive_entries where key_id = ${id} and field = any(${fields})),
      put as (insert into hive_entries (key_id, field, value) select ${id}::bigint, f, v
        from unnest(${fields}::text[], ${values}::text[]) as given (f, v)
        on conflict (key_id, field) do update set value = excluded.value)
      select n, (select coalesce(sum(char_length(v)), 0) from unnest(${values}::text[]) v) - size as size
      from before`,
  );
  const made = entries.length - n;
  await updateSize(tx, id, { entries: made, size: Number(size) });
  return made;
}

/** Removes entries; returns how many existed. */
export async function deleteEntries(tx: Tx, { id }: StoredKey, fields: string[]): Promise<number> {
  const { n, size } = await one(
    tx,
    sql<{ n: number; size: string }>`
      with gone as (delete from hive_entries where key_id = ${id} and field = any(${fields})
        returning char_length(value) as size)
      select count(*)::int as n, coalesce(sum(size), 0) as size from gone`,
  );
  await updateSize(tx, id, { entries: -n, size: -Number(size) });
  return n;
}

/**
 * Updates the stored size of a store and returns its number of entries. An empty store is deleted.
 * @throws `too-large`
 */
export async function updateSize(tx: Tx, id: string, by: { entries: number; size: number }): Promise<number> {
  const now = await one(
    tx,
    sql<{
      entries: number;
      size: string;
    }>`update hive_keys set entries = entries + ${by.entries}, size = size + ${by.size}
      where id = ${id} returning entries, size`,
  );
  if (now.entries > MAX_ENTRIES || Number(now.size) > MAX_STORE_CHARACTERS) throw storeFull();
  if (now.entries === 0) await run(tx, sql`delete from hive_keys where id = ${id}`);
  return now.entries;
}
