import type { Hives } from "./hives.ts";
import { lengthOf } from "./keys.ts";
import { assertName, fieldOf, hashed } from "./names.ts";
import type { End, Spot } from "./store.ts";

/** What is from one index to another, both included, as JSON, in order. Below 0 they count from the end. */
export const readList = ({ store }: Hives, spot: Spot, from = 0, to = -1): Promise<string[]> => store.lists.read(spot, from, to);

/** What is at an index as JSON, from the end below 0; null if there is nothing. */
export const readItem = ({ store }: Hives, spot: Spot, index: number): Promise<string | null> => store.lists.item(spot, index);

export const listLength = (hives: Hives, spot: Spot): Promise<number> => lengthOf(hives, { ...spot, kind: "list" });

/** Puts values before all others, in the order in which they are given; how many there are then. Throws `too-large`. */
export const addFirst = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> => add(hives, spot, "first", values);

/** Puts values after all others, in their order; how many there are then. Throws `too-large`. */
export const addLast = (hives: Hives, spot: Spot, values: unknown[]): Promise<number> => add(hives, spot, "last", values);

async function add({ store }: Hives, spot: Spot, end: End, values: unknown[]) {
  assertName(spot.key);
  return store.lists.add(spot, end, values.map(hashed));
}

/** Takes up to so many from the beginning and gives them in their order. */
export const takeFirst = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "first", count);

/** Takes up to so many from the end and gives them, the last one first. */
export const takeLast = (hives: Hives, spot: Spot, count: number): Promise<string[]> => take(hives, spot, "last", count);

async function take({ store }: Hives, spot: Spot, end: End, count: number) {
  assertName(spot.key);
  return store.lists.take(spot, end, count);
}

/** Takes a value out: everywhere, or the first few, or, below 0, the last few; how many that were. */
export async function removeFromList({ store }: Hives, spot: Spot, value: unknown, count = 0): Promise<number> {
  assertName(spot.key);
  return store.lists.remove(spot, fieldOf(value), count);
}

/** Puts a value beside the first one that equals `anchor`; how many there are then, or -1 if there is no such one. Throws `too-large`. */
export async function insertBeside(
  { store }: Hives,
  spot: Spot,
  { value, anchor, side }: { value: unknown; anchor: unknown; side: "before" | "after" },
): Promise<number> {
  assertName(spot.key);
  return store.lists.insert(spot, hashed(value), fieldOf(anchor), side);
}
