import type { World } from "#platform/clock";
import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { Refusal } from "#platform/refusal";
import { inPostgres } from "./in-postgres.ts";
import { inRedis } from "./in-redis.ts";
import { type Moment, MOST, type Store } from "./store.ts";

const LONGEST_KEY = 250;
/** Characters of a value as JSON. */
const LARGEST = 1_000_000;
/** Seconds: of what says nothing of its life, and of what lives longest, whatever it says. */
const USUAL_LIFE = 2 * 60 * 60;
const LONGEST_LIFE = 30 * 24 * 60 * 60;

export type Cache = { store: Store; world: World };

/**
 * Values under keys that programs want for a while, in the database or, where there is one, in Redis. They may be gone sooner: nothing of it
 * outlives a crash of either.
 */
export const openCache = (database: Pick<Database, "db" | "world">, redis: Redis | null = null): Cache => ({
  store: redis ? inRedis(redis, database.world) : inPostgres(database),
  world: database.world,
});

/**
 * Keeps a value for so many seconds, or for two hours; 0 seconds are none at all. Throws `invalid` for a key and a life
 * that are none, `too-large` for a value of more than a megabyte and where there is no room for a new key.
 */
export async function putCached(cache: Cache, key: string, value: unknown, seconds = USUAL_LIFE): Promise<void> {
  assertKey(key);
  const text = JSON.stringify(value ?? null);
  if (text.length > LARGEST) throw new Refusal("too-large", `A value in the cache has ${LARGEST} characters as JSON at the most.`);
  if ((await cache.store.put(key, text, untilIn(cache, seconds))) === "full")
    throw new Refusal("too-large", `There are ${MOST} values in the cache, as many as can be.`);
}

/** The value as JSON; `null`, as JSON too, where there is none any more. Throws `invalid` for a key that is none. */
export async function readCached({ store }: Cache, key: string): Promise<string> {
  assertKey(key);
  return (await store.read(key)) ?? "null";
}

/** Whether there is a value, be it null. Throws `invalid` for a key that is none. */
export async function isCached({ store }: Cache, key: string): Promise<boolean> {
  assertKey(key);
  return store.has(key);
}

/** Throws `invalid` for a key that is none. */
export async function removeCached({ store }: Cache, key: string): Promise<void> {
  assertKey(key);
  await store.remove(key);
}

/** Takes all values away, for places that are there to be tested. */
export const emptyCache = ({ store }: Cache): Promise<void> => store.empty();

/** What is there lives for so many seconds from now. Throws `invalid` as `putCached` does. */
export async function expireIn(cache: Cache, key: string, seconds: number): Promise<void> {
  const until = untilIn(cache, seconds);
  assertKey(key);
  await cache.store.endAt(key, until);
}

/** What is there lives until a moment, in milliseconds since 1970; one that is past ends it. Throws `invalid` as `putCached` does. */
export const expireAt = (cache: Cache, key: string, moment: number): Promise<void> =>
  expireIn(cache, key, Math.max(0, (moment - cache.world.now().getTime()) / 1_000));

function untilIn({ world }: Cache, seconds: number): Moment {
  if (!(seconds >= 0)) throw new Refusal("invalid", "The cache keeps values for some seconds: 0 or more.");
  return world.now().getTime() + Math.min(seconds, LONGEST_LIFE) * 1_000;
}

function assertKey(key: string) {
  if (key === "" || key.length > LONGEST_KEY) throw new Refusal("invalid", `A key of the cache has 1 to ${LONGEST_KEY} characters.`);
}
