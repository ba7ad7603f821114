import { sql } from "#platform/database";
import type { Caller, Column, DataContext, SqlFragment, Table } from "../catalogue/types.ts";
import { bindTerm } from "../clause/bind.ts";
import { requireValueType } from "../clause/coerce.ts";
import { parseClause } from "../clause/clause-parser.ts";
import { MAX_VALUE_LENGTH } from "../values/column-values.ts";
import { conditionSql } from "./condition-sql.ts";
import { columnKind, QuerySources } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";

export { findOneBatched } from "./batched-find.ts";
export { SerializedPage } from "./json-pages.ts";
export { countRecords, findIds } from "./record-selection.ts";
export { findRecordsAmong, findOne, findRecords, findRelated } from "./find-records.ts";
export { findByKeys } from "./find-by-keys.ts";
export type { RecordSelection } from "./record-selection.ts";
export { countInGroup, groupRecords } from "./group-tree.ts";

/**
 * Converts a clause to an SQL condition on rows of `table` under `alias`; true if empty. It does not check
 * permissions for these rows; `allowedRowsSql` does.
 * @throws `invalid` for an invalid clause, `not-allowed` for a related table
 */
export async function createConditionSql(
  engine: DataContext,
  table: Table,
  caller: Caller,
  alias: string,
  clause: string,
): Promise<SqlFragment> {
  return conditionSql({ catalogue: engine.catalogue, caller, table, alias }, clause);
}

/**
 * Converts an expression over a row under `alias` to SQL for a value of `column`; the database refuses a
 * result that does not fit. The expression can use only this row.
 * @throws `invalid`
 */
export async function createExpressionSql(
  engine: DataContext,
  table: Table,
  caller: Caller,
  alias: string,
  text: string,
  column: Column,
): Promise<SqlFragment> {
  const sources = new QuerySources({ catalogue: engine.catalogue, caller, table, alias }, `${alias}_x`, {
    joins: 0,
  });
  const value = toSql(requireValueType(bindTerm(parseClause(text), sources), columnKind(column), 0), caller);
  const short =
    columnKind(column) === "text"
      ? sql`assert_text_limit(${value}, ${column.size ?? MAX_VALUE_LENGTH}::integer)`
      : value;
  return column.required ? sql`assert_value(${short}, ${column.name}::text)` : short;
}
