import { describe, inject } from "vitest";
import { type Cache, createCache, purgeCache } from "#baas/cache";
import { type Counters, createCounterStore } from "#baas/counters";
import { type Hives, createHiveStore, purgeHives } from "#baas/hive";
import { many, one, run, sql } from "#platform/database";
import type { Redis } from "#platform/redis";
import { testDatabase, type TestDatabase } from "../setup/test-database.ts";
import { testRedis } from "../setup/test-redis.ts";

type StoreSize = { entries: number; size: number };

/** Counters, cache and hives in one storage backend, with direct access to fill and inspect the backend. */
export type TestStore = {
  database: TestDatabase;
  /** Opens new instances of the three modules, without cached data. */
  open: () => { counters: Counters; cache: Cache; hives: Hives };
  setCounter: (name: string, value: number) => Promise<unknown>;
  /** Creates counters `c1`, `c2` and so on. */
  fillCounters: (count: number) => Promise<unknown>;
  /** Creates cached values `k1`, `k2` and so on with a TTL of `life` milliseconds. */
  fillCache: (count: number, life: number) => Promise<unknown>;
  cacheKeys: () => Promise<string[]>;
  /** Creates more hives. */
  fillHives: (count: number) => Promise<unknown>;
  /** Creates keys `k1`, `k2` and so on with the value 1 in the hive `garden`. */
  fillKeys: (count: number) => Promise<unknown>;
  /** Runs the cleanup of expired data. */
  clear: (what: "cache" | "hives") => Promise<unknown>;
  /** Counts everything stored in hives, expired or not. */
  left: () => Promise<{ keys: number; entries: number }>;
  /** Returns the recorded size of the only store. */
  measure: () => Promise<StoreSize>;
  setMeasure: (to: Partial<StoreSize>) => Promise<unknown>;
};

/**
 * Runs the tests with every storage backend. Without Redis on the machine the tests of that backend are
 * skipped and reported as skipped.
 */
export async function describeEachStore(tests: (store: TestStore) => void): Promise<void> {
  const database = await testDatabase();
  const redis = inject("redis") ? await testRedis() : null;
  describe("in PostgreSQL", () => {
    tests(postgresStore(database));
  });
  describe.skipIf(!redis)("in Redis, where this machine has one", () => {
    tests(redis ? redisStore(database, redis) : postgresStore(database));
  });
}

function postgresStore(database: TestDatabase): TestStore {
  const { db, clock } = database;
  return {
    database,
    open: () => ({
      counters: createCounterStore(database),
      cache: createCache(database),
      hives: createHiveStore(database),
    }),
    setCounter: (name, value) => run(db, sql`insert into counters (name, value) values (${name}, ${value})`),
    fillCounters: (count) =>
      run(
        db,
        sql`insert into counters (name, value) select 'c' || n, 0 from generate_series(1, ${count}::int) n`,
      ),
    fillCache: (count, life) =>
      run(
        db,
        sql`insert into cache_entries (key, value, expires_at)
            select 'k' || n, '1', ${new Date(clock.at.getTime() + life)}::timestamptz
            from generate_series(1, ${count}::int) n`,
      ),
    cacheKeys: async () =>
      (await many(db, sql<{ key: string }>`select key from cache_entries order by key`)).map(
        ({ key }) => key,
      ),
    fillHives: (count) =>
      run(
        db,
        sql`insert into hives (id, name, created_at) select gen_random_uuid(), 'h' || n, now()
          from generate_series(1, ${count}::int) n`,
      ),
    fillKeys: (count) =>
      run(
        db,
        sql`insert into hive_keys (hive_id, kind, key, value, used_at)
            select id, 'key-value', 'k' || n, '1', now() from hives, generate_series(1, ${count}::int) n
            where name = 'garden'`,
      ),
    clear: (what) => database.inTransaction(what === "cache" ? purgeCache : purgeHives),
    left: () =>
      one(
        db,
        sql<{ keys: number; entries: number }>`select (select count(*) from hive_keys)::int as keys,
          (select count(*) from hive_entries)::int + (select count(*) from hive_items)::int as entries`,
      ),
    async measure() {
      const { entries, size } = await one(
        db,
        sql<{ entries: number; size: string }>`select entries, size from hive_keys`,
      );
      return { entries, size: Number(size) };
    },
    setMeasure: ({ entries, size }) =>
      run(
        db,
        sql`update hive_keys set entries = coalesce(${entries ?? null}, entries),
          size = coalesce(${size ?? null}, size)`,
      ),
  };
}

function redisStore(database: TestDatabase, redis: Redis): TestStore {
  const named = (what: string) => redis.call<string[]>("KEYS", `${redis.prefix}${what}`);
  const theOne = async () => (await named("hive:key:*"))[0]!;
  /** Runs a command on many items in batches of five thousand, because a command has a maximum size. */
  const each = async (count: number, words: (n: number) => string[], ...before: string[]) => {
    for (let from = 1; from <= count; from += 5_000)
      await redis.call(
        ...before,
        ...Array.from({ length: Math.min(5_000, count - from + 1) }, (_, n) => words(from + n)).flat(),
      );
  };
  const open = () => ({
    counters: createCounterStore(database, redis),
    cache: createCache(database, redis),
    hives: createHiveStore(database, redis),
  });
  const { counters, cache, hives } = open();
  return {
    database,
    open,
    setCounter: (name, value) => counters.store.add(name, BigInt(value)),
    async fillCounters(count) {
      await each(count, (n) => [`c${n}`, "0"], "HSET", `${redis.prefix}counters`);
      await each(count, (n) => ["0", `c${n}`], "ZADD", `${redis.prefix}counters:names`);
    },
    async fillCache(count, life) {
      await each(
        count,
        (n) => [String(database.clock.at.getTime() + life), `k${n}`],
        "ZADD",
        `${redis.prefix}cache`,
      );
      await each(count, (n) => [`${redis.prefix}cache:k${n}`, "1"], "MSET");
    },
    // Returns the keys in the cache's index, and any keys without a TTL, which Redis would never delete.
    async cacheKeys() {
      const begin = `${redis.prefix}cache:`;
      const endless = await Promise.all(
        (await named("cache:*")).map(async (key) =>
          (await redis.call("PTTL", key)) === -1 ? [key.slice(begin.length)] : [],
        ),
      );
      const counted = await redis.call<string[]>("ZRANGE", `${redis.prefix}cache`, "0", "-1");
      return [...new Set([...counted, ...endless.flat()])].toSorted();
    },
    fillHives: (count) => each(count, (n) => [`h${n}`, `id-${n}`], "HSET", `${redis.prefix}hives`),
    fillKeys: async (count) => {
      const values = Array.from({ length: count }, (_, n) => ({ field: `k${n + 1}`, value: "1" }));
      for (let from = 0; from < count; from += 2_000)
        await hives.store.values.write("garden", values.slice(from, from + 2_000));
    },
    // Expired data is deleted by the next write.
    clear: (what) =>
      what === "cache"
        ? cache.store.put("another", "1", 0)
        : hives.store.keys.touch({ hive: "garden", kind: "list" }, ["none"]),
    async left() {
      const entries = await Promise.all(
        (await named("hive:data:*")).map((key) =>
          redis.call("HLEN", key).catch(() => redis.call("LLEN", key)),
        ),
      );
      return {
        keys: (await named("hive:key:*")).length,
        entries: entries.reduce<number>((sum, n) => sum + Number(n), 0),
      };
    },
    async measure() {
      const [entries, size] = await redis.call<string[]>("HMGET", await theOne(), "entries", "size");
      return { entries: Number(entries), size: Number(size) };
    },
    async setMeasure(to) {
      const key = await theOne();
      for (const [name, value] of Object.entries(to)) await redis.call("HSET", key, name, String(value));
    },
  };
}
