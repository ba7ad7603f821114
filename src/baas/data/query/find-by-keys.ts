import { msg } from "#platform/messages";
import { sql } from "#platform/database";
import type { Caller, Column, DataContext, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { convertLiteral } from "../clause/coerce.ts";
import { clauseFault, columnNotFound } from "../clause/clause-errors.ts";
import { parseQueryParams } from "./query-params.ts";
import { type ResolvedColumn, columnKind } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";
import { findRecordsWhere, recordNotFound } from "./find-records.ts";

/**
 * Finds a record by the key columns in a URL.
 * @throws 1000 if the caller cannot find it
 */
export async function findByKeys(
  engine: DataContext,
  caller: Caller,
  table: Table,
  keys: Record<string, unknown>,
): Promise<ApiRecord> {
  const entries = Object.entries(keys);
  if (entries.length === 0 || entries.length > MAX_KEYS)
    throw clauseFault(msg("Use 1 to {count} columns to find a record.", { count: MAX_KEYS }));
  const conditions = entries.map(([name, value]) => keySql(table, caller, name, value));
  const params = { ...parseQueryParams({}), pageSize: 1 };
  const [record] = await findRecordsWhere(engine, caller, table, params, sql.join(conditions, sql` and `));
  if (!record) throw recordNotFound(entries.map(([, value]) => String(value)).join(", "));
  return record;
}

const MAX_KEYS = 10;

function keySql(table: Table, caller: Caller, name: string, value: unknown): SqlFragment {
  const column: Column | undefined = table.columns.get(name);
  if (!column || column.hidden?.(caller) || column.expression !== null)
    throw columnNotFound(name, table.name);
  const literal = convertLiteral<ResolvedColumn>(
    { is: "value", kind: "text", value: String(value) },
    columnKind(column),
    0,
  );
  const ref = { name, table, column, alias: "t", worked: null };
  return toSql(
    {
      is: "compare",
      kind: "boolean",
      sign: "=",
      left: { is: "column", kind: literal.kind, ref },
      right: literal,
    },
    caller,
  );
}
