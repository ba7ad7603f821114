import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { Adding, Bounds, Cut, Scored, Spot } from "./store.ts";

/** Puts values in with their scores, or gives those there are new ones, as far as `how` allows; how many are new, or new or changed. Throws `too-large`. */
export async function addScored({ store }: Hives, spot: Spot, items: [number, unknown][], how: Adding = {}): Promise<number> {
  assertName(spot.key);
  return store.scores.add(
    spot,
    items.map(([score, value]) => ({ score, ...hashed(value) })),
    how,
  );
}

/** Adds to the score of a value, 0 if it is not there; what it is then. Throws `invalid` for more than a number can be, `too-large`. */
export async function addToScore({ store }: Hives, spot: Spot, value: unknown, by: number): Promise<number> {
  assertName(spot.key);
  return store.scores.addTo(spot, hashed(value), by);
}

/** Takes out those with the highest scores, or the lowest, and gives them, the outermost one first. */
export async function takeScored({ store }: Hives, spot: Spot, end: "max" | "min", count: number): Promise<Scored[]> {
  assertName(spot.key);
  return store.scores.take(spot, end, count);
}

/** So many by chance, no one twice. */
export const randomScored = ({ store }: Hives, spot: Spot, count: number): Promise<Scored[]> => store.scores.random(spot, count);

/** The score of a value, null if it is not there. */
export const scoreOf = ({ store }: Hives, spot: Spot, value: unknown): Promise<number | null> => store.scores.of(spot, fieldOf(value));

/** How many stand before a value, or, in reverse, behind it; null if it is not there. */
export const rankOf = ({ store }: Hives, spot: Spot, value: unknown, reverse = false): Promise<number | null> =>
  store.scores.rank(spot, fieldOf(value), reverse);

/** Those from one rank to another, both included. Below 0 ranks count from the end. In reverse the highest score has rank 0. */
export const rangeByRank = ({ store }: Hives, spot: Spot, range: [number, number], reverse = false): Promise<Scored[]> =>
  store.scores.byRank(spot, range, reverse);

/** Those within bounds, in their order or its reverse, without the first few, and so many at the most. */
export const rangeByScore = ({ store }: Hives, spot: Spot, bounds: Bounds, cut: Cut): Promise<Scored[]> =>
  store.scores.byScore(spot, bounds, cut);

/** Takes values out; how many were there. */
export async function removeScored({ store }: Hives, spot: Spot, values: unknown[]): Promise<number> {
  assertName(spot.key);
  return store.scores.remove(spot, values.map(fieldOf));
}

/** Takes out those from one rank to another; how many there were. */
export async function removeByRank({ store }: Hives, spot: Spot, range: [number, number]): Promise<number> {
  assertName(spot.key);
  return store.scores.removeByRank(spot, range);
}

/** Takes out those within bounds; how many there were. */
export async function removeByScore({ store }: Hives, spot: Spot, bounds: Bounds): Promise<number> {
  assertName(spot.key);
  return store.scores.removeByScore(spot, bounds);
}

export const sortedSetLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, { ...spot, kind: "sorted-set" });

/** How many are within bounds. */
export const countByScore = ({ store }: Hives, spot: Spot, bounds: Bounds): Promise<number> => store.scores.count(spot, bounds);
