import type { Runtime } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { createPostgresCache } from "./postgres-cache.ts";
import { createRedisCache } from "./redis-cache.ts";
import { type Timestamp, MAX_CACHE_KEYS, type CacheStore } from "./cache-store.ts";

const MAX_KEY_LENGTH = 250;
/** Maximum characters of a value as JSON. */
const MAX_VALUE_LENGTH = 1_000_000;
/** Lifetime in seconds if none is given. */
const DEFAULT_TTL = 2 * 60 * 60;
const MAX_TTL = 30 * 24 * 60 * 60;

export type Cache = { store: CacheStore; runtime: Runtime };

/**
 * Creates the cache for short-lived values of API clients, in Redis if configured, else in the database.
 * Values may be lost early, for example when the server crashes.
 */
export const createCache = (
  database: Pick<Database, "db" | "runtime">,
  redis: Redis | null = null,
): Cache => ({
  store: redis ? createRedisCache(redis, database.runtime) : createPostgresCache(database),
  runtime: database.runtime,
});

/**
 * Stores a value for `seconds`, two hours by default; 0 seconds stores nothing.
 * @throws `invalid` for an invalid key or lifetime, `too-large` for a value of more than a megabyte or when
 * there are too many keys
 */
export async function putCached(
  cache: Cache,
  key: string,
  value: unknown,
  seconds = DEFAULT_TTL,
): Promise<void> {
  assertKey(key);
  const text = JSON.stringify(value ?? null);
  if (text.length > MAX_VALUE_LENGTH)
    throw new Refusal(
      "too-large",
      msg("{what} can have at most {count} characters as JSON.", {
        what: msg("A cache value"),
        count: MAX_VALUE_LENGTH,
      }),
    );
  if ((await cache.store.put(key, text, calculateExpiry(cache, seconds))) === "full")
    throw new Refusal(
      "too-large",
      msg("The cache has {count} values, the maximum.", { count: MAX_CACHE_KEYS }),
    );
}

/**
 * Returns the value as JSON, `"null"` when there is none.
 * @throws `invalid` for an invalid key
 */
export async function getCached({ store }: Cache, key: string): Promise<string> {
  assertKey(key);
  return (await store.read(key)) ?? "null";
}

/**
 * Returns whether there is a value, even if null.
 * @throws `invalid` for an invalid key
 */
export async function isCached({ store }: Cache, key: string): Promise<boolean> {
  assertKey(key);
  return store.has(key);
}

/**
 * Deletes a value.
 * @throws `invalid` for an invalid key
 */
export async function removeCached({ store }: Cache, key: string): Promise<void> {
  assertKey(key);
  await store.remove(key);
}

/** Deletes all values; for test installations. */
export const clearCache = ({ store }: Cache): Promise<void> => store.empty();

/**
 * Sets the remaining lifetime of an existing value, in seconds.
 * @throws `invalid` as `putCached` does
 */
export async function expireAfter(cache: Cache, key: string, seconds: number): Promise<void> {
  const until = calculateExpiry(cache, seconds);
  assertKey(key);
  await cache.store.endAt(key, until);
}

/**
 * Sets when an existing value expires, in milliseconds since 1970; a past moment expires it at once.
 * @throws `invalid` as `putCached` does
 */
export const expireAt = (cache: Cache, key: string, moment: number): Promise<void> =>
  expireAfter(cache, key, Math.max(0, (moment - cache.runtime.now().getTime()) / 1_000));

function calculateExpiry({ runtime }: Cache, seconds: number): Timestamp {
  if (!(seconds >= 0)) throw new Refusal("invalid", "A cache timeout must be 0 or more seconds.");
  return runtime.now().getTime() + Math.min(seconds, MAX_TTL) * 1_000;
}

function assertKey(key: string) {
  if (key === "" || key.length > MAX_KEY_LENGTH)
    throw new Refusal(
      "invalid",
      msg("A cache key must have 1 to {count} characters.", { count: MAX_KEY_LENGTH }),
    );
}
