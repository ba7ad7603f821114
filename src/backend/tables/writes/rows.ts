import { sql } from "#platform/database";
import { SQL_TYPE } from "../catalogue/names.ts";
import type { Caller, Column, Fragment, Table } from "../catalogue/types.ts";
import { readJsonUpdate } from "../values/json-update.ts";
import { completed, type Given } from "./record.ts";
import type { Writing } from "./writing.ts";

/** A row to be inserted: id, owner, values and expressions. */
export type Row = { objectId: string; ownerId: string | null; values: Map<Column, unknown>; expressions: Map<Column, string> };

/** @throws for missing required values */
export function newRow(writing: Writing, { table, caller }: { table: Table; caller: Caller }, given: Given): Row {
  const values = completed(table, given);
  for (const [column, update] of given.updates) values.set(column, readJsonUpdate(update, column.name)(null));
  const ownerId = given.ownerId === undefined ? caller.userId : given.ownerId;
  return { objectId: given.objectId ?? writing.newId(), ownerId, values, expressions: given.expressions };
}

/** Columns for which any of the rows has a value. */
export const columnsOf = (table: Table, rows: readonly Row[]): Column[] =>
  [...table.columns.values()].filter((column) => rows.some(({ values }) => values.has(column)));

/** The values of one column of many rows, as one parameter. */
export const listOf = (rows: readonly Row[], column: Column): Fragment =>
  sql`${rows.map(({ values }) => values.get(column) ?? null)}::${sql.raw(SQL_TYPE[column.type])}[]`;
export const idsOf = (rows: readonly Row[]): Fragment => sql`${rows.map(({ objectId }) => objectId)}::text[]`;
export const ownersOf = (rows: readonly Row[]): Fragment => sql`${rows.map(({ ownerId }) => ownerId)}::text[]`;
