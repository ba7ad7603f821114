import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { End, Spot } from "./store.ts";

/** Items between two indexes, both included, as JSON. Negative indexes count from the end. */
export const readList = ({ store }: Hives, spot: Spot, from = 0, to = -1): Promise<string[]> => store.lists.read(spot, from, to);

/** The item at an index as JSON, from the end if negative; null if there is none. */
export const readItem = ({ store }: Hives, spot: Spot, index: number): Promise<string | null> => store.lists.item(spot, index);

export const listLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, { ...spot, kind: "list" });

/**
 * Prepends values in the given order; returns the new length.
 * @throws `too-large`
 */
export const addFirst = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> => add(hives, spot, "first", values);

/**
 * Appends values in the given order; returns the new length.
 * @throws `too-large`
 */
export const addLast = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> => add(hives, spot, "last", values);

async function add({ store }: Hives, spot: Spot, end: End, values: unknown[]) {
  assertName(spot.key);
  return store.lists.add(spot, end, values.map(hashed));
}

/** Removes up to `count` items from the start and returns them in order. */
export const takeFirst = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "first", count);

/** Removes up to `count` items from the end and returns them, the last one first. */
export const takeLast = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "last", count);

async function take({ store }: Hives, spot: Spot, end: End, count: number) {
  assertName(spot.key);
  return store.lists.take(spot, end, count);
}

/**
 * Removes a value: everywhere, or its first few occurrences, or the last few if negative; returns how many.
 */
export async function removeFromList({ store }: Hives, spot: Spot, value: unknown, count = 0): Promise<number> {
  assertName(spot.key);
  return store.lists.remove(spot, fieldOf(value), count);
}

/**
 * Inserts a value beside the first one equal to `anchor`; returns the new length, or -1 without such a value.
 * @throws `too-large`
 */
export async function insertBeside(
  { store }: Hives,
  spot: Spot,
  { value, anchor, side }: { value: unknown; anchor: unknown; side: "before" | "after" },
): Promise<number> {
  assertName(spot.key);
  return store.lists.insert(spot, hashed(value), fieldOf(anchor), side);
}
