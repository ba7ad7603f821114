import type pg from "pg";

/** Number of times a cached plan has served a statement with a text like this, on all open connections. */
export async function countCachedPlanUses(pool: pg.Pool, like: string): Promise<number> {
  const lines = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  try {
    const counts = await Promise.all(
      lines.map((line) =>
        line.query<{ kept: number }>(
          "select coalesce(sum(generic_plans), 0)::int as kept from pg_prepared_statements where statement like $1",
          [like],
        ),
      ),
    );
    return counts.reduce((sum, { rows }) => sum + rows[0]!.kept, 0);
  } finally {
    for (const line of lines) line.release();
  }
}

/** Runs it often enough for PostgreSQL to choose between plans, on any connection. */
export async function runRepeatedly(ask: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 20; n++) await ask(n);
}
