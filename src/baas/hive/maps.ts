import type { Hives } from "./hives.ts";
import { countEntries } from "./hive-keys.ts";
import { assertName } from "./hive-names.ts";
import type { StoreKey, HiveKey } from "./hive-store.ts";

const mapKey = (spot: HiveKey): StoreKey => ({ ...spot, kind: "map" });

/** Values as JSON by field: of these fields, or all. */
export async function readMap(
  { store }: Hives,
  spot: HiveKey,
  fields?: string[],
): Promise<Map<string, string>> {
  const entries = await store.entries.read(mapKey(spot), fields);
  return new Map(entries.map(({ field, value }) => [field, value]));
}

export const mapLength = (hives: Hives, spot: HiveKey): Promise<number> => countEntries(hives, mapKey(spot));

/**
 * Sets fields; returns how many are new.
 * @throws `invalid` for invalid names, `too-large`
 */
export async function writeMap(
  { store }: Hives,
  spot: HiveKey,
  values: Record<string, unknown>,
): Promise<number> {
  assertName(...Object.keys(values), spot.key);
  const entries = Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) }));
  return store.entries.put(mapKey(spot), entries);
}

/**
 * Sets a field unless it exists; returns whether it did.
 * @throws as `writeMap` does
 */
export async function addToMap(
  { store }: Hives,
  spot: HiveKey,
  field: string,
  value: unknown,
): Promise<boolean> {
  assertName(field, spot.key);
  return store.entries.putNew(mapKey(spot), { field, value: JSON.stringify(value) });
}

/**
 * Adds to the number of a field, 0 if missing.
 * @throws `invalid` for a value or result that is not a number
 */
export async function addToMapField(
  { store }: Hives,
  spot: HiveKey,
  field: string,
  by: number,
): Promise<number> {
  assertName(field, spot.key);
  return store.entries.add(mapKey(spot), field, by);
}

/** Removes fields; returns how many existed. */
export async function removeFromMap({ store }: Hives, spot: HiveKey, fields: string[]): Promise<number> {
  assertName(spot.key);
  return store.entries.remove(mapKey(spot), fields);
}
