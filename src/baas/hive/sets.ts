import type { Hives } from "./hives.ts";
import { countEntries } from "./hive-keys.ts";
import { assertName, hashValue, createHashedEntry } from "./hive-names.ts";
import type { SetOperation, StoreKey, HiveKey } from "./hive-store.ts";

const setKey = (hiveKey: HiveKey): StoreKey => ({ ...hiveKey, kind: "set" });

/** Returns all values as JSON, in no particular order. */
export const readSet = async ({ store }: Hives, hiveKey: HiveKey): Promise<string[]> =>
  (await store.entries.read(setKey(hiveKey))).map(({ value }) => value);

export const getSetLength = (hives: Hives, hiveKey: HiveKey): Promise<number> =>
  countEntries(hives, setKey(hiveKey));

/**
 * Adds values; returns how many are new.
 * @throws `too-large`
 */
export async function addToSet({ store }: Hives, hiveKey: HiveKey, values: unknown[]): Promise<number> {
  assertName(hiveKey.key);
  const entries = new Map(values.map((value) => [hashValue(value), createHashedEntry(value)]));
  return store.entries.put(setKey(hiveKey), [...entries.values()]);
}

/** Removes values; returns how many existed. */
export async function removeFromSet({ store }: Hives, hiveKey: HiveKey, values: unknown[]): Promise<number> {
  assertName(hiveKey.key);
  return store.entries.remove(setKey(hiveKey), values.map(hashValue));
}

/** Returns for each value whether it is in the set. */
export async function checkInSet({ store }: Hives, hiveKey: HiveKey, values: unknown[]): Promise<boolean[]> {
  const fields = values.map(hashValue);
  const there = new Set((await store.entries.read(setKey(hiveKey), fields)).map(({ field }) => field));
  return fields.map((field) => there.has(field));
}

/** Returns distinct values, chosen at random. */
export const getRandomFromSet = ({ store }: Hives, hiveKey: HiveKey, count: number): Promise<string[]> =>
  store.entries.random(setKey(hiveKey), count);

/** Removes values chosen at random and returns them. */
export async function takeRandomFromSet(
  { store }: Hives,
  hiveKey: HiveKey,
  count: number,
): Promise<string[]> {
  assertName(hiveKey.key);
  return store.entries.takeRandom(setKey(hiveKey), count);
}

/**
 * Combines sets: values in the first set and in no other, in all sets, or in any. Values of sorted sets are
 * ordered by the sum of their scores.
 * @throws `too-large` if the sets have more entries than two of the maximum size
 */
export const combineSets = (
  { store }: Hives,
  location: { hive: string; kind: "set" | "sorted-set" },
  how: SetOperation,
  keys: string[],
): Promise<string[]> => store.entries.combine(location, how, [...new Set(keys)]);
