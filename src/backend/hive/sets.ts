import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { Combining, Place, Spot } from "./store.ts";

const at = (spot: Spot): Place => ({ ...spot, kind: "set" });

/** Everything in a set as JSON, in no order that means anything. */
export const readSet = async ({ store }: Hives, spot: Spot): Promise<string[]> =>
  (await store.entries.read(at(spot))).map(({ value }) => value);

export const setLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, at(spot));

/** Puts values in; how many were not there. Throws `too-large` for too much. */
export async function addToSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  const entries = new Map(values.map((value) => [fieldOf(value), hashed(value)]));
  return store.entries.put(at(spot), [...entries.values()]);
}

/** Takes values out; how many were there. */
export async function removeFromSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  return store.entries.remove(at(spot), values.map(fieldOf));
}

/** Of each value, whether it is there. */
export async function areInSet({ store }: Hives, spot: Spot, values: unknown[]): Promise<boolean[]> {
  const fields = values.map(fieldOf);
  const there = new Set((await store.entries.read(at(spot), fields)).map(({ field }) => field));
  return fields.map((field) => there.has(field));
}

/** So many values by chance, no one twice. */
export const randomOfSet = ({ store }: Hives, spot: Spot, count: number): Promise<string[]> => store.entries.random(at(spot), count);

/** So many values by chance, which are taken out. */
export async function takeRandomOfSet({ store }: Hives, spot: Spot, count: number): Promise<string[]> {
  assertName(spot.key);
  return store.entries.takeRandom(at(spot), count);
}

/**
 * What is in the first of these sets and in none of the others; in all of them; in any. Sorted ones in the order of their scores together.
 * Throws `too-large` for more than two of the largest hold.
 */
export const combineSets = (
  { store }: Hives,
  shelf: { hive: string; kind: "set" | "sorted-set" },
  how: Combining,
  keys: string[],
): Promise<string[]> => store.entries.combine(shelf, how, [...new Set(keys)]);
