import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { assertName, hiveId, type Hives } from "./hives.ts";

export type Kind = "key-value" | "list" | "map" | "set" | "sorted-set";
/** All stores of a kind in one hive. */
export type Shelf = { hive: string; kind: Kind };
/** One store, or one value. */
export type Place = Shelf & { key: string };

const MOST_LISTED = 1_000;
const USUALLY_LISTED = 100;
const FURTHEST = Date.parse("9999-12-31T23:59:59Z");

/** Of rows of `hive_keys`, those that have not ended. */
const live = (now: Date) => sql`(expires_at is null or expires_at > ${now})`;

/** Keys whose names look like `pattern` (`*` is any text), by the page, and where the next one begins; `0` is the end. */
export async function listKeys(
  hives: Hives,
  { hive, kind }: Shelf,
  { pattern = "*", cursor = 0, pageSize = USUALLY_LISTED }: { pattern?: string; cursor?: number; pageSize?: number },
): Promise<{ keys: string[]; cursorId: string }> {
  const like = pattern.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
  const size = Math.min(pageSize, MOST_LISTED);
  const rows = await many(
    hives.db,
    sql<{ id: string; key: string }>`
      select id, key from hive_keys
      where hive_id = ${await hiveId(hives, hive)} and kind = ${kind} and id > ${cursor} and key like ${like} and ${live(hives.world.now())}
      order by id limit ${size + 1}`,
  );
  const page = rows.slice(0, size);
  return { keys: page.map(({ key }) => key), cursorId: rows.length > size ? page.at(-1)!.id : "0" };
}

/** How many of these keys there are. */
export async function countKeys(hives: Hives, { hive, kind }: Shelf, keys: string[]): Promise<number> {
  const hiveOf = await hiveId(hives, hive);
  const found = sql<{ n: number }>`
    select count(*)::int as n from hive_keys
    where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys}) and ${live(hives.world.now())}`;
  return (await one(hives.db, found)).n;
}

/** Takes keys away with all that lies under them; how many there were. */
export const deleteKeys = (hives: Hives, shelf: Shelf, keys: string[]): Promise<number> =>
  changeKeys(hives, shelf, keys, (now) => sql`delete from hive_keys where id in (select id from held) returning ${live(now)} as live`);

/** Notes that these keys were used; how many there were. */
export const touchKeys = (hives: Hives, shelf: Shelf, keys: string[]): Promise<number> =>
  changeKeys(
    hives,
    shelf,
    keys,
    (now) => sql`update hive_keys set used_at = ${now} where id in (select id from held) and ${live(now)} returning true as live`,
  );

/** Rows are held in the order of their keys, so that two who change the same ones do not wait for each other. */
async function changeKeys(hives: Hives, { hive, kind }: Shelf, keys: string[], change: (now: Date) => ReturnType<typeof sql>) {
  const hiveOf = await hiveId(hives, hive);
  const rows = sql<{ n: number }>`
    with held as (select id from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys}) order by key for update),
    changed as (${change(hives.world.now())})
    select count(*) filter (where live)::int as n from changed`;
  return (await one(hives.db, rows)).n;
}

export type Found = { id: string; value: string | null; entries: number; expires_at: Date | null; used_at: Date };

/** What is known of a key; undefined if it is not there, or not any more. */
export async function findKey(hives: Hives, { hive, kind, key }: Place): Promise<Found | undefined> {
  const hiveOf = await hiveId(hives, hive);
  return maybeOne(
    hives.db,
    sql<Found>`select id, value, entries, expires_at, used_at from hive_keys
      where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${live(hives.world.now())}`,
  );
}

/** Throws `not-found` for a key that is not there, or not any more. */
export async function getKey(hives: Hives, place: Place): Promise<Found> {
  const found = await findKey(hives, place);
  if (!found) throw noSuchKey(place.key);
  return found;
}

/** Runs `work` on a key while nobody else changes it; one that is not there is made first. Throws `too-large` where there are too many. */
export async function onKey<T>(hives: Hives, { hive, kind, key }: Place, work: (tx: Tx, held: Found) => Promise<T>): Promise<T> {
  assertName(key);
  const hiveOf = await hiveId(hives, hive);
  await assertRoom(hives, { hive, kind, key });
  return hives.inTransaction(async (tx) => {
    // What has ended is not there, and neither is what lay under it.
    await run(tx, sql`delete from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and not ${live(tx.now)}`);
    const held = await one(
      tx,
      sql<Found>`insert into hive_keys (hive_id, kind, key, used_at) values (${hiveOf}, ${kind}, ${key}, ${tx.now})
        on conflict (hive_id, kind, key) do update set used_at = excluded.used_at returning id, value, entries, expires_at, used_at`,
    );
    return work(tx, held);
  });
}

/** Throws `too-large` where there are as many keys as can be, unless this one is there already. */
export async function assertRoom(hives: Hives, place: Place): Promise<void> {
  if ((await hives.room.left()) || (await findKey(hives, place))) return;
  throw new Refusal("too-large", "There are as many keys in the hives as can be.");
}

/** Ends a key at a moment, or at none. Throws `not-found`, and `invalid` for a moment that is none. */
export async function endKey(hives: Hives, { hive, kind, key }: Place, until: Date | null): Promise<void> {
  const hiveOf = await hiveId(hives, hive);
  const now = hives.world.now();
  const ended = sql`update hive_keys set expires_at = ${until}, used_at = ${now}
    where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${live(now)}`;
  if ((await run(hives.db, ended)) === 0) throw noSuchKey(key);
}

/** Calls a key something else. False where there is one of that name and it is not to be written over. Throws `not-found`. */
export async function renameKey(hives: Hives, { hive, kind, key }: Place, newKey: string, overwrite: boolean): Promise<boolean> {
  assertName(newKey);
  const hiveOf = await hiveId(hives, hive);
  return hives.inTransaction(async (tx) => {
    const rows = await many(
      tx,
      sql<{ id: string; key: string; live: boolean }>`select id, key, ${live(tx.now)} as live from hive_keys
        where hive_id = ${hiveOf} and kind = ${kind} and key = any(${[key, newKey]}) order by key for update`,
    );
    const [from, to] = [rows.find((row) => row.key === key && row.live), rows.find((row) => row.key === newKey)];
    if (!from) throw noSuchKey(key);
    if (key === newKey) return true;
    if (to?.live && !overwrite) return false;
    if (to) await run(tx, sql`delete from hive_keys where id = ${to.id}`);
    await run(tx, sql`update hive_keys set key = ${newKey}, used_at = ${tx.now} where id = ${from.id}`);
    return true;
  });
}

/** So many seconds from now. Throws `invalid` for what is no time to live. */
export const inSeconds = (hives: Hives, seconds: number): Date => momentOf(hives.world.now().getTime() + seconds * 1_000);

/** A moment in seconds since 1970, or, as there is no mistaking them, in milliseconds. Throws `invalid` for what is none. */
export const atUnix = (time: number): Date => momentOf(time < 100_000_000_000 ? time * 1_000 : time);

function momentOf(ms: number): Date {
  if (!(ms >= 0 && ms <= FURTHEST)) throw new Refusal("invalid", "Keys end at a moment before the year 10000.");
  return new Date(ms);
}

/** Takes away what has ended. */
export const purgeHives = async (tx: Tx): Promise<void> => void (await run(tx, sql`delete from hive_keys where expires_at <= ${tx.now}`));

const noSuchKey = (key: string) => new Refusal("not-found", `There is nothing under the key '${key.slice(0, 250)}'.`);
