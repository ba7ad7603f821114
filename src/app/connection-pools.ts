import type pg from "pg";
import type { Runtime } from "#platform/clock";
import { type Database, openDatabase } from "#platform/database";
import type { Log } from "#platform/log";

/**
 * Connections for search. When a statement reaches the timeout (milliseconds), search returns the results
 * found so far.
 */
const SEARCH_POOL = { size: 4, statementTimeout: 500, forQuestions: true };

/**
 * Connections for handlers and indexing. Their work is repeated after a crash, so commits need not wait for
 * the disk.
 */
const HANDLER_POOL = { size: 4, forWhatFollows: true };

/**
 * Connections for data tables, with milliseconds per statement. Queries of API clients may be slow, and
 * pages must not wait for them.
 */
const API_POOL = { size: 8, statementTimeout: 5_000 };

/**
 * Connections for requests that arrive over sockets. There can be thousands of requests at once, and pages
 * must not wait for them.
 */
const LOOKUPS = { size: 4, statementTimeout: 5_000 };

type Options = {
  connection: pg.PoolConfig;
  runtime: Runtime;
  /** Connections for pages and everything else. */ size: number;
  log: Log;
};
type ConnectionPools = Record<"database" | "questions" | "following" | "programs" | "lookups", Database> & {
  close: () => Promise<void>;
};

/** Creates separate connection pools, so that slow work on one does not delay another. */
export function createConnectionPools({ connection, runtime, size, log }: Options): ConnectionPools {
  // Errors of idle connections are not logged while the app closes, because it then ends them itself.
  const onIdleError = (error: Error) =>
    database.pool.ending || log.warn({ err: error }, "a database connection was lost");
  const open = (more: { size: number }) => openDatabase({ connection, runtime, onIdleError, ...more });
  const database: Database = open({ size });
  const [questions, following, programs, lookups] = [
    open(SEARCH_POOL),
    open(HANDLER_POOL),
    open(API_POOL),
    open(LOOKUPS),
  ];
  const close = async () => {
    for (const pool of [questions, following, programs, lookups, database]) await pool.close();
  };
  return { database, questions, following, programs, lookups, close };
}
