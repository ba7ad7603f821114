import { many, sql, type Tx } from "#platform/database";
import { countEntries, fieldOf, putEntries, readEntries, removeEntries } from "./entries.ts";
import { hiveId, type Hives } from "./hives.ts";
import { findKey, type Found, onKey, type Place } from "./keys.ts";

type Spot = { hive: string; key: string };
const at = (spot: Spot): Place => ({ ...spot, kind: "set" });

/** Everything in a set as JSON, in no order that means anything. */
export const readSet = async (hives: Hives, spot: Spot): Promise<string[]> =>
  (await readEntries(hives, at(spot))).map(({ value }) => value);

export const setLength = (hives: Hives, spot: Spot): Promise<number> => countEntries(hives, at(spot));

/** Puts values in; how many were not there. Throws `too-large` for too much. */
export function addToSet(hives: Hives, spot: Spot, values: unknown[]): Promise<number> {
  const entries = new Map(values.map((value) => [fieldOf(value), JSON.stringify(value)]));
  return onKey(hives, at(spot), (tx, held) =>
    putEntries(
      tx,
      held,
      [...entries].map(([field, value]) => ({ field, value })),
    ),
  );
}

/** Takes values out; how many were there. */
export const removeFromSet = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> =>
  onKey(hives, at(spot), (tx, held) => removeEntries(tx, held, values.map(fieldOf)));

/** Of each value, whether it is there. */
export async function areInSet(hives: Hives, spot: Spot, values: unknown[]): Promise<boolean[]> {
  const fields = values.map(fieldOf);
  const there = new Set((await readEntries(hives, at(spot), fields)).map(({ field }) => field));
  return fields.map((field) => there.has(field));
}

/** So many values by chance, no one twice. */
export async function randomOfSet(hives: Hives, spot: Spot, count: number): Promise<string[]> {
  const found = await findKey(hives, at(spot));
  return found ? (await drawn(hives.db, found, count)).map(({ value }) => value) : [];
}

/** So many values by chance, which are taken out. */
export const takeRandomOfSet = (hives: Hives, spot: Spot, count: number): Promise<string[]> =>
  onKey(hives, at(spot), async (tx, held) => {
    const rows = await drawn(tx, held, count);
    const fields = rows.map(({ field }) => field);
    await removeEntries(tx, held, fields);
    return rows.map(({ value }) => value);
  });

const drawn = (db: Hives["db"] | Tx, { id }: Found, count: number) =>
  many(
    db,
    sql<{ field: string; value: string }>`select field, value from hive_entries where key_id = ${id} order by random() limit ${count}`,
  );

/** What is in the first of these sets and in none of the others; in all of them; in any. Sorted ones in the order of their scores together. */
export async function combineSets(
  hives: Hives,
  { hive, kind }: { hive: string; kind: "set" | "sorted-set" },
  how: "difference" | "intersection" | "union",
  keys: string[],
): Promise<string[]> {
  const wanted = [...new Set(keys)];
  const condition = {
    difference: sql`bool_or(k.key = ${wanted[0] ?? ""}) and count(*) = 1`,
    intersection: sql`count(*) = ${wanted.length}`,
    union: sql`true`,
  }[how];
  // Summed as `numeric`, which two of the largest scores do not leave.
  const rows = sql<{ value: string }>`
    select min(e.value) as value from hive_keys k join hive_entries e on e.key_id = k.id
    where k.hive_id = ${await hiveId(hives, hive)} and k.kind = ${kind} and k.key = any(${wanted})
    and (k.expires_at is null or k.expires_at > ${hives.world.now()})
    group by e.field having ${condition} order by sum(e.score::numeric), max(e.score), e.field limit 100000`;
  return (await many(hives.db, rows)).map(({ value }) => value);
}
