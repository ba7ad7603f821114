import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from "kysely";
import type pg from "pg";

/** Runs queries: a pool of connections, or a transaction (`Tx`). */
export interface Db {
  query: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;
}

/**
 * Renders SQL templates to text. Queries declare their own row types, so this Kysely instance has no table
 * types and runs no queries.
 */
const renderer = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Text and parameters of a query, as sent to the database. */
export const renderQuery = (query: RawBuilder<unknown>) => query.compile(renderer);

async function execute<R>(db: Db, query: RawBuilder<R>): Promise<pg.QueryResult & { rows: R[] }> {
  const { sql: text, parameters } = renderQuery(query);
  return db.query(text, parameters);
}

export const many = async <R>(db: Db, query: RawBuilder<R>): Promise<R[]> => (await execute(db, query)).rows;

export const maybeOne = async <R>(db: Db, query: RawBuilder<R>): Promise<R | undefined> =>
  (await execute(db, query)).rows[0];

/** Returns the first row of a query that always has a row. */
export async function one<R>(db: Db, query: RawBuilder<R>): Promise<R> {
  const row = await maybeOne(db, query);
  if (row === undefined) throw new Error("A query that must return a row returned none.");
  return row;
}

const COUNTING_COMMANDS = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** Runs a statement for its effect and returns the number of rows it touched. */
export async function run(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { command, rowCount } = await execute(db, query);
  return COUNTING_COMMANDS.has(command) ? (rowCount ?? 0) : 0;
}

/**
 * Returns a piece of SQL as text, for `sql.raw` in statements that are built very often; null when the piece
 * has parameters.
 */
export function sqlToText(piece: RawBuilder<unknown>): string | null {
  const { sql: text, parameters } = renderQuery(piece);
  return parameters.length === 0 ? text : null;
}

/**
 * Renders `limit` with the number in the text: when the limit is a parameter of a prepared statement,
 * PostgreSQL estimates it as a tenth of all rows (decision 4). Use it for a small set of numbers.
 */
export function limit(rows: number): RawBuilder<unknown> {
  if (!Number.isSafeInteger(rows) || rows < 0)
    throw new Error(`A limit must be a number of rows, not ${rows}.`);
  return sql.raw(`limit ${rows}`);
}
