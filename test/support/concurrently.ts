import { expect } from "vitest";
import { one, sql, type Tx } from "#platform/database";
import type { TestDatabase } from "./setup/test-database.ts";

type TransactionWork<T> = (tx: Tx) => Promise<T>;

/**
 * Runs both functions concurrently: the second starts when the first has done its work but not committed
 * yet, so the second has to wait. Returns the outcome of each.
 */
export async function runConcurrently<A, B>(
  database: TestDatabase,
  first: TransactionWork<A>,
  second: TransactionWork<B>,
) {
  const [done, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const earlier = database.inTransaction(async (tx) => {
    try {
      return await first(tx);
    } finally {
      done.resolve();
      await mayEnd.promise;
    }
  });
  await done.promise;
  const later = database.inTransaction(second);
  const waiting = sql<{
    n: number;
  }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await one(database.db, waiting)).n).toBe(1);
  mayEnd.resolve();
  return Promise.allSettled([earlier, later]);
}
