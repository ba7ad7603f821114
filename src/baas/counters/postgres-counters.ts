import { type Database, type Db, many, maybeOne, run, sql } from "#platform/database";
import { CachedQuota } from "#platform/limits";
import { MAX_INT64, MIN_INT64, MAX_COUNTERS, type CounterStore } from "./counter-store.ts";

/**
 * Stores counters as rows. A change tries `update` first and inserts only if there is no row, since a
 * counter is created once and changed often.
 */
export function createPostgresCounters({ db }: Pick<Database, "db">): CounterStore {
  const quota = new CachedQuota(
    async () =>
      (await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from counters`))!.n < MAX_COUNTERS,
  );
  /** Whether a new counter would exceed the maximum. An existing counter can always be changed. */
  const isFull = async (name: string) =>
    !(await quota.left()) && !(await maybeOne(db, sql`select 1 from counters where name = ${name}`));
  return {
    async read(name) {
      const found = await maybeOne(
        db,
        sql<{ value: string }>`select value from counters where name = ${name}`,
      );
      return found && BigInt(found.value);
    },
    add: (name, by) => addToRow(db, name, by, isFull),
    async compareAndSet(name, expected, update) {
      if (
        (await run(
          db,
          sql`update counters set value = ${update} where name = ${name} and value = ${expected}`,
        )) > 0
      )
        return true;
      if (await isFull(name)) return "full";
      const made =
        expected === 0n
          ? sql`insert into counters (name, value) values (${name}, ${update})
                on conflict (name) do update set value = excluded.value where counters.value = 0`
          : sql`insert into counters (name, value) values (${name}, 0) on conflict (name) do nothing`;
      return (await run(db, made)) > 0 && expected === 0n;
    },
    async reset(name) {
      if ((await run(db, sql`update counters set value = 0 where name = ${name}`)) > 0) return;
      if (await isFull(name)) return "full";
      await run(
        db,
        sql`insert into counters (name, value) values (${name}, 0)
          on conflict (name) do update set value = 0`,
      );
    },
    async list(pattern, most) {
      const like = pattern.replace(/[\\%_]/g, "\\$&").replace(/\*+/g, "%");
      const rows = await many(
        db,
        sql<{ name: string }>`select name from counters where name like ${like} order by name limit ${most}`,
      );
      return rows.map(({ name }) => name);
    },
    empty: async () => void (await run(db, sql`delete from counters`)),
  };
}

async function addToRow(db: Db, name: string, by: bigint, isFull: (name: string) => Promise<boolean>) {
  const least = by < 0n ? MIN_INT64 - by : MIN_INT64;
  const greatest = by > 0n ? MAX_INT64 - by : MAX_INT64;
  const within = sql`counters.value between ${least} and ${greatest}`;
  const known = sql<{
    value: string;
  }>`update counters set value = value + ${by} where name = ${name} and ${within} returning value`;
  const changed = await maybeOne(db, known);
  if (changed) return BigInt(changed.value);
  if (await isFull(name)) return "full";
  const added = sql<{ value: string }>`
    insert into counters (name, value) values (${name}, ${by})
    on conflict (name) do update set value = counters.value + excluded.value where ${within} returning value`;
  const made = await maybeOne(db, added);
  return made ? BigInt(made.value) : "beyond";
}
