import type { Hives } from "./hives.ts";
import { countEntries } from "./hive-keys.ts";
import { assertName, hashValue, createHashedEntry } from "./hive-names.ts";
import type { ListEnd, HiveKey } from "./hive-store.ts";

/** Returns the items between two indexes, both included, as JSON. Negative indexes count from the end. */
export const readList = ({ store }: Hives, hiveKey: HiveKey, from = 0, to = -1): Promise<string[]> =>
  store.lists.read(hiveKey, from, to);

/** Returns the item at an index as JSON, null if there is none. A negative index counts from the end. */
export const readItem = ({ store }: Hives, hiveKey: HiveKey, index: number): Promise<string | null> =>
  store.lists.item(hiveKey, index);

export const getListLength = (hives: Hives, hiveKey: HiveKey): Promise<number> =>
  countEntries(hives, { ...hiveKey, kind: "list" });

/**
 * Prepends values in the given order; returns the new length.
 * @throws `too-large`
 */
export const prependItems = (hives: Hives, hiveKey: HiveKey, values: unknown[]): Promise<number> =>
  addItems(hives, hiveKey, "first", values);

/**
 * Appends values in the given order; returns the new length.
 * @throws `too-large`
 */
export const appendItems = (hives: Hives, hiveKey: HiveKey, values: unknown[]): Promise<number> =>
  addItems(hives, hiveKey, "last", values);

async function addItems({ store }: Hives, hiveKey: HiveKey, end: ListEnd, values: unknown[]) {
  assertName(hiveKey.key);
  return store.lists.add(hiveKey, end, values.map(createHashedEntry));
}

/** Removes up to `count` items from the start and returns them in order. */
export const takeFirstItems = (hives: Hives, hiveKey: HiveKey, count: number): Promise<string[]> =>
  takeItems(hives, hiveKey, "first", count);

/** Removes up to `count` items from the end and returns them, the last one first. */
export const takeLastItems = (hives: Hives, hiveKey: HiveKey, count: number): Promise<string[]> =>
  takeItems(hives, hiveKey, "last", count);

async function takeItems({ store }: Hives, hiveKey: HiveKey, end: ListEnd, count: number) {
  assertName(hiveKey.key);
  return store.lists.take(hiveKey, end, count);
}

/**
 * Removes a value from a list: all occurrences, or the first `count`, or the last ones if `count` is
 * negative. Returns how many.
 */
export async function removeFromList(
  { store }: Hives,
  hiveKey: HiveKey,
  value: unknown,
  count = 0,
): Promise<number> {
  assertName(hiveKey.key);
  return store.lists.remove(hiveKey, hashValue(value), count);
}

/**
 * Inserts a value before or after the first item equal to `anchor`. Returns the new length, or -1 if there
 * is no such item.
 * @throws `too-large`
 */
export async function insertBeside(
  { store }: Hives,
  hiveKey: HiveKey,
  { value, anchor, side }: { value: unknown; anchor: unknown; side: "before" | "after" },
): Promise<number> {
  assertName(hiveKey.key);
  return store.lists.insert(hiveKey, createHashedEntry(value), hashValue(anchor), side);
}
