import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { noSuchKey, tooManyKeys } from "../refusals.ts";
import type { Known, Page, Place, Shelf } from "../store.ts";
import { hiveId, type Rows } from "./hives.ts";

/** SQL: rows of `hive_keys` that have not expired. */
const live = (now: Date) => sql`(expires_at is null or expires_at > ${now})`;

export async function listKeys(
  hives: Rows,
  { hive, kind }: Shelf,
  { pattern, cursor, size }: Page,
): Promise<{ keys: string[]; cursorId: string }> {
  const like = pattern.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
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

export async function countKeys(hives: Rows, { hive, kind }: Shelf, keys: string[]): Promise<number> {
  const hiveOf = await hiveId(hives, hive);
  const found = sql<{ n: number }>`
    select count(*)::int as n from hive_keys
    where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys}) and ${live(hives.world.now())}`;
  return (await one(hives.db, found)).n;
}

export const deleteKeys = (hives: Rows, shelf: Shelf, keys: string[]): Promise<number> =>
  changeKeys(hives, shelf, keys, (now) => sql`delete from hive_keys where id in (select id from held) returning ${live(now)} as live`);

export const touchKeys = (hives: Rows, shelf: Shelf, keys: string[]): Promise<number> =>
  changeKeys(
    hives,
    shelf,
    keys,
    (now) => sql`update hive_keys set used_at = ${now} where id in (select id from held) and ${live(now)} returning true as live`,
  );

/** Rows are locked in key order, so that concurrent changes of the same keys do not deadlock. */
async function changeKeys(hives: Rows, { hive, kind }: Shelf, keys: string[], change: (now: Date) => ReturnType<typeof sql>) {
  const hiveOf = await hiveId(hives, hive);
  const rows = sql<{ n: number }>`
    with held as (select id from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys}) order by key for update),
    changed as (${change(hives.world.now())})
    select count(*) filter (where live)::int as n from changed`;
  return (await one(hives.db, rows)).n;
}

export type Found = Known & { id: string };
const FOUND = sql`id, value, entries, expires_at as "endsAt", used_at as "usedAt"`;

/** Metadata of a key; undefined if missing or expired. */
export async function findKey(hives: Rows, { hive, kind, key }: Place): Promise<Found | undefined> {
  const hiveOf = await hiveId(hives, hive);
  return maybeOne(
    hives.db,
    sql<Found>`select ${FOUND} from hive_keys
      where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${live(hives.world.now())}`,
  );
}

/**
 * Runs `work` with a key locked, creating it if missing.
 * @throws `too-large` when there are too many keys
 */
export async function onKey<T>(hives: Rows, { hive, kind, key }: Place, work: (tx: Tx, held: Found) => Promise<T>): Promise<T> {
  const hiveOf = await hiveId(hives, hive);
  await assertRoom(hives, { hive, kind, key });
  return hives.inTransaction(async (tx) => {
    // An expired key is deleted with its entries.
    await run(tx, sql`delete from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and not ${live(tx.now)}`);
    const held = await one(
      tx,
      sql<Found>`insert into hive_keys (hive_id, kind, key, used_at) values (${hiveOf}, ${kind}, ${key}, ${tx.now})
        on conflict (hive_id, kind, key) do update set used_at = excluded.used_at returning ${FOUND}`,
    );
    return work(tx, held);
  });
}

/** @throws `too-large` at the maximum number of keys, unless this one exists */
export async function assertRoom(hives: Rows, place: Place): Promise<void> {
  if ((await hives.room.left()) || (await findKey(hives, place))) return;
  throw tooManyKeys();
}

export async function endKey(hives: Rows, { hive, kind, key }: Place, until: Date | null): Promise<boolean> {
  const hiveOf = await hiveId(hives, hive);
  const now = hives.world.now();
  const ended = sql`update hive_keys set expires_at = ${until}, used_at = ${now}
    where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${live(now)}`;
  return (await run(hives.db, ended)) > 0;
}

export async function renameKey(hives: Rows, { hive, kind, key }: Place, newKey: string, overwrite: boolean): Promise<boolean> {
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

/** Deletes expired keys; Redis does so automatically. */
export const purgeHives = async (tx: Tx): Promise<void> => void (await run(tx, sql`delete from hive_keys where expires_at <= ${tx.now}`));
