import { Refusal } from "#platform/refusal";
import type { Hives } from "./hives.ts";
import { assertName } from "./hive-names.ts";
import { keyNotFound } from "./hive-errors.ts";
import type { KeyInfo, StoreKey, KeySpace } from "./hive-store.ts";

const MAX_LISTED = 1_000;
const DEFAULT_LISTED = 100;
const LATEST_EXPIRY = Date.parse("9999-12-31T23:59:59Z");

/**
 * Lists keys that match `pattern` (`*` is any text), one page at a time, with the cursor of the next page;
 * `0` means the end.
 */
export const listKeys = (
  { store }: Hives,
  keySpace: KeySpace,
  {
    pattern = "*",
    cursor = 0,
    pageSize = DEFAULT_LISTED,
  }: { pattern?: string; cursor?: number; pageSize?: number },
): Promise<{ keys: string[]; cursorId: string }> =>
  store.keys.list(keySpace, { pattern, cursor, size: Math.min(pageSize, MAX_LISTED) });

export const countKeys = ({ store }: Hives, keySpace: KeySpace, keys: string[]): Promise<number> =>
  store.keys.count(keySpace, keys);

/** Deletes keys with their entries; returns how many existed. */
export const deleteKeys = ({ store }: Hives, keySpace: KeySpace, keys: string[]): Promise<number> =>
  store.keys.remove(keySpace, keys);

/** Marks keys as used now; returns how many exist. */
export const touchKeys = ({ store }: Hives, keySpace: KeySpace, keys: string[]): Promise<number> =>
  store.keys.touch(keySpace, keys);

/**
 * Returns the metadata of a key.
 * @throws `not-found` for a missing or expired key
 */
export async function getKey({ store }: Hives, storeKey: StoreKey): Promise<KeyInfo> {
  const found = await store.keys.find(storeKey);
  if (!found) throw keyNotFound(storeKey.key);
  return found;
}

export const countEntries = async ({ store }: Hives, storeKey: StoreKey): Promise<number> =>
  (await store.keys.find(storeKey))?.entries ?? 0;

/**
 * Sets when a key expires; null for never.
 * @throws `not-found`, `invalid` for an invalid time
 */
export async function expireKey({ store }: Hives, storeKey: StoreKey, until: Date | null): Promise<void> {
  if (!(await store.keys.end(storeKey, until))) throw keyNotFound(storeKey.key);
}

/**
 * Renames a key. Returns false if the new name exists and may not be overwritten.
 * @throws `not-found`
 */
export async function renameKey(
  { store }: Hives,
  storeKey: StoreKey,
  newKey: string,
  overwrite: boolean,
): Promise<boolean> {
  assertName(newKey);
  return store.keys.rename(storeKey, newKey, overwrite);
}

/**
 * Returns the expiry after a number of seconds.
 * @throws `invalid` for an invalid lifetime
 */
export const expiryAfterSeconds = ({ runtime }: Hives, seconds: number): Date =>
  toExpiry(runtime.now().getTime() + seconds * 1_000);

/**
 * Returns the expiry for a Unix time: large numbers are milliseconds, smaller ones seconds.
 * @throws `invalid`
 */
export const expiryAtUnixTime = (time: number): Date =>
  toExpiry(time < 100_000_000_000 ? time * 1_000 : time);

function toExpiry(ms: number): Date {
  if (!(ms >= 0 && ms <= LATEST_EXPIRY))
    throw new Refusal("invalid", "A key must expire before the year 10000.");
  return new Date(ms);
}
