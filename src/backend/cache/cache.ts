import type { World } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { Refusal } from "#platform/refusal";
import { inPostgres } from "./in-postgres.ts";
import { inRedis } from "./in-redis.ts";
import { type Moment, MOST, type Store } from "./store.ts";

const LONGEST_KEY = 250;
/** Characters, as JSON. */
const LARGEST = 1_000_000;
/** Seconds, when no lifetime is given. */
const USUAL_LIFE = 2 * 60 * 60;
const LONGEST_LIFE = 30 * 24 * 60 * 60;

export type Cache = { store: Store; world: World };

/**
 * Short-lived values of API clients, in Redis if configured, else in the database. Values may disappear
 * early: nothing survives a crash of either.
 */
export const openCache = (database: Pick<Database, "db" | "world">, redis: Redis | null = null): Cache => ({
  store: redis ? inRedis(redis, database.world) : inPostgres(database),
  world: database.world,
});

/**
 * Stores a value for `seconds`, two hours by default; 0 seconds stores nothing.
 * @throws `invalid` for an invalid key or lifetime, `too-large` for a value of more than a megabyte or when
 * there are too many keys
 */
export async function putCached(cache: Cache, key: string, value: unknown, seconds = USUAL_LIFE): Promise<void> {
  assertKey(key);
  const text = JSON.stringify(value ?? null);
  if (text.length > LARGEST) throw new Refusal("too-large", `A value in the cache has ${LARGEST} characters as JSON at the most.`);
  if ((await cache.store.put(key, text, untilIn(cache, seconds))) === "full")
    throw new Refusal("too-large", `There are ${MOST} values in the cache, as many as can be.`);
}

/**
 * Returns the value as JSON, `"null"` when there is none.
 * @throws `invalid` for an invalid key
 */
export async function readCached({ store }: Cache, key: string): Promise<string> {
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

/** @throws `invalid` for an invalid key */
export async function removeCached({ store }: Cache, key: string): Promise<void> {
  assertKey(key);
  await store.remove(key);
}

/** Deletes all values; for test installations. */
export const emptyCache = ({ store }: Cache): Promise<void> => store.empty();

/**
 * Sets the remaining lifetime of an existing value, in seconds.
 * @throws `invalid` as `putCached` does
 */
export async function expireIn(cache: Cache, key: string, seconds: number): Promise<void> {
  const until = untilIn(cache, seconds);
  assertKey(key);
  await cache.store.endAt(key, until);
}

/**
 * Sets when an existing value expires, in milliseconds since 1970; a past moment expires it at once.
 * @throws `invalid` as `putCached` does
 */
export const expireAt = (cache: Cache, key: string, moment: number): Promise<void> =>
  expireIn(cache, key, Math.max(0, (moment - cache.world.now().getTime()) / 1_000));

function untilIn({ world }: Cache, seconds: number): Moment {
  if (!(seconds >= 0)) throw new Refusal("invalid", "The cache keeps values for some seconds: 0 or more.");
  return world.now().getTime() + Math.min(seconds, LONGEST_LIFE) * 1_000;
}

function assertKey(key: string) {
  if (key === "" || key.length > LONGEST_KEY) throw new Refusal("invalid", `A key of the cache has 1 to ${LONGEST_KEY} characters.`);
}
