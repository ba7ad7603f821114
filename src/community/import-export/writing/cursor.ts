import { type Db, many, run, sql } from "#platform/database";

type Sql = ReturnType<typeof sql>;

/**
 * Yields the rows of a statement in batches, so that memory stays constant. Needs a transaction, and runs
 * one statement at a time.
 */
export async function* fetchInBatches(
  tx: Db,
  rows: Sql,
  share: number,
): AsyncGenerator<Record<string, unknown>[]> {
  await run(tx, sql`declare told no scroll cursor for ${rows}`);
  for (;;) {
    const some = await many(tx, sql<Record<string, unknown>>`fetch ${sql.lit(share)} from told`);
    if (some.length === 0) break;
    yield some;
  }
  await run(tx, sql`close told`);
}
