import type { Hives } from "./hives.ts";
import { countEntries } from "./hive-keys.ts";
import { assertName } from "./hive-names.ts";
import type { StoreKey, HiveKey } from "./hive-store.ts";

const mapKey = (hiveKey: HiveKey): StoreKey => ({ ...hiveKey, kind: "map" });

/** Returns values as JSON by field, for these fields or for all. */
export async function readMap(
  { store }: Hives,
  hiveKey: HiveKey,
  fields?: string[],
): Promise<Map<string, string>> {
  const entries = await store.entries.read(mapKey(hiveKey), fields);
  return new Map(entries.map(({ field, value }) => [field, value]));
}

export const getMapLength = (hives: Hives, hiveKey: HiveKey): Promise<number> =>
  countEntries(hives, mapKey(hiveKey));

/**
 * Sets fields; returns how many are new.
 * @throws `invalid` for invalid names, `too-large`
 */
export async function writeMap(
  { store }: Hives,
  hiveKey: HiveKey,
  values: Record<string, unknown>,
): Promise<number> {
  assertName(...Object.keys(values), hiveKey.key);
  const entries = Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) }));
  return store.entries.put(mapKey(hiveKey), entries);
}

/**
 * Sets a field unless it exists; returns whether it did.
 * @throws as `writeMap` does
 */
export async function addToMap(
  { store }: Hives,
  hiveKey: HiveKey,
  field: string,
  value: unknown,
): Promise<boolean> {
  assertName(field, hiveKey.key);
  return store.entries.putNew(mapKey(hiveKey), { field, value: JSON.stringify(value) });
}

/**
 * Adds to the number in a field, which is 0 if missing.
 * @throws `invalid` for a value or result that is not a number
 */
export async function addToMapField(
  { store }: Hives,
  hiveKey: HiveKey,
  field: string,
  by: number,
): Promise<number> {
  assertName(field, hiveKey.key);
  return store.entries.add(mapKey(hiveKey), field, by);
}

/** Removes fields; returns how many existed. */
export async function removeFromMap({ store }: Hives, hiveKey: HiveKey, fields: string[]): Promise<number> {
  assertName(hiveKey.key);
  return store.entries.remove(mapKey(hiveKey), fields);
}
