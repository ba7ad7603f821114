import type pg from "pg";
import type { World } from "#platform/clock";
import { type Database, openDatabase } from "#platform/database";
import type { Log } from "#platform/log";

/** Connections for searching, and milliseconds after which one question has to do with what was found by then. */
const SEARCHING = { size: 4, statementTimeout: 500, forQuestions: true };

/** Connections for the relay and for filing, whose work is found undone and done again after a fall: it is not waited for until it is on the disk. */
const FOLLOWING = { size: 4, forWhatFollows: true };

/**
 * Connections for what programs do with tables, and milliseconds that one statement may take: what they ask can be slow, and pages
 * do not wait for it.
 */
const PROGRAMS = { size: 8, statementTimeout: 5_000 };

/** Connections for what sockets ask. Anybody may ask for a thousand things at once: pages do not wait for the answers. */
const LOOKUPS = { size: 4, statementTimeout: 5_000 };

type Options = { connection: pg.PoolConfig; world: World; /** Connections for pages and everything else. */ size: number; log: Log };
type Pools = Record<"database" | "questions" | "following" | "programs" | "lookups", Database> & { close: () => Promise<void> };

/** The ways to the database, apart from each other, so that what is slow on one keeps nobody waiting on another. */
export function openPools({ connection, world, size, log }: Options): Pools {
  // While the house is being closed, connections end as they should.
  const onIdleError = (error: Error) => database.pool.ending || log.warn({ err: error }, "a database connection broke");
  const open = (more: { size: number }) => openDatabase({ connection, world, onIdleError, ...more });
  const database: Database = open({ size });
  const [questions, following, programs, lookups] = [open(SEARCHING), open(FOLLOWING), open(PROGRAMS), open(LOOKUPS)];
  const close = async () => {
    for (const pool of [questions, following, programs, lookups, database]) await pool.close();
  };
  return { database, questions, following, programs, lookups, close };
}
