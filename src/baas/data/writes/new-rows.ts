import { sql } from "#platform/database";
import { SQL_TYPE } from "../catalogue/table-names.ts";
import type { Caller, Column, SqlFragment, Table } from "../catalogue/types.ts";
import { parseJsonUpdate } from "../values/json-update.ts";
import { completeValues, type RecordInput } from "./record-input.ts";
import type { WriteContext } from "./write-context.ts";

/** A row to be inserted: id, owner, values and expressions. */
export type NewRow = {
  objectId: string;
  ownerId: string | null;
  values: Map<Column, unknown>;
  expressions: Map<Column, string>;
};

/**
 * Creates a row to be inserted.
 * @throws for missing required values
 */
export function createNewRow(
  writing: WriteContext,
  { table, caller }: { table: Table; caller: Caller },
  input: RecordInput,
): NewRow {
  const values = completeValues(table, input);
  for (const [column, update] of input.updates)
    values.set(column, parseJsonUpdate(update, column.name)(null));
  const ownerId = input.ownerId === undefined ? caller.userId : input.ownerId;
  return { objectId: input.objectId ?? writing.newId(), ownerId, values, expressions: input.expressions };
}

/** Lists the columns for which any of the rows has a value. */
export const listUsedColumns = (table: Table, rows: readonly NewRow[]): Column[] =>
  [...table.columns.values()].filter((column) => rows.some(({ values }) => values.has(column)));

/** SQL for the values of one column in many rows, as one parameter. */
export const columnArraySql = (rows: readonly NewRow[], column: Column): SqlFragment =>
  sql`${rows.map(({ values }) => values.get(column) ?? null)}::${sql.raw(SQL_TYPE[column.type])}[]`;
export const idArraySql = (rows: readonly NewRow[]): SqlFragment =>
  sql`${rows.map(({ objectId }) => objectId)}::text[]`;
export const ownerArraySql = (rows: readonly NewRow[]): SqlFragment =>
  sql`${rows.map(({ ownerId }) => ownerId)}::text[]`;
