import { maybeOne, sql } from "#platform/database";
import { countEntries, putEntries, readEntries, removeEntries } from "./entries.ts";
import { assertName, type Hives } from "./hives.ts";
import { onKey, type Place } from "./keys.ts";
import { added } from "./key-values.ts";

type Spot = { hive: string; key: string };
const at = (spot: Spot): Place => ({ ...spot, kind: "map" });

/** What a map has under these fields, or under all, as JSON. */
export async function readMap(hives: Hives, spot: Spot, fields?: string[]): Promise<Map<string, string>> {
  const entries = await readEntries(hives, at(spot), fields);
  return new Map(entries.map(({ field, value }) => [field, value]));
}

export const mapLength = (hives: Hives, spot: Spot): Promise<number> => countEntries(hives, at(spot));

/** Writes fields over those there are; how many are new. Throws `invalid` for names that are none, `too-large` for too much. */
export async function writeMap(hives: Hives, spot: Spot, values: Record<string, unknown>): Promise<number> {
  assertName(...Object.keys(values));
  const entries = Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) }));
  return onKey(hives, at(spot), (tx, held) => putEntries(tx, held, entries));
}

/** Writes a field unless there is one; whether it did. Throws what `writeMap` throws. */
export function addToMap(hives: Hives, spot: Spot, field: string, value: unknown): Promise<boolean> {
  assertName(field);
  return onKey(hives, at(spot), async (tx, held) => {
    if (await maybeOne(tx, sql`select 1 from hive_entries where key_id = ${held.id} and field = ${field}`)) return false;
    await putEntries(tx, held, [{ field, value: JSON.stringify(value) }]);
    return true;
  });
}

/** Adds to the number of a field, 0 if there is none. Throws `invalid` where there is something else, or would be. */
export function addToField(hives: Hives, spot: Spot, field: string, by: number): Promise<number> {
  assertName(field);
  return onKey(hives, at(spot), async (tx, held) => {
    const there = sql<{ value: string }>`select value from hive_entries where key_id = ${held.id} and field = ${field}`;
    const sum = added((await maybeOne(tx, there))?.value ?? null, by);
    await putEntries(tx, held, [{ field, value: JSON.stringify(sum) }]);
    return sum;
  });
}

/** Takes fields out of a map; how many there were. */
export const removeFromMap = (hives: Hives, spot: Spot, fields: string[]): Promise<number> =>
  onKey(hives, at(spot), (tx, held) => removeEntries(tx, held, fields));
