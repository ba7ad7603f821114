import { type Database, type Db, many, maybeOne, run, sql } from "#platform/database";
import { Room } from "#platform/limits";
import { Refusal } from "#platform/refusal";

/** Whole numbers of 64 bits. */
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;
const LONGEST_NAME = 250;
const MOST = 100_000;
/** Names in one list. */
const MOST_LISTED = 10_000;

export type Counters = { db: Db; room: Room };

/** Numbers under names that programs count with, together: each change is one statement, and is there after a crash. */
export function openCounters({ db }: Pick<Database, "db">): Counters {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from counters`);
    return found!.n < MOST;
  });
  return { db, room };
}

/** What a counter stands at; one that is not there, at 0. Throws `invalid` for a name that is none. */
export async function readCounter({ db }: Counters, name: string): Promise<bigint> {
  assertName(name);
  const found = await maybeOne(db, sql<{ value: string }>`select value from counters where name = ${name}`);
  return BigInt(found?.value ?? 0);
}

/**
 * Adds a whole number, and gives what the counter stands at then. Throws `invalid` where that would leave 64 bits, and for a name
 * that is none; `too-large` where there are too many counters for a new one.
 */
export async function addTo(counters: Counters, name: string, given: string | bigint): Promise<bigint> {
  assertName(name);
  const by = wholeIn(given);
  const least = by < 0n ? LEAST - by : LEAST;
  const greatest = by > 0n ? GREATEST - by : GREATEST;
  const within = sql`counters.value between ${least} and ${greatest}`;
  const { db } = counters;
  const known = sql<{ value: string }>`update counters set value = value + ${by} where name = ${name} and ${within} returning value`;
  const changed = await maybeOne(db, known);
  if (changed) return BigInt(changed.value);
  await assertRoom(counters, name);
  const added = sql<{ value: string }>`
    insert into counters (name, value) values (${name}, ${by})
    on conflict (name) do update set value = counters.value + excluded.value where ${within} returning value`;
  const made = await maybeOne(db, added);
  if (!made) throw new Refusal("invalid", "A counter holds whole numbers of 64 bits; this would be beyond them.");
  return BigInt(made.value);
}

/**
 * Sets a counter to `update` if it stands at `expected`, and says whether it did. One that is not there stands at 0, and is there
 * afterwards. Throws what `addTo` throws.
 */
export async function compareAndSet(counters: Counters, name: string, given: { expected: string; update: string }): Promise<boolean> {
  assertName(name);
  const [expected, update] = [wholeIn(given.expected), wholeIn(given.update)];
  const { db } = counters;
  if ((await run(db, sql`update counters set value = ${update} where name = ${name} and value = ${expected}`)) > 0) return true;
  await assertRoom(counters, name);
  const made =
    expected === 0n
      ? sql`insert into counters (name, value) values (${name}, ${update})
            on conflict (name) do update set value = excluded.value where counters.value = 0`
      : sql`insert into counters (name, value) values (${name}, 0) on conflict (name) do nothing`;
  return (await run(db, made)) > 0 && expected === 0n;
}

/** Sets a counter to 0. Throws what `addTo` throws. */
export async function resetCounter(counters: Counters, name: string): Promise<void> {
  assertName(name);
  if ((await run(counters.db, sql`update counters set value = 0 where name = ${name}`)) > 0) return;
  await assertRoom(counters, name);
  await run(counters.db, sql`insert into counters (name, value) values (${name}, 0) on conflict (name) do update set value = 0`);
}

/** Names that look like `pattern`, where `*` is any text: in their order, ten thousand at the most. */
export async function listCounters({ db }: Counters, pattern: string): Promise<string[]> {
  assertName(pattern);
  const like = pattern.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
  const rows = await many(db, sql<{ name: string }>`select name from counters where name like ${like} order by name limit ${MOST_LISTED}`);
  return rows.map(({ name }) => name);
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

/** A counter that is there already needs none. */
async function assertRoom({ db, room }: Counters, name: string) {
  if ((await room.left()) || (await maybeOne(db, sql`select 1 from counters where name = ${name}`))) return;
  throw new Refusal("too-large", `There are ${MOST} counters, as many as can be.`);
}
