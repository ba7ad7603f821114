import { type Db, many, sql } from "#platform/database";
import type { SqlFragment } from "../catalogue/types.ts";
import { clauseFault } from "../clause/clause-errors.ts";
import { CODES, TableFault, dataTooLarge } from "../data-errors.ts";

/** A result row: values by short name. */
export type SqlRow = Record<string, unknown>;

/**
 * Runs a statement built from a caller's query; `R` has the columns that the statement names itself.
 * @throws `invalid` or `unavailable` with our own messages, never with those of the database
 */
export async function runQuery<R extends SqlRow = SqlRow>(
  { db }: { db: Db },
  query: SqlFragment,
): Promise<R[]> {
  try {
    return await many(db, sql<R>`${CALLER_QUERY_MARK}${query}`);
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Marks statements that the driver should not cache as prepared (`prepared-statements.ts`). */
export const CALLER_QUERY_MARK = sql.raw("/* asked */ ");

function toRefusal(error: unknown): unknown {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (code === "57014")
    return new TableFault(
      CODES.tooSlow,
      "The query takes too long. Ask for less, or filter by indexed columns.",
      "unavailable",
    );
  // PostgreSQL, appendix A: results out of range, and queries that exceed its limits.
  if (code === "22001") return dataTooLarge("A text that the query calculates is too long.");
  if (code.startsWith("22")) return clauseFault("A calculated value is out of range.");
  return code.startsWith("54") ? clauseFault("The query is too large.") : error;
}
