import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { keyNotFound, tooManyKeys } from "../hive-errors.ts";
import type { KeyInfo, KeyPage, StoreKey, KeySpace } from "../hive-store.ts";
import { getHiveId, type PostgresContext } from "./postgres-hives.ts";

/** SQL condition for rows of `hive_keys` that have not expired. */
const liveKeySql = (now: Date) => sql`(expires_at is null or expires_at > ${now})`;

export async function listKeys(
  hives: PostgresContext,
  { hive, kind }: KeySpace,
  { pattern, cursor, size }: KeyPage,
): Promise<{ keys: string[]; cursorId: string }> {
  const like = pattern.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
  const rows = await many(
    hives.db,
    sql<{ id: string; key: string }>`
      select id, key from hive_keys
      where hive_id = ${await getHiveId(hives, hive)} and kind = ${kind} and id > ${cursor}
        and key like ${like} and ${liveKeySql(hives.runtime.now())}
      order by id limit ${size + 1}`,
  );
  const page = rows.slice(0, size);
  return { keys: page.map(({ key }) => key), cursorId: rows.length > size ? page.at(-1)!.id : "0" };
}

export async function countKeys(
  hives: PostgresContext,
  { hive, kind }: KeySpace,
  keys: string[],
): Promise<number> {
  const hiveOf = await getHiveId(hives, hive);
  const found = sql<{ n: number }>`
    select count(*)::int as n from hive_keys
    where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys})
      and ${liveKeySql(hives.runtime.now())}`;
  return (await one(hives.db, found)).n;
}

export const deleteKeys = (hives: PostgresContext, keySpace: KeySpace, keys: string[]): Promise<number> =>
  changeKeys(
    hives,
    keySpace,
    keys,
    (now) =>
      sql`delete from hive_keys where id in (select id from held) returning ${liveKeySql(now)} as live`,
  );

export const touchKeys = (hives: PostgresContext, keySpace: KeySpace, keys: string[]): Promise<number> =>
  changeKeys(
    hives,
    keySpace,
    keys,
    (now) =>
      sql`update hive_keys set used_at = ${now} where id in (select id from held) and ${liveKeySql(now)}
        returning true as live`,
  );

/**
 * Changes keys. Rows are locked in key order, so that concurrent changes of the same keys do not deadlock.
 */
async function changeKeys(
  hives: PostgresContext,
  { hive, kind }: KeySpace,
  keys: string[],
  change: (now: Date) => ReturnType<typeof sql>,
) {
  const hiveOf = await getHiveId(hives, hive);
  const rows = sql<{ n: number }>`
    with held as (select id from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = any(${keys})
      order by key for update),
    changed as (${change(hives.runtime.now())})
    select count(*) filter (where live)::int as n from changed`;
  return (await one(hives.db, rows)).n;
}

export type StoredKey = KeyInfo & { id: string };
const KEY_COLUMNS = sql`id, value, entries, expires_at as "endsAt", used_at as "usedAt"`;

/** Returns the metadata of a key; undefined if missing or expired. */
export async function findKey(
  hives: PostgresContext,
  { hive, kind, key }: StoreKey,
): Promise<StoredKey | undefined> {
  const hiveOf = await getHiveId(hives, hive);
  return maybeOne(
    hives.db,
    sql<StoredKey>`select ${KEY_COLUMNS} from hive_keys
      where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${liveKeySql(hives.runtime.now())}`,
  );
}

/**
 * Runs `work` with a key locked, creating it if missing.
 * @throws `too-large` when there are too many keys
 */
export async function withKey<T>(
  hives: PostgresContext,
  { hive, kind, key }: StoreKey,
  work: (tx: Tx, storedKey: StoredKey) => Promise<T>,
): Promise<T> {
  const hiveOf = await getHiveId(hives, hive);
  await assertKeyQuota(hives, { hive, kind, key });
  return hives.inTransaction(async (tx) => {
    // An expired key is deleted with its entries.
    await run(
      tx,
      sql`delete from hive_keys where hive_id = ${hiveOf} and kind = ${kind} and key = ${key}
        and not ${liveKeySql(tx.now)}`,
    );
    const storedKey = await one(
      tx,
      sql<StoredKey>`insert into hive_keys (hive_id, kind, key, used_at)
        values (${hiveOf}, ${kind}, ${key}, ${tx.now})
        on conflict (hive_id, kind, key) do update set used_at = excluded.used_at returning ${KEY_COLUMNS}`,
    );
    return work(tx, storedKey);
  });
}

/**
 * Checks that a key may be created; an existing key always passes.
 * @throws `too-large` at the maximum number of keys
 */
export async function assertKeyQuota(hives: PostgresContext, storeKey: StoreKey): Promise<void> {
  if ((await hives.quota.left()) || (await findKey(hives, storeKey))) return;
  throw tooManyKeys();
}

export async function expireKey(
  hives: PostgresContext,
  { hive, kind, key }: StoreKey,
  until: Date | null,
): Promise<boolean> {
  const hiveOf = await getHiveId(hives, hive);
  const now = hives.runtime.now();
  const ended = sql`update hive_keys set expires_at = ${until}, used_at = ${now}
    where hive_id = ${hiveOf} and kind = ${kind} and key = ${key} and ${liveKeySql(now)}`;
  return (await run(hives.db, ended)) > 0;
}

export async function renameKey(
  hives: PostgresContext,
  { hive, kind, key }: StoreKey,
  newKey: string,
  overwrite: boolean,
): Promise<boolean> {
  const hiveOf = await getHiveId(hives, hive);
  return hives.inTransaction(async (tx) => {
    const rows = await many(
      tx,
      sql<{
        id: string;
        key: string;
        live: boolean;
      }>`select id, key, ${liveKeySql(tx.now)} as live from hive_keys
        where hive_id = ${hiveOf} and kind = ${kind} and key = any(${[key, newKey]}) order by key for update`,
    );
    const [from, to] = [
      rows.find((row) => row.key === key && row.live),
      rows.find((row) => row.key === newKey),
    ];
    if (!from) throw keyNotFound(key);
    if (key === newKey) return true;
    if (to?.live && !overwrite) return false;
    if (to) await run(tx, sql`delete from hive_keys where id = ${to.id}`);
    await run(tx, sql`update hive_keys set key = ${newKey}, used_at = ${tx.now} where id = ${from.id}`);
    return true;
  });
}

/** Deletes expired keys; Redis does so automatically. */
export const purgeHives = async (tx: Tx): Promise<void> =>
  void (await run(tx, sql`delete from hive_keys where expires_at <= ${tx.now}`));
