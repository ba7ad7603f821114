import { sql } from "#platform/database";
import type { Caller, Column, Engine, Fragment, Table } from "../catalogue/types.ts";
import { bind } from "../clause/bind.ts";
import { demand } from "../clause/coerce.ts";
import { parseClause } from "../clause/parse.ts";
import { LONGEST } from "../values/in.ts";
import { conditionSql } from "./condition.ts";
import { kindOf, Sources } from "./sources.ts";
import { toSql } from "./sql.ts";

export { findGathered } from "./gathered.ts";
export { findPage, WrittenPage } from "./pages.ts";
export { countRecords, findAmong, findByKeys, findIds, findOne, findRecords, findRelated } from "./find.ts";
export type { Which } from "./find.ts";
export { countInGroup, groupRecords } from "./tree.ts";

/**
 * A clause as condition on rows of `table` under `alias`; true if empty. It does not check permissions on
 * them; `allowedRowsSql` does.
 * @throws `invalid` for an invalid clause, `not-allowed` for a related table
 */
export async function conditionFor(engine: Engine, table: Table, caller: Caller, alias: string, clause: string): Promise<Fragment> {
  return conditionSql({ catalogue: engine.catalogue, caller, table, alias }, clause);
}

/**
 * An expression over a row under `alias`, as a value of `column`; the database refuses one that does not fit.
 * It can use this row only.
 * @throws `invalid`
 */
export async function expressionFor(
  engine: Engine,
  table: Table,
  caller: Caller,
  alias: string,
  text: string,
  column: Column,
): Promise<Fragment> {
  const sources = new Sources({ catalogue: engine.catalogue, caller, table, alias }, `${alias}_x`, { joins: 0 });
  const value = toSql(demand(bind(parseClause(text), sources), kindOf(column), 0), caller);
  const short = kindOf(column) === "text" ? sql`text_within(${value}, ${column.size ?? LONGEST}::integer)` : value;
  return column.required ? sql`value_needed(${short}, ${column.name}::text)` : short;
}
