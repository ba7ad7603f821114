import { Refusal } from "#platform/refusal";
import type { Hives } from "./hives.ts";
import { assertName } from "./names.ts";
import { noSuchKey } from "./refusals.ts";
import type { Known, Place, Shelf } from "./store.ts";

const MOST_LISTED = 1_000;
const USUALLY_LISTED = 100;
const FURTHEST = Date.parse("9999-12-31T23:59:59Z");

/** Lists keys that match `pattern` (`*` is any text) by page, with the next cursor; `0` is the end. */
export const listKeys = (
  { store }: Hives,
  shelf: Shelf,
  { pattern = "*", cursor = 0, pageSize = USUALLY_LISTED }: { pattern?: string; cursor?: number; pageSize?: number },
): Promise<{ keys: string[]; cursorId: string }> => store.keys.list(shelf, { pattern, cursor, size: Math.min(pageSize, MOST_LISTED) });

export const countKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.count(shelf, keys);

/** Deletes keys with their entries; returns how many existed. */
export const deleteKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.remove(shelf, keys);

/** Marks keys as used; returns how many existed. */
export const touchKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.touch(shelf, keys);

/**
 * Metadata of a key.
 * @throws `not-found` for a missing or expired key
 */
export async function getKey({ store }: Hives, place: Place): Promise<Known> {
  const found = await store.keys.find(place);
  if (!found) throw noSuchKey(place.key);
  return found;
}

export const lengthOf = async ({ store }: Hives, place: Place): Promise<number> => (await store.keys.find(place))?.entries ?? 0;

/**
 * Sets when a key expires; null for never.
 * @throws `not-found`, `invalid` for an invalid time
 */
export async function endKey({ store }: Hives, place: Place, until: Date | null): Promise<void> {
  if (!(await store.keys.end(place, until))) throw noSuchKey(place.key);
}

/**
 * Renames a key; false if the new name exists and must not be overwritten.
 * @throws `not-found`
 */
export async function renameKey({ store }: Hives, place: Place, newKey: string, overwrite: boolean): Promise<boolean> {
  assertName(newKey);
  return store.keys.rename(place, newKey, overwrite);
}

/**
 * Expiry after a number of seconds.
 * @throws `invalid` for an invalid lifetime
 */
export const inSeconds = ({ world }: Hives, seconds: number): Date => momentOf(world.now().getTime() + seconds * 1_000);

/**
 * Expiry from Unix time in seconds, or in milliseconds, told apart by size.
 * @throws `invalid`
 */
export const atUnix = (time: number): Date => momentOf(time < 100_000_000_000 ? time * 1_000 : time);

function momentOf(ms: number): Date {
  if (!(ms >= 0 && ms <= FURTHEST)) throw new Refusal("invalid", "Keys end at a moment before the year 10000.");
  return new Date(ms);
}
