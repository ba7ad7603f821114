import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
  type Transaction,
} from "kysely";
import pg from "pg";
import type { Runtime } from "#platform/clock";
import { typeParsers } from "./timestamps.ts";
import { SharedConnections } from "./shared-connections.ts";
import { AdHocClient, COMMIT_WITH_LAST, PreparedClient } from "./prepared-client.ts";

/** Queries are SQL templates that name their own row types, so the builder knows no tables. */
type Schema = Record<string, never>;
/** A pool or a transaction: anything that runs queries. */
export type Db = Kysely<Schema>;
/** Transaction with its one moment, its ids, and callbacks that run after the commit. */
export type Tx = Transaction<Schema> & {
  now: Date;
  newId: () => string;
  afterCommit: (what: () => void) => void;
  /** True when nothing is queried after the command that the transaction was opened for. */
  isOneVerbs: boolean;
};

export type Database = {
  db: Db;
  /** For single read-only queries: concurrent ones share connections and run one after the other on each. */
  shared: Db;
  pool: pg.Pool;
  /** Clock and ids for single statements outside a transaction. */
  runtime: Runtime;
  /** Runs `work` in one transaction with one moment; a throw rolls everything back. */
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Like `inTransaction`, for one command and nothing after it: its last statement (`queryAndCommit`) is sent
   * together with the commit.
   */
  inOneVerb: <T>(verb: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Like `inTransaction`, for work that is one statement: it saves the round trips of BEGIN and COMMIT. */
  inOneStatement: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

type DatabaseOptions = {
  connection: pg.PoolConfig;
  runtime: Runtime;
  /** Maximum number of connections. */
  size: number;
  /** Milliseconds until the server cancels a statement, or a wait for a lock. */
  statementTimeout?: number;
  lockTimeout?: number;
  /**
   * For read-only ad-hoc queries: each statement is planned anew, except those by key alone, which are marked
   * as such in their text.
   */
  forQuestions?: boolean;
  /** For writes that are repeated when they are lost (such as handlers): commits do not wait for the disk. */
  forWhatFollows?: boolean;
  /**
   * Milliseconds after which queries that wait behind a slow one are retried on another connection
   * (`SharedConnections`).
   */
  patience?: number;
  /** Called when an idle connection breaks. */
  onIdleError: (error: Error) => void;
};

/** UTC timestamps take the fast path of `parseTimestamp`. Statements that need a zone name it. */
const UTC_OPTION = "-c TimeZone=UTC";
const READ_ONLY = "-c default_transaction_read_only=on -c jit=off";
const ASYNC_COMMIT = "-c synchronous_commit=off";

/** Opens a pool. It connects on the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    statementTimeout = 10_000,
    lockTimeout = 4_000,
    forQuestions = false,
    forWhatFollows = false,
    runtime,
  } = options;
  const pool = new pg.Pool({
    ...options.connection,
    ...(forQuestions
      ? { Client: AdHocClient as unknown as new () => pg.ClientBase }
      : { Client: PreparedClient as unknown as new () => pg.ClientBase, pipeline: true }),
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
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "kith",
  });
  pool.on("error", options.onIdleError);
  // A client in use reports errors to its user too; without a listener of its own, an error would end the
  // process.
  pool.on("connect", (client) => void client.on("error", () => {}));
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const shared: Db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: new SharedConnections(pool, options.patience).asPool() as unknown as pg.Pool,
    }),
  });
  const close = async () => {
    await Promise.all([db.destroy(), shared.destroy()]);
    // A client that ran no query has not begun a transaction, so there is nothing to end.
    if (!pool.ending) await pool.end();
  };
  const inTransaction = transactionRunner(runtime, (inMoment) => db.transaction().execute(inMoment));
  const inOneVerb = transactionRunner(runtime, (inMoment) => db.transaction().execute(inMoment), true);
  const inOneStatement = transactionRunner(runtime, (inMoment) =>
    inMoment(db.withoutPlugins() as Transaction<Schema>),
  );
  return { db, shared, pool, runtime, inTransaction, inOneVerb, inOneStatement, close };
}

type RunTransaction = <T>(inMoment: (db: Transaction<Schema>) => Promise<T>) => Promise<T>;

const transactionRunner =
  (runtime: Runtime, around: RunTransaction, isOneVerbs = false) =>
  async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const waiting: (() => void)[] = [];
    const moment = {
      now: runtime.now(),
      newId: runtime.newId,
      afterCommit: (what: () => void) => void waiting.push(what),
      isOneVerbs,
    };
    const result = await around((db) => work(Object.assign(db, moment)));
    for (const what of waiting) what();
    return result;
  };

export const many = async <R>(db: Db, query: RawBuilder<R>): Promise<R[]> => (await query.execute(db)).rows;

type RowsOf<Queries> = { [K in keyof Queries]: Queries[K] extends RawBuilder<infer R> ? R[] : never };

/**
 * Sends several independent queries of a transaction in one round trip and returns the rows of each. They run
 * one after the other, each seeing what was committed before it; when one fails, those behind it fail too.
 */
export const pipelined = <const Queries extends readonly RawBuilder<unknown>[]>(
  tx: Tx,
  ...queries: Queries
): Promise<RowsOf<Queries>> =>
  tx.getExecutor().provideConnection(async (connection) => {
    const answers = await Promise.all(queries.map((query) => connection.executeQuery(query.compile(tx))));
    return answers.map(({ rows }) => rows) as RowsOf<Queries>;
  });

/**
 * Runs the last statement of a command and returns its first row, or undefined. In a transaction opened with
 * `inOneVerb` the COMMIT is sent along and costs no round trip: the result is stored even if the command
 * throws afterwards, and it cannot query any more.
 */
export const queryAndCommit = async <R>(tx: Tx, query: RawBuilder<R>): Promise<R | undefined> => {
  if (!tx.isOneVerbs) return maybeOne(tx, query);
  return tx.getExecutor().provideConnection(async (connection) => {
    const [answer] = await Promise.all([
      connection.executeQuery<R>(query.compile(tx)),
      connection.executeQuery(CompiledQuery.raw(COMMIT_WITH_LAST)),
    ]);
    return answer.rows[0];
  });
};

/** Renders statements and runs none. */
const sqlPrinter: Db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * A piece of SQL as text, for `sql.raw` in statements that are built again and again; null when it has
 * parameters.
 */
export function textOfSql(piece: RawBuilder<unknown>): string | null {
  const { sql: text, parameters } = piece.compile(sqlPrinter);
  return parameters.length === 0 ? text : null;
}

/**
 * `limit` with the number in the text: for a prepared statement PostgreSQL estimates a limit that is a
 * parameter as a tenth of all rows (decision 4). Use it for a small set of numbers.
 */
export function limit(rows: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(rows) || rows < 0)
    throw new Error(`A limit must be a number of rows, not ${rows}.`);
  return sql.raw(`limit ${rows}`);
}

export const maybeOne = async <R>(db: Db, query: RawBuilder<R>): Promise<R | undefined> =>
  (await query.execute(db)).rows[0];

/** The first row of a query that always returns one. */
export async function one<R>(db: Db, query: RawBuilder<R>): Promise<R> {
  const row = await maybeOne(db, query);
  if (row === undefined) throw new Error("A query that must return a row returned none.");
  return row;
}

/** Runs a statement for its effect and returns the number of rows it touched. */
export const run = async (db: Db, query: RawBuilder<unknown>): Promise<number> =>
  Number((await query.execute(db)).numAffectedRows ?? 0n);
