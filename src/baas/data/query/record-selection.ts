import { sql } from "#platform/database";
import type { Caller, DataContext, SqlFragment, Table } from "../catalogue/types.ts";
import { assertAllowed, allowedRowsSql } from "../permissions/row-permissions.ts";
import { parseQueryParams } from "./query-params.ts";
import { conditionSql } from "./condition-sql.ts";
import { firstRowJoins } from "./relation-joins.ts";
import { runQuery } from "./run-query.ts";
import { selectSql, selectProperties } from "./query-columns.ts";
import { type QueryContext, idSql, idInSql, QuerySources, tableSql } from "./query-sources.ts";
import { parseGroupBy } from "./grouped-query.ts";
import { whereSql } from "./find-records.ts";

/** Selects records by a clause or by ids. */
export type RecordSelection = { where: string } | { ids: string[] };

/** Ids of the selected records that the caller may read, at most `most`. */
export async function findIds(
  engine: DataContext,
  caller: Caller,
  table: Table,
  which: RecordSelection,
  most: number,
): Promise<string[]> {
  assertAllowed(table, caller, "find");
  const context: QueryContext = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const selection = "where" in which ? conditionSql(context, which.where) : idInSql(context, which.ids);
  const rows = await runQuery<{ id: string }>(
    engine,
    sql`select ${idSql(context)}::text as id from ${tableSql(table)} as t
      where (${allowedRowsSql(table, caller, "FIND", "t")}) and ${selection} order by ${idSql(context)}
      limit ${most}`,
  );
  return rows.map((row) => row.id);
}

/** Counts the records, groups or distinct rows of a query. */
export async function countRecords(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<number> {
  assertAllowed(table, caller, "find");
  const params = parseQueryParams(query);
  const context: QueryContext = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const where = whereSql(context, params);
  const sources = new QuerySources(context, "j");
  const by = parseGroupBy(params, sources);
  const together =
    params.distinct === true && params.props?.trim()
      ? selectProperties(table, caller, params, sources).map(({ term }) => term)
      : by;
  if (together.length === 0) return countRows(engine, sql`from ${tableSql(table)} as t where ${where}`);
  const shown = selectSql(
    together.map((term) => ({ key: "", term })),
    caller,
  );
  return countRows(
    engine,
    sql`from (select distinct ${shown} from ${tableSql(table)} as t ${firstRowJoins(sources, caller)}
      where ${where}) as made`,
  );
}

/** Counts the rows of a FROM clause. */
export async function countRows(engine: DataContext, from: SqlFragment): Promise<number> {
  const [row] = await runQuery<{ count: number }>(
    engine,
    sql`select count(*)::double precision as count ${from}`,
  );
  return row!.count;
}
