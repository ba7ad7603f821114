import { msg } from "#platform/messages";
import { isUnavailable } from "#platform/database";
import type { Table } from "../catalogue/types.ts";
import {
  badRequest,
  CODES,
  missingValues,
  relatedObjectNotFound,
  TableFault,
  dataTooLarge,
  invalidTypes,
} from "../data-errors.ts";
import { MAX_ANSWER_BYTES } from "../query/answer-size.ts";

type DatabaseError = { code: string; constraint?: string; detail?: string; column?: string };
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code);

/**
 * Whether the database has refused the statement, so that nothing was stored. False if the database is
 * unavailable, in which case the outcome is unknown.
 */
export const isDatabaseRefusal = (error: unknown): boolean =>
  error instanceof TableFault || (isDatabaseError(error) && !isUnavailable(error));

/** Runs a statement on a table and replaces errors of the database by ours. */
export async function translateDatabaseErrors<T>(table: Table, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDatabaseError(error) ? (toTableFault(error, table) ?? error) : error;
  }
}

function toTableFault(
  { code, constraint = "", column = "" }: DatabaseError,
  table: Table,
): TableFault | null {
  switch (code) {
    case "23505":
      return duplicateValue(table, constraint);
    // The record or a linked one has been deleted at the same time.
    case "23503":
      return relatedObjectNotFound();
    // The result of an expression is out of range, or it divides by zero.
    case "22003":
    case "22012":
    case "22008":
      return badRequest("A calculated value is out of the property's range.");
    case "22001":
      return dataTooLarge("A calculated text is longer than its property allows.");
    case "23502":
      return missingValues([column]);
    case "54KTH":
      return dataTooLarge(msg("An object can have at most {count} bytes.", { count: MAX_ANSWER_BYTES }));
    case "22P02":
    case "42804":
    case "22007":
      return invalidTypes([]);
    case "54000":
      return badRequest("A value is too long for the index of its column.");
    default:
      return null;
  }
}

function duplicateValue(table: Table, constraint: string): TableFault {
  const column =
    [...table.columns.values()].find(({ sqlName }) => constraint === `${sqlName}_index`)?.name ?? "objectId";
  return new TableFault(
    CODES.taken,
    msg("Another object of the table ''{table}'' has this value of the property {name}.", {
      table: table.name,
      name: column,
    }),
    "conflict",
  );
}

/**
 * The record was created at the same time by another request. The transaction is repeated and will find it.
 */
export class ConcurrentInsert extends Error {
  override name = "Overtaken";
  readonly code = "40001";
}

/** Error of a transaction that was aborted because it collided with another. */
export const transactionConflict = () =>
  new TableFault(CODES.transaction, "Someone else changed this at the same time. Try again.", "conflict");

/** Whether an error shows that the schema has changed since the catalogue was read. */
export const isSchemaOutdated = (error: unknown): boolean =>
  isDatabaseError(error) && ["42P01", "42703", "0A000", "42P10"].includes(error.code);
