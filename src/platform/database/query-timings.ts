import { AsyncLocalStorage } from "node:async_hooks";
import { traceQuery } from "#platform/telemetry";

/** Queries of one piece of work: their number, their total milliseconds, and the SQL of the slowest one. */
export type QueryTimings = {
  count: number;
  milliseconds: number;
  slowest: { sql: string; milliseconds: number } | null;
};

const current = new AsyncLocalStorage<QueryTimings>();

/**
 * Runs `work` and adds up the queries that it sends. The times of concurrent queries overlap and are all
 * counted; each includes the wait for earlier queries of its connection.
 */
export async function measureQueries<T>(
  work: () => Promise<T>,
): Promise<{ result: T; timings: QueryTimings }> {
  const timings: QueryTimings = { count: 0, milliseconds: 0, slowest: null };
  return { result: await current.run(timings, work), timings };
}

/** Adds a query to the timings and the trace of the work that sent it, if that work is measured or traced. */
export async function timeQuery<T>(sql: string, query: () => Promise<T>): Promise<T> {
  const timings = current.getStore();
  if (!timings) return traceQuery(sql, query);
  const began = performance.now();
  try {
    return await traceQuery(sql, query);
  } finally {
    const milliseconds = performance.now() - began;
    timings.count++;
    timings.milliseconds += milliseconds;
    if (milliseconds > (timings.slowest?.milliseconds ?? 0)) timings.slowest = { sql, milliseconds };
  }
}
