import { Kysely, PostgresDialect, type RawBuilder, type Transaction } from "kysely";
import pg from "pg";
import type { World } from "#platform/clock";
import { NamingClient } from "./naming-client.ts";

/** Queries are SQL templates that name their own row types, so the builder is told of no tables. */
type Schema = Record<string, never>;
/** Something that can be asked: the pool, or a transaction. */
export type Db = Kysely<Schema>;
/** A transaction with its one moment, its ids, and what is to be done once it is safely stored. */
export type Tx = Transaction<Schema> & { now: Date; newId: () => string; afterCommit: (what: () => void) => void };

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** Runs `work` in one transaction with one moment; what it throws rolls everything back. */
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
};

type Options = {
  connection: pg.PoolConfig;
  world: World;
  /** Connections at the most. */
  size: number;
  /** Milliseconds after which the server gives up on one statement, and on waiting for one lock. */
  statementTimeout?: number;
  lockTimeout?: number;
  /** Told of a connection that broke while nobody used it. */
  onIdleError: (error: Error) => void;
};

/** Opens a pool. Nothing is connected before the first question. */
export function openDatabase(options: Options): Database {
  const { statementTimeout = 10_000, lockTimeout = 4_000, world } = options;
  const pool = new pg.Pool({
    ...options.connection,
    Client: NamingClient as unknown as new () => pg.ClientBase,
    max: options.size,
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: 15_000,
    application_name: "kith",
  });
  pool.on("error", options.onIdleError);
  // A client in use tells its user too; without a listener of its own its error would end the process.
  pool.on("connect", (client) => void client.on("error", () => {}));
  const db: Db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, inTransaction: transactionsOf(db, world), close: () => db.destroy() };
}

const transactionsOf =
  (db: Db, world: World) =>
  async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const waiting: (() => void)[] = [];
    const moment = { now: world.now(), newId: world.newId, afterCommit: (what: () => void) => void waiting.push(what) };
    const result = await db.transaction().execute((trx) => work(Object.assign(trx, moment)));
    for (const what of waiting) what();
    return result;
  };

/** All rows of a query. */
export const many = async <R>(db: Db, query: RawBuilder<R>): Promise<R[]> => (await query.execute(db)).rows;

/** The first row of a query, or undefined. */
export const maybeOne = async <R>(db: Db, query: RawBuilder<R>): Promise<R | undefined> => (await query.execute(db)).rows[0];

/** The first row of a query that always has one. */
export async function one<R>(db: Db, query: RawBuilder<R>): Promise<R> {
  const row = await maybeOne(db, query);
  if (row === undefined) throw new Error("A query that always has a row had none.");
  return row;
}

/** Runs a statement for its effect; the number of rows it touched. */
export const run = async (db: Db, query: RawBuilder<unknown>): Promise<number> => Number((await query.execute(db)).numAffectedRows ?? 0n);
