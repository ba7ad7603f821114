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
import type { World } from "#platform/clock";
import { readers } from "./moments.ts";
import { SharedLines } from "./shared-lines.ts";
import { AskingClient, ENDING, NamingClient } from "./naming-client.ts";

/** Queries are SQL templates that name their own row types, so the builder is told of no tables. */
type Schema = Record<string, never>;
/** Something that can be asked: the pool, or a transaction. */
export type Db = Kysely<Schema>;
/** A transaction with its one moment, its ids, and what is to be done once it is safely stored. */
export type Tx = Transaction<Schema> & {
  now: Date;
  newId: () => string;
  afterCommit: (what: () => void) => void;
  /** Nothing is asked once the verb that it was opened for is done. */
  isOneVerbs: boolean;
};

export type Database = {
  db: Db;
  /** For single questions that write nothing: those that come at once go over the same lines, one after the other. */
  shared: Db;
  pool: pg.Pool;
  /** What time it is, and new ids: for what is one statement and no transaction. */
  world: World;
  /** Runs `work` in one transaction with one moment; what it throws rolls everything back. */
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** The same for one verb and nothing after it: what it says is its last statement (`lastly`) goes together with the end. */
  inOneVerb: <T>(verb: (tx: Tx) => Promise<T>) => Promise<T>;
  /** The same for work that is one statement: it needs no beginning and no end around it, and no way there for them. */
  inOneStatement: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
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
  /**
   * Nothing is written on these connections, and each statement is planned for what it asks: for questions that are all different. Only
   * what asks by keys alone, and begins by saying so, is planned once.
   */
  forQuestions?: boolean;
  /** What is written on these connections is done again where it is lost: nobody waits until it is on the disk. */
  forWhatFollows?: boolean;
  /** Milliseconds after which what waits behind a question that takes long is asked once more, on another line (`SharedLines`). */
  patience?: number;
  /** Told of a connection that broke while nobody used it. */
  onIdleError: (error: Error) => void;
};

/** Moments are written as `momentOf` reads them quickest. No statement asks for a zone without naming it. */
const IN_UTC = "-c TimeZone=UTC";
const FOR_QUESTIONS = "-c default_transaction_read_only=on -c jit=off";
const UNWRITTEN = "-c synchronous_commit=off";

/** Opens a pool. Nothing is connected before the first question. */
export function openDatabase(options: Options): Database {
  const { statementTimeout = 10_000, lockTimeout = 4_000, forQuestions = false, forWhatFollows = false, world } = options;
  const pool = new pg.Pool({
    ...options.connection,
    ...(forQuestions
      ? { Client: AskingClient as unknown as new () => pg.ClientBase }
      : { Client: NamingClient as unknown as new () => pg.ClientBase, pipeline: true }),
    options: [options.connection.options, IN_UTC, forQuestions && FOR_QUESTIONS, forWhatFollows && UNWRITTEN].filter(Boolean).join(" "),
    types: readers,
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
  const shared: Db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: new SharedLines(pool, options.patience).asPool() as unknown as pg.Pool }),
  });
  const close = async () => {
    await Promise.all([db.destroy(), shared.destroy()]);
    // Who has asked nothing has not begun, and ends nothing.
    if (!pool.ending) await pool.end();
  };
  const inTransaction = momentsOf(world, (inMoment) => db.transaction().execute(inMoment));
  const inOneVerb = momentsOf(world, (inMoment) => db.transaction().execute(inMoment), true);
  const inOneStatement = momentsOf(world, (inMoment) => inMoment(db.withoutPlugins() as Transaction<Schema>));
  return { db, shared, pool, world, inTransaction, inOneVerb, inOneStatement, close };
}

type Around = <T>(inMoment: (db: Transaction<Schema>) => Promise<T>) => Promise<T>;

const momentsOf =
  (world: World, around: Around, isOneVerbs = false) =>
  async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const waiting: (() => void)[] = [];
    const moment = { now: world.now(), newId: world.newId, afterCommit: (what: () => void) => void waiting.push(what), isOneVerbs };
    const result = await around((db) => work(Object.assign(db, moment)));
    for (const what of waiting) what();
    return result;
  };

/** All rows of a query. */
export const many = async <R>(db: Db, query: RawBuilder<R>): Promise<R[]> => (await query.execute(db)).rows;

type RowsOf<Queries> = { [K in keyof Queries]: Queries[K] extends RawBuilder<infer R> ? R[] : never };

/**
 * The rows of several queries of a transaction that know what to ask without each other's answers: they take one way there and back. They
 * run one after the other, each with all that was stored when those before it were done; where one fails, those behind it do.
 */
export const together = <const Queries extends readonly RawBuilder<unknown>[]>(tx: Tx, ...queries: Queries): Promise<RowsOf<Queries>> =>
  tx.getExecutor().provideConnection(async (connection) => {
    const answers = await Promise.all(queries.map((query) => connection.executeQuery(query.compile(tx))));
    return answers.map(({ rows }) => rows) as RowsOf<Queries>;
  });

/**
 * The first row of the statement that a verb ends with, or undefined. In a transaction that is for this verb alone (`inOneVerb`) its end goes along
 * with the statement, and so takes no way of its own: then it is stored, whatever the verb throws afterwards, and asks nothing more.
 */
export const lastly = async <R>(tx: Tx, query: RawBuilder<R>): Promise<R | undefined> => {
  if (!tx.isOneVerbs) return maybeOne(tx, query);
  return tx.getExecutor().provideConnection(async (connection) => {
    const [answer] = await Promise.all([connection.executeQuery<R>(query.compile(tx)), connection.executeQuery(CompiledQuery.raw(ENDING))]);
    return answer.rows[0];
  });
};

/** Writes statements, and asks nobody. */
const scribe: Db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A piece of SQL as text, for `sql.raw` in statements that are made again and again; null where it has parameters. */
export function textOf(piece: RawBuilder<unknown>): string | null {
  const { sql: text, parameters } = piece.compile(scribe);
  return parameters.length === 0 ? text : null;
}

/**
 * `limit`, with the number in the text: PostgreSQL, which keeps the plan of a statement for whatever its parameters will be, takes a limit that
 * it does not see for a tenth of all there is (decision 57). For numbers that are few.
 */
export function limit(rows: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new Error(`A limit is a number of rows, not ${rows}.`);
  return sql.raw(`limit ${rows}`);
}

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
