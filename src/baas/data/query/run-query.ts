import { type Db, many, sql } from "#platform/database";
import type { SqlFragment } from "../catalogue/types.ts";
import { clauseFault } from "../clause/clause-errors.ts";
import { CODES, TableFault, dataTooLarge } from "../data-errors.ts";

/** A row by the short names of its values. */
export type SqlRow = Record<string, unknown>;

/**
 * Runs a statement built from a caller's query.
 * @throws `invalid` or `unavailable` with our messages, never the database's
 */
export async function runQuery({ db, shared = db }: { db: Db; shared?: Db }, query: SqlFragment): Promise<SqlRow[]> {
  try {
    return await many(shared, sql<SqlRow>`${CALLER_QUERY_MARK}${query}`);
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Marks texts that the driver should not cache as prepared statements (`naming-client.ts`). */
export const CALLER_QUERY_MARK = sql.raw("/* asked */ ");

function toRefusal(error: unknown): unknown {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (code === "57014")
    return new TableFault(CODES.tooSlow, "Finding this takes too long. Ask for less, or by columns that have an index.", "unavailable");
  // PostgreSQL, appendix A: results out of range, and queries that exceed its limits.
  if (code === "22001") return dataTooLarge("A text that the query puts together would have more characters than a value has.");
  if (code.startsWith("22")) return clauseFault("What the query calculates leaves the range of numbers.");
  return code.startsWith("54") ? clauseFault("The query is too much at once.") : error;
}
