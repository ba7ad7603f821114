import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { createPostgresCounters } from "./postgres-counters.ts";
import { createRedisCounters } from "./redis-counters.ts";
import { MAX_INT64, MIN_INT64, MAX_COUNTERS, type CounterStore } from "./counter-store.ts";

const MAX_NAME_LENGTH = 250;
const MAX_LISTED = 10_000;

export type Counters = { store: CounterStore };

/** Named counters of API clients, in Redis if configured, else in the database. Every change is atomic. */
export const createCounterStore = (database: Pick<Database, "db">, redis: Redis | null = null): Counters => ({
  store: redis ? createRedisCounters(redis) : createPostgresCounters(database),
});

/**
 * Returns the value of a counter, 0 for a missing one.
 * @throws `invalid` for an invalid name
 */
export async function readCounter({ store }: Counters, name: string): Promise<bigint> {
  assertName(name);
  return (await store.read(name)) ?? 0n;
}

/**
 * Adds an integer and returns the new value.
 * @throws `invalid` for a sum beyond 64 bits or an invalid name, `too-large` when there are too many counters
 */
export async function addToCounter(
  { store }: Counters,
  name: string,
  amount: string | bigint,
): Promise<bigint> {
  assertName(name);
  const now = await store.add(name, parseInteger(amount));
  if (now === "full") throw tooManyCounters();
  if (now === "beyond") throw new Refusal("invalid", "The result would not fit into 64 bits.");
  return now;
}

/**
 * Sets a counter to `update` if its value is `expected`, and returns whether it did. A missing counter is
 * created with 0.
 * @throws as `addToCounter` does
 */
export async function compareAndSet(
  { store }: Counters,
  name: string,
  values: { expected: string; update: string },
): Promise<boolean> {
  assertName(name);
  const done = await store.compareAndSet(name, parseInteger(values.expected), parseInteger(values.update));
  if (done === "full") throw tooManyCounters();
  return done;
}

/**
 * Sets a counter to 0.
 * @throws as `addToCounter` does
 */
export async function resetCounter({ store }: Counters, name: string): Promise<void> {
  assertName(name);
  if ((await store.reset(name)) === "full") throw tooManyCounters();
}

/** Deletes all counters; for test installations. */
export const clearCounters = ({ store }: Counters): Promise<void> => store.empty();

/** Lists names that match `pattern`, where `*` is any text, in order; at most ten thousand. */
export async function listCounters({ store }: Counters, pattern: string): Promise<string[]> {
  assertName(pattern);
  return store.list(pattern, MAX_LISTED);
}

function assertName(name: string) {
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw new Refusal(
      "invalid",
      msg("A counter name must have 1 to {count} characters.", { count: MAX_NAME_LENGTH }),
    );
}

function parseInteger(text: string | bigint): bigint {
  const whole = typeof text === "bigint" ? text : /^-?\d{1,19}$/.test(text) ? BigInt(text) : null;
  if (whole === null || whole < MIN_INT64 || whole > MAX_INT64)
    throw new Refusal("invalid", "Counters take whole numbers of 64 bits.");
  return whole;
}

const tooManyCounters = () =>
  new Refusal("too-large", msg("There are {count} counters, the maximum.", { count: MAX_COUNTERS }));
