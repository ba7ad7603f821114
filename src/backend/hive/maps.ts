import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName } from "./names.ts";
import type { Place, Spot } from "./store.ts";

const at = (spot: Spot): Place => ({ ...spot, kind: "map" });

/** Values as JSON by field: of these fields, or all. */
export async function readMap({ store }: Hives, spot: Spot, fields?: string[]): Promise<Map<string, string>> {
  const entries = await store.entries.read(at(spot), fields);
  return new Map(entries.map(({ field, value }) => [field, value]));
}

export const mapLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, at(spot));

/**
 * Sets fields; returns how many are new.
 * @throws `invalid` for invalid names, `too-large`
 */
export async function writeMap({ store }: Hives, spot: Spot, values: Record<string, unknown>): Promise<number> {
  assertName(...Object.keys(values), spot.key);
  const entries = Object.entries(values).map(([field, value]) => ({ field, value: JSON.stringify(value) }));
  return store.entries.put(at(spot), entries);
}

/**
 * Sets a field unless it exists; returns whether it did.
 * @throws as `writeMap` does
 */
export async function addToMap({ store }: Hives, spot: Spot, field: string, value: unknown): Promise<boolean> {
  assertName(field, spot.key);
  return store.entries.putNew(at(spot), { field, value: JSON.stringify(value) });
}

/**
 * Adds to the number of a field, 0 if missing.
 * @throws `invalid` for a value or result that is not a number
 */
export async function addToField({ store }: Hives, spot: Spot, field: string, by: number): Promise<number> {
  assertName(field, spot.key);
  return store.entries.add(at(spot), field, by);
}

/** Removes fields; returns how many existed. */
export async function removeFromMap({ store }: Hives, spot: Spot, fields: string[]): Promise<number> {
  assertName(spot.key);
  return store.entries.remove(at(spot), fields);
}
