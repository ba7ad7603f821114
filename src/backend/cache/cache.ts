import { type Database, maybeOne, run, sql, type Tx } from "#platform/database";
import { Room } from "#platform/limits";
import { Refusal } from "#platform/refusal";

const LONGEST_KEY = 250;
/** Characters of a value as JSON. */
const LARGEST = 1_000_000;
const MOST = 100_000;
/** Seconds: of what says nothing of its life, and of what lives longest. */
const USUAL_LIFE = 2 * 60 * 60;
const LONGEST_LIFE = 30 * 24 * 60 * 60;

export type Cache = Pick<Database, "db" | "world"> & { room: Room };

/** Values under keys that programs want for a while. They may be gone sooner: nothing of it outlives a crash of the database. */
export function openCache({ db, world }: Pick<Database, "db" | "world">): Cache {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from cached where expires_at > ${world.now()}`);
    return found!.n < MOST;
  });
  return { db, world, room };
}

/**
 * Keeps a value for so many seconds, or for two hours; 0 seconds are none at all. Throws `invalid` for a key that is none and for a life
 * that is too long, `too-large` for a value of more than a megabyte and where there is no room for a new key.
 */
export async function putCached(cache: Cache, key: string, value: unknown, seconds = USUAL_LIFE): Promise<void> {
  assertKey(key);
  const text = JSON.stringify(value ?? null);
  if (text.length > LARGEST) throw new Refusal("too-large", `A value in the cache has ${LARGEST} characters as JSON at the most.`);
  const until = untilIn(cache, seconds);
  const { db } = cache;
  if ((await run(db, sql`update cached set value = ${text}, expires_at = ${until} where key = ${key}`)) > 0) return;
  if (!(await cache.room.left())) throw new Refusal("too-large", `There are ${MOST} values in the cache, as many as can be.`);
  await run(
    db,
    sql`insert into cached (key, value, expires_at) values (${key}, ${text}, ${until})
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  );
}

/** The value as JSON; `null`, as JSON too, where there is none any more. Throws `invalid` for a key that is none. */
export async function readCached({ db, world }: Cache, key: string): Promise<string> {
  assertKey(key);
  const found = sql<{ value: string }>`select value from cached where key = ${key} and expires_at > ${world.now()}`;
  return (await maybeOne(db, found))?.value ?? "null";
}

/** Whether there is a value, be it null. Throws `invalid` for a key that is none. */
export async function isCached({ db, world }: Cache, key: string): Promise<boolean> {
  assertKey(key);
  return (await maybeOne(db, sql`select 1 from cached where key = ${key} and expires_at > ${world.now()}`)) !== undefined;
}

/** Throws `invalid` for a key that is none. */
export async function removeCached({ db }: Cache, key: string): Promise<void> {
  assertKey(key);
  await run(db, sql`delete from cached where key = ${key}`);
}

/** What is there lives for so many seconds from now. Throws `invalid` as `putCached` does. */
export const expireIn = (cache: Cache, key: string, seconds: number): Promise<void> => endAt(cache, key, untilIn(cache, seconds));

/** What is there lives until a moment, in milliseconds since 1970; one that is past ends it. Throws `invalid` as `putCached` does. */
export const expireAt = (cache: Cache, key: string, moment: number): Promise<void> =>
  expireIn(cache, key, Math.max(0, (moment - cache.world.now().getTime()) / 1_000));

async function endAt({ db, world }: Cache, key: string, until: Date) {
  assertKey(key);
  await run(db, sql`update cached set expires_at = ${until} where key = ${key} and expires_at > ${world.now()}`);
}

/** Takes away what nobody is answered with any more. */
export const purgeCache = async (tx: Tx): Promise<void> => void (await run(tx, sql`delete from cached where expires_at <= ${tx.now}`));

function untilIn({ world }: Cache, seconds: number): Date {
  if (!(seconds >= 0 && seconds <= LONGEST_LIFE)) throw new Refusal("invalid", `The cache keeps values for 0 to ${LONGEST_LIFE} seconds.`);
  return new Date(world.now().getTime() + seconds * 1_000);
}

function assertKey(key: string) {
  if (key === "" || key.length > LONGEST_KEY) throw new Refusal("invalid", `A key of the cache has 1 to ${LONGEST_KEY} characters.`);
}
