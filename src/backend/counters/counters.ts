import type { Database } from "#platform/database";
import type { Redis } from "#platform/redis";
import { Refusal } from "#platform/refusal";
import { inPostgres } from "./in-postgres.ts";
import { inRedis } from "./in-redis.ts";
import { GREATEST, LEAST, MOST, type Store } from "./store.ts";

const LONGEST_NAME = 250;
/** Names in one list. */
const MOST_LISTED = 10_000;

export type Counters = { store: Store };

/** Numbers under names that programs count with, together: each change is one step, in the database or, where there is one, in Redis. */
export const openCounters = (database: Pick<Database, "db">, redis: Redis | null = null): Counters => ({
  store: redis ? inRedis(redis) : inPostgres(database),
});

/** What a counter stands at; one that is not there, at 0. Throws `invalid` for a name that is none. */
export async function readCounter({ store }: Counters, name: string): Promise<bigint> {
  assertName(name);
  return (await store.read(name)) ?? 0n;
}

/**
 * Adds a whole number, and gives what the counter stands at then. Throws `invalid` where that would leave 64 bits, and for a name
 * that is none; `too-large` where there are too many counters for a new one.
 */
export async function addTo({ store }: Counters, name: string, given: string | bigint): Promise<bigint> {
  assertName(name);
  const now = await store.add(name, wholeIn(given));
  if (now === "full") throw full();
  if (now === "beyond") throw new Refusal("invalid", "A counter holds whole numbers of 64 bits; this would be beyond them.");
  return now;
}

/**
 * Sets a counter to `update` if it stands at `expected`, and says whether it did. One that is not there stands at 0, and is there
 * afterwards. Throws what `addTo` throws.
 */
export async function compareAndSet({ store }: Counters, name: string, given: { expected: string; update: string }): Promise<boolean> {
  assertName(name);
  const done = await store.compareAndSet(name, wholeIn(given.expected), wholeIn(given.update));
  if (done === "full") throw full();
  return done;
}

/** Sets a counter to 0. Throws what `addTo` throws. */
export async function resetCounter({ store }: Counters, name: string): Promise<void> {
  assertName(name);
  if ((await store.reset(name)) === "full") throw full();
}

/** Takes all counters away, for places that are there to be tested. */
export const emptyCounters = ({ store }: Counters): Promise<void> => store.empty();

/** Names that look like `pattern`, where `*` is any text: in their order, ten thousand at the most. */
export async function listCounters({ store }: Counters, pattern: string): Promise<string[]> {
  assertName(pattern);
  return store.list(pattern, MOST_LISTED);
}

function assertName(name: string) {
  if (name === "" || name.length > LONGEST_NAME) throw new Refusal("invalid", `The name of a counter has 1 to ${LONGEST_NAME} characters.`);
}

/** The whole number that a text is. */
function wholeIn(text: string | bigint): bigint {
  const whole = typeof text === "bigint" ? text : /^-?\d{1,19}$/.test(text) ? BigInt(text) : null;
  if (whole === null || whole < LEAST || whole > GREATEST)
    throw new Refusal("invalid", "A counter holds whole numbers of 64 bits, and is changed by such.");
  return whole;
}

const full = () => new Refusal("too-large", `There are ${MOST} counters, as many as can be.`);
