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
 * A clause as a condition on rows of `table` under `alias`; an empty one is true. It does not say which of them the caller may read
 * or change: `rowsFor` does. Throws `invalid` for what cannot be read, `not-allowed` for tables that it leads through.
 */
export async function conditionFor(engine: Engine, table: Table, caller: Caller, alias: string, clause: string): Promise<Fragment> {
  return conditionSql({ catalogue: engine.catalogue, caller, table, alias }, clause);
}

/**
 * What an expression comes to on a row under `alias`, as a value of `column`: the database refuses one that is too long for it, or nothing where
 * something is needed. It speaks of the row alone. Throws `invalid`.
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
