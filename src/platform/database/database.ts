import pg from "pg";
import type { Runtime } from "#platform/clock";
import { timeQuery } from "./query-timings.ts";
import { typeParsers } from "./timestamps.ts";
import { StatementNames } from "./prepared-statements.ts";
import type { Db } from "./queries.ts";
import { limitResponseSize } from "./response-limit.ts";
import { runTransaction, type SendStatement, Tx } from "./transactions.ts";

export type Database = {
  /** Runs each query on a connection of the pool. */
  db: Db;
  pool: pg.Pool;
  /** Clock and ids for single statements outside a transaction. */
  runtime: Runtime;
  /** Runs `work` in one transaction with one timestamp; when `work` throws, everything is rolled back. */
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Runs read-only `work` on one snapshot of the database, however long it takes. */
  inSnapshot: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

type DatabaseOptions = {
  connection: pg.PoolConfig;
  runtime: Runtime;
  /** Maximum number of connections. */
  size: number;
  /** Milliseconds until a wait for a free connection fails. */
  connectionTimeout?: number;
  /** Milliseconds until the server cancels a statement, or a wait for a lock. */
  statementTimeout?: number;
  lockTimeout?: number;
  /**
   * True for read-only ad-hoc queries: each statement is planned anew, except lookups by key, which are
   * marked as such in their text.
   */
  forQuestions?: boolean;
  /**
   * True for writes that are repeated when a crash loses them (such as those of event handlers): commits do
   * not wait for the disk.
   */
  forWhatFollows?: boolean;
  /** Called when an idle connection breaks. */
  onIdleError: (error: Error) => void;
};

/**
 * Timestamps in UTC are parsed fast (`parseTimestamp`). A statement that needs another time zone names it.
 */
const UTC_OPTION = "-c TimeZone=UTC";
const READ_ONLY = "-c default_transaction_read_only=on -c jit=off";
const ASYNC_COMMIT = "-c synchronous_commit=off";
const BEGIN_SNAPSHOT = "begin isolation level repeatable read read only";

/** Opens a connection pool, which connects on its first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    connectionTimeout = 4_000,
    statementTimeout = 10_000,
    lockTimeout = 4_000,
    forQuestions = false,
    forWhatFollows = false,
    runtime,
  } = options;
  const pool = new pg.Pool({
    ...options.connection,
    pipeline: true,
    options: [
      options.connection.options,
      UTC_OPTION,
      forQuestions && READ_ONLY,
      forWhatFollows && ASYNC_COMMIT,
    ]
      .filter(Boolean)
      .join(" "),
    types: typeParsers,
    max: options.size,
    connectionTimeoutMillis: connectionTimeout,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "kith",
  });
  pool.on("error", options.onIdleError);
  pool.on("connect", (client) => {
    limitResponseSize(client);
    // Errors of a connection in use are also reported to its query; without this listener they would end the
    // process.
    client.on("error", () => {});
  });
  const names = new StatementNames();
  const nameOf = (text: string) =>
    forQuestions ? names.adHocStatementName(text) : names.statementName(text);
  const send: SendStatement = (client, text, values) =>
    timeQuery(text, () =>
      client.query(values.length > 0 ? { name: nameOf(text), text, values: [...values] } : { text }),
    );
  const db: Db = {
    async query(text, values) {
      const client = await pool.connect();
      try {
        return await send(client, text, values);
      } finally {
        client.release();
      }
    },
  };
  const inTransaction: Database["inTransaction"] = async (work) => {
    let tx: Tx;
    const result = await runTransaction(pool, send, "begin", (query) => work((tx = new Tx(runtime, query))));
    tx!.runCallbacks();
    return result;
  };
  const inSnapshot: Database["inSnapshot"] = (work) =>
    runTransaction(pool, send, BEGIN_SNAPSHOT, (query) => work({ query }));
  const close = async () => {
    if (!pool.ending) await pool.end();
  };
  return { db, pool, runtime, inTransaction, inSnapshot, close };
}
