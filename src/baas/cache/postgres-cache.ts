import { type Database, maybeOne, run, sql, type Tx } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import { MAX_CACHE_KEYS, type CacheStore } from "./cache-store.ts";

/** The cache as an unlogged table, so that a write does not wait for the disk. */
export function createPostgresCache({ db, runtime }: Pick<Database, "db" | "runtime">): CacheStore {
  const live = () => sql`expires_at > ${runtime.now()}`;
  const quota = new CachedQuota(async () => {
    const found = await maybeOne(
      db,
      sql<{ n: number }>`select count(*)::int as n from cache_entries where ${live()}`,
    );
    return found!.n < MAX_CACHE_KEYS;
  });
  return {
    async put(key, text, until) {
      const end = new Date(until);
      if (
        (await run(
          db,
          sql`update cache_entries set value = ${text}, expires_at = ${end} where key = ${key}`,
        )) > 0
      )
        return;
      if (!(await quota.left())) return "full";
      await run(
        db,
        sql`insert into cache_entries (key, value, expires_at) values (${key}, ${text}, ${end})
            on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
      );
    },
    async read(key) {
      return (
        await maybeOne(
          db,
          sql<{ value: string }>`select value from cache_entries where key = ${key} and ${live()}`,
        )
      )?.value;
    },
    has: async (key) =>
      (await maybeOne(db, sql`select 1 from cache_entries where key = ${key} and ${live()}`)) !== undefined,
    async remove(key) {
      await run(db, sql`delete from cache_entries where key = ${key}`);
    },
    async endAt(key, until) {
      await run(
        db,
        sql`update cache_entries set expires_at = ${new Date(until)} where key = ${key} and ${live()}`,
      );
    },
    empty: async () => void (await run(db, sql`delete from cache_entries`)),
  };
}

/** Deletes expired values; Redis does so automatically. */
export const purgeCache = async (tx: Tx): Promise<void> =>
  void (await run(tx, sql`delete from cache_entries where expires_at <= ${tx.now}`));
