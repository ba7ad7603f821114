import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { Combining, Place, Spot } from "./store.ts";

const at = (spot: Spot): Place => ({ ...spot, kind: "set" });

/** All values as JSON, in no particular order. */
export const readSet = async ({ store }: Hives, spot: Spot): Promise<string[]> =>
  (await store.entries.read(at(spot))).map(({ value }) => value);

export const setLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, at(spot));

/**
 * Adds values; returns how many are new.
 * @throws `too-large`
 */
export async function addToSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  const entries = new Map(values.map((value) => [fieldOf(value), hashed(value)]));
  return store.entries.put(at(spot), [...entries.values()]);
}

/** Removes values; returns how many existed. */
export async function removeFromSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  return store.entries.remove(at(spot), values.map(fieldOf));
}

/** Per value, whether it is in the set. */
export async function areInSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<boolean[]> {
  const fields = values.map(fieldOf);
  const there = new Set((await store.entries.read(at(spot), fields)).map(({ field }) => field));
  return fields.map((field) => there.has(field));
}

/** Random distinct values. */
export const randomOfSet = ({ store }: Hives, spot: Spot, count: number): Promise<string[]> => store.entries.random(at(spot), count);

/** Removes and returns random values. */
export async function takeRandomOfSet({ store }: Hives, spot: Spot, count: number): Promise<string[]> {
  assertName(spot.key);
  return store.entries.takeRandom(at(spot), count);
}

/**
 * The values in the first set and no other, in all sets, or in any. Sorted sets are ordered by the sum of
 * their scores.
 * @throws `too-large` for more than two sets of the largest size hold
 */
export const combineSets = (
  { store }: Hives,
  shelf: { hive: string; kind: "set" | "sorted-set" },
  how: Combining,
  keys: string[],
): Promise<string[]> => store.entries.combine(shelf, how, [...new Set(keys)]);
