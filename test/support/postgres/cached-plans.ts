import type pg from "pg";

/**
 * Returns how often a cached plan was used, on all open connections, for statements whose text matches
 * `like`.
 */
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

/** Calls `ask` so often that PostgreSQL chooses between a generic and a custom plan on every connection. */
export async function runRepeatedly(ask: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 20; n++) await ask(n);
}
