import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { Adding, Bounds, Cut, Scored, Spot } from "./store.ts";

/**
 * Adds values with scores or updates existing ones, as far as `how` allows; returns how many are new, or new
 * or changed.
 * @throws `too-large`
 */
export async function addScored({ store }: Hives, spot: Spot, items: [number, unknown][], how: Adding = {}): Promise<number> {
  assertName(spot.key);
  return store.scores.add(
    spot,
    items.map(([score, value]) => ({ score, ...hashed(value) })),
    how,
  );
}

/**
 * Adds to the score of a value, 0 if missing; returns the new score.
 * @throws `invalid` on overflow, `too-large`
 */
export async function addToScore({ store }: Hives, spot: Spot, value: unknown, by: number): Promise<number> {
  assertName(spot.key);
  return store.scores.addTo(spot, hashed(value), by);
}

/** Removes and returns the values with the highest or lowest scores, the outermost first. */
export async function takeScored({ store }: Hives, spot: Spot, end: "max" | "min", count: number): Promise<Scored[]> {
  assertName(spot.key);
  return store.scores.take(spot, end, count);
}

/** Random distinct values with scores. */
export const randomScored = ({ store }: Hives, spot: Spot, count: number): Promise<Scored[]> => store.scores.random(spot, count);

/** The score of a value; null if missing. */
export const scoreOf = ({ store }: Hives, spot: Spot, value: unknown): Promise<number | null> => store.scores.of(spot, fieldOf(value));

/** The rank of a value from 0, in ascending or reverse order; null if missing. */
export const rankOf = ({ store }: Hives, spot: Spot, value: unknown, reverse = false): Promise<number | null> =>
  store.scores.rank(spot, fieldOf(value), reverse);

/**
 * Values between two ranks, both included. Negative ranks count from the end. In reverse the highest score
 * has rank 0.
 */
export const rangeByRank = ({ store }: Hives, spot: Spot, range: [number, number], reverse = false): Promise<Scored[]> =>
  store.scores.byRank(spot, range, reverse);

/** Values with scores in a range, ascending or in reverse, with offset and limit. */
export const rangeByScore = ({ store }: Hives, spot: Spot, bounds: Bounds, cut: Cut): Promise<Scored[]> =>
  store.scores.byScore(spot, bounds, cut);

/** Removes values; returns how many existed. */
export async function removeScored({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  return store.scores.remove(spot, values.map(fieldOf));
}

/** Removes the values between two ranks; returns how many. */
export async function removeByRank({ store }: Hives, spot: Spot, range: [number, number]): Promise<number> {
  assertName(spot.key);
  return store.scores.removeByRank(spot, range);
}

/** Removes the values with scores in a range; returns how many. */
export async function removeByScore({ store }: Hives, spot: Spot, bounds: Bounds): Promise<number> {
  assertName(spot.key);
  return store.scores.removeByScore(spot, bounds);
}

export const sortedSetLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, { ...spot, kind: "sorted-set" });

export const countByScore = ({ store }: Hives, spot: Spot, bounds: Bounds): Promise<number> => store.scores.count(spot, bounds);
