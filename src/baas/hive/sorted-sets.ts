import type { Hives } from "./hives.ts";
import { countEntries } from "./hive-keys.ts";
import { assertName, hashValue, createHashedEntry } from "./hive-names.ts";
import type { ScoreOptions, ScoreRange, RangeOptions, ScoredValue, HiveKey } from "./hive-store.ts";

/**
 * Adds values with scores or updates existing ones, as far as `how` allows. Returns how many values are new
 * or, depending on `how`, new or changed.
 * @throws `too-large`
 */
export async function addScored(
  { store }: Hives,
  hiveKey: HiveKey,
  items: [number, unknown][],
  how: ScoreOptions = {},
): Promise<number> {
  assertName(hiveKey.key);
  return store.scores.add(
    hiveKey,
    items.map(([score, value]) => ({ score, ...createHashedEntry(value) })),
    how,
  );
}

/**
 * Adds to the score of a value, which is 0 if missing; returns the new score.
 * @throws `invalid` on overflow, `too-large`
 */
export async function addToScore(
  { store }: Hives,
  hiveKey: HiveKey,
  value: unknown,
  by: number,
): Promise<number> {
  assertName(hiveKey.key);
  return store.scores.addTo(hiveKey, createHashedEntry(value), by);
}

/** Removes and returns the values with the highest or the lowest scores, starting with the outermost. */
export async function takeByScore(
  { store }: Hives,
  hiveKey: HiveKey,
  end: "max" | "min",
  count: number,
): Promise<ScoredValue[]> {
  assertName(hiveKey.key);
  return store.scores.take(hiveKey, end, count);
}

/** Returns distinct values with their scores, chosen at random. */
export const getRandomScored = ({ store }: Hives, hiveKey: HiveKey, count: number): Promise<ScoredValue[]> =>
  store.scores.random(hiveKey, count);

/** Returns the score of a value; null if missing. */
export const getScore = ({ store }: Hives, hiveKey: HiveKey, value: unknown): Promise<number | null> =>
  store.scores.of(hiveKey, hashValue(value));

/** Returns the rank of a value, counted from 0 in ascending or reverse order; null if missing. */
export const getRank = (
  { store }: Hives,
  hiveKey: HiveKey,
  value: unknown,
  reverse = false,
): Promise<number | null> => store.scores.rank(hiveKey, hashValue(value), reverse);

/**
 * Lists values between two ranks, both included. Negative ranks count from the end. In reverse order the
 * highest score has rank 0.
 */
export const listByRank = (
  { store }: Hives,
  hiveKey: HiveKey,
  range: [number, number],
  reverse = false,
): Promise<ScoredValue[]> => store.scores.byRank(hiveKey, range, reverse);

/** Lists values with scores in a range, in ascending or reverse order, with offset and limit. */
export const listByScore = (
  { store }: Hives,
  hiveKey: HiveKey,
  bounds: ScoreRange,
  cut: RangeOptions,
): Promise<ScoredValue[]> => store.scores.byScore(hiveKey, bounds, cut);

/** Removes values; returns how many existed. */
export async function removeScored({ store }: Hives, hiveKey: HiveKey, values: unknown[]): Promise<number> {
  assertName(hiveKey.key);
  return store.scores.remove(hiveKey, values.map(hashValue));
}

/** Removes the values between two ranks; returns how many. */
export async function removeByRank(
  { store }: Hives,
  hiveKey: HiveKey,
  range: [number, number],
): Promise<number> {
  assertName(hiveKey.key);
  return store.scores.removeByRank(hiveKey, range);
}

/** Removes the values with scores in a range; returns how many. */
export async function removeByScore({ store }: Hives, hiveKey: HiveKey, bounds: ScoreRange): Promise<number> {
  assertName(hiveKey.key);
  return store.scores.removeByScore(hiveKey, bounds);
}

export const getSortedSetLength = (hives: Hives, hiveKey: HiveKey): Promise<number> =>
  countEntries(hives, { ...hiveKey, kind: "sorted-set" });

export const countByScore = ({ store }: Hives, hiveKey: HiveKey, bounds: ScoreRange): Promise<number> =>
  store.scores.count(hiveKey, bounds);
