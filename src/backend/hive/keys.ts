import { Refusal } from "#platform/refusal";
import type { Hives } from "./hives.ts";
import { assertName } from "./names.ts";
import { noSuchKey } from "./refusals.ts";
import type { Known, Place, Shelf } from "./store.ts";

const MOST_LISTED = 1_000;
const USUALLY_LISTED = 100;
const FURTHEST = Date.parse("9999-12-31T23:59:59Z");

/** Keys whose names look like `pattern` (`*` is any text), by the page, and where the next one begins; `0` is the end. */
export const listKeys = (
  { store }: Hives,
  shelf: Shelf,
  { pattern = "*", cursor = 0, pageSize = USUALLY_LISTED }: { pattern?: string; cursor?: number; pageSize?: number },
): Promise<{ keys: string[]; cursorId: string }> => store.keys.list(shelf, { pattern, cursor, size: Math.min(pageSize, MOST_LISTED) });

/** How many of these keys there are. */
export const countKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.count(shelf, keys);

/** Takes keys away with all that lies under them; how many there were. */
export const deleteKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.remove(shelf, keys);

/** Notes that these keys were used; how many there were. */
export const touchKeys = ({ store }: Hives, shelf: Shelf, keys: string[]): Promise<number> => store.keys.touch(shelf, keys);

/** What is known of a key. Throws `not-found` for one that is not there, or not any more. */
export async function getKey({ store }: Hives, place: Place): Promise<Known> {
  const found = await store.keys.find(place);
  if (!found) throw noSuchKey(place.key);
  return found;
}

/** How many entries there are under a key. */
export const lengthOf = async ({ store }: Hives, place: Place): Promise<number> => (await store.keys.find(place))?.entries ?? 0;

/** Ends a key at a moment, or at none. Throws `not-found`, and `invalid` for a moment that is none. */
export async function endKey({ store }: Hives, place: Place, until: Date | null): Promise<void> {
  if (!(await store.keys.end(place, until))) throw noSuchKey(place.key);
}

/** Calls a key something else. False where there is one of that name and it is not to be written over. Throws `not-found`. */
export async function renameKey({ store }: Hives, place: Place, newKey: string, overwrite: boolean): Promise<boolean> {
  assertName(newKey);
  return store.keys.rename(place, newKey, overwrite);
}

/** So many seconds from now. Throws `invalid` for what is no time to live. */
export const inSeconds = ({ world }: Hives, seconds: number): Date => momentOf(world.now().getTime() + seconds * 1_000);

/** A moment in seconds since 1970, or, as there is no mistaking them, in milliseconds. Throws `invalid` for what is none. */
export const atUnix = (time: number): Date => momentOf(time < 100_000_000_000 ? time * 1_000 : time);

function momentOf(ms: number): Date {
  if (!(ms >= 0 && ms <= FURTHEST)) throw new Refusal("invalid", "Keys end at a moment before the year 10000.");
  return new Date(ms);
}
