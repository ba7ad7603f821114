import { createHash } from "node:crypto";
import { many, one, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Hives } from "./hives.ts";
import { findKey, type Found, type Place } from "./keys.ts";

const MOST_ENTRIES = 100_000;
/** Characters of all entries of one store. */
const LARGEST = 20_000_000;

type Entry = { field: string; value: string };

/** Entries of a store: those of these fields, or all, in the order of the fields. */
export async function readEntries(hives: Hives, place: Place, fields?: string[]): Promise<Entry[]> {
  const found = await findKey(hives, place);
  if (!found) return [];
  const which = fields ? sql`and field = any(${fields})` : sql``;
  return many(hives.db, sql<Entry>`select field, value from hive_entries where key_id = ${found.id} ${which} order by field`);
}

export const countEntries = async (hives: Hives, place: Place): Promise<number> => (await findKey(hives, place))?.entries ?? 0;

/** Writes entries over those of their fields; how many fields are new. Throws `too-large` where a store would hold too much. */
export async function putEntries(tx: Tx, { id }: Found, entries: Entry[]): Promise<number> {
  const fields = entries.map(({ field }) => field);
  const values = entries.map(({ value }) => value);
  const { n, size } = await one(
    tx,
    sql<{ n: number; size: string }>`
      with before as (select count(*)::int as n, coalesce(sum(char_length(value)), 0) as size from hive_entries where key_id = ${id} and field = any(${fields})),
      put as (insert into hive_entries (key_id, field, value) select ${id}::bigint, f, v from unnest(${fields}::text[], ${values}::text[]) as given (f, v)
        on conflict (key_id, field) do update set value = excluded.value)
      select n, (select coalesce(sum(char_length(v)), 0) from unnest(${values}::text[]) v) - size as size from before`,
  );
  const made = entries.length - n;
  await settle(tx, id, { entries: made, size: Number(size) });
  return made;
}

/** Takes entries out; how many there were. */
export async function removeEntries(tx: Tx, { id }: Found, fields: string[]): Promise<number> {
  const { n, size } = await one(
    tx,
    sql<{ n: number; size: string }>`
      with gone as (delete from hive_entries where key_id = ${id} and field = any(${fields}) returning char_length(value) as size)
      select count(*)::int as n, coalesce(sum(size), 0) as size from gone`,
  );
  await settle(tx, id, { entries: -n, size: -Number(size) });
  return n;
}

/** Notes how much there is, and gives how many entries that are. A store without entries is none. Throws `too-large`. */
export async function settle(tx: Tx, id: string, by: { entries: number; size: number }): Promise<number> {
  const now = await one(
    tx,
    sql<{ entries: number; size: string }>`update hive_keys set entries = entries + ${by.entries}, size = size + ${by.size}
      where id = ${id} returning entries, size`,
  );
  if (now.entries > MOST_ENTRIES || Number(now.size) > LARGEST)
    throw new Refusal("too-large", `A store of a hive holds ${MOST_ENTRIES} entries of ${LARGEST} characters together at the most.`);
  if (now.entries === 0) await run(tx, sql`delete from hive_keys where id = ${id}`);
  return now.entries;
}

/** The same for values that are the same, whatever the order in which their parts were named. */
export const fieldOf = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(value, (_key, it: unknown) => (isPlain(it) ? sorted(it) : it)))
    .digest("base64url");

const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const sorted = (value: Record<string, unknown>) => Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
