import { limit, sql } from "#platform/database";
import type { Caller, DataContext, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import { columnNotFound } from "../clause/clause-errors.ts";
import { objectNotFound } from "../data-errors.ts";
import { assertAllowed, allowedRowsSql } from "../permissions/row-permissions.ts";
import { type QueryParams, parseQueryParams } from "./query-params.ts";
import { conditionSql } from "./condition-sql.ts";
import { firstRowJoins } from "./relation-joins.ts";
import { createByteBudget } from "./answer-size.ts";
import { createOrder, orderSql, tieBreakerSql } from "./query-order.ts";
import { runRowLimitedQuery } from "./bounded-query.ts";
import { loadRelated } from "./related-records.ts";
import { isOwnProperty, planRelations } from "./relation-plan.ts";
import { type SqlRow, runQuery } from "./run-query.ts";
import { selectEveryColumn, toRecord, selectSql, selectProperties, addObjectId } from "./query-columns.ts";
import {
  type QueryContext,
  idSql,
  joinSql,
  CHILD,
  idInSql,
  PARENT,
  QuerySources,
  tableSql,
} from "./query-sources.ts";
import { createGroupedQuery } from "./grouped-query.ts";
import { SERVER_CALLER } from "../server-caller.ts";

const DEFAULT_PAGE_SIZE = 10;

/**
 * Finds the records that match a query (see `QueryParams`) and that the caller may read.
 * @throws `invalid` for an invalid query, `not-allowed`, `unavailable` after a timeout
 */
export async function findRecords(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<ApiRecord[]> {
  return findRecordsWhere(engine, caller, table, parseQueryParams(query), sql`true`);
}

/** Finds records like `findRecords`, limited by `only`, an SQL condition on the table under its alias. */
export async function findRecordsAmong(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
  only: (alias: string) => SqlFragment,
): Promise<ApiRecord[]> {
  return findRecordsWhere(engine, caller, table, parseQueryParams(query), only("t"));
}

/**
 * Finds a record by id.
 * @throws 1000 if the caller cannot find it
 */
export async function findOne(
  engine: DataContext,
  caller: Caller,
  table: Table,
  objectId: string,
  query?: unknown,
): Promise<ApiRecord> {
  const params = { ...parseQueryParams(query), pageSize: 1, offset: 0, sortBy: null };
  const [record] = await findRecordsWhere(
    engine,
    caller,
    table,
    params,
    idInSql({ table, alias: "t" }, [objectId]),
  );
  if (!record) throw recordNotFound(objectId);
  return record;
}

export const recordNotFound = (objectId: string) => objectNotFound(objectId.slice(0, 100));

export const getPageSize = ({ pageSize }: QueryParams): number => pageSize ?? DEFAULT_PAGE_SIZE;
/**
 * LIMIT and OFFSET. The first page has no OFFSET in its text, so that PostgreSQL can cache its plan
 * (decision 4).
 */
export const pageSql = (params: QueryParams): SqlFragment =>
  params.offset ? sql`${limit(getPageSize(params))} offset ${params.offset}` : limit(getPageSize(params));

/**
 * Finds records of a data table by ids, in order and null for missing ones, for callers who can find every
 * row.
 */
export async function findRecordsByIds(
  engine: DataContext,
  table: Table,
  ids: readonly string[],
): Promise<(ApiRecord | null)[]> {
  const context: QueryContext = { catalogue: engine.catalogue, caller: SERVER_CALLER, table, alias: "t" };
  const shown = selectEveryColumn(table, SERVER_CALLER, new QuerySources(context, "j"));
  const rows = await runRowLimitedQuery(
    engine,
    createByteBudget(),
    sql`select ${idSql(context)} as id, ${schemaStampSql(table.stamp)}${selectSql(shown, SERVER_CALLER)}
      from ${tableSql(table)} as t
      where ${idInSql(context, [...ids])}`,
    { shown, beside: listExtraColumns(table.stamp), most: ids.length },
  );
  if (haveColumnsChanged(table.stamp, rows))
    return findRecordsByIds(engine, await rereadTable(engine, table), ids);
  const byId = new Map(rows.map((row) => [row["id"], row]));
  return ids.map((id) => (byId.has(id) ? toRecord(table, shown, byId.get(id)!) : null));
}

/** Finds records by a query among the rows that match a condition on the alias `t`. */
export async function findRecordsWhere(
  engine: DataContext,
  caller: Caller,
  table: Table,
  params: QueryParams,
  only: SqlFragment,
): Promise<ApiRecord[]> {
  assertAllowed(table, caller, "find");
  const context: QueryContext = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const where = whereSql(context, params, only);
  const page = pageSql(params);
  const together = createGroupedQuery(context, params);
  if (together) {
    const { shown } = together;
    const rows = await runRowLimitedQuery(engine, createByteBudget(), together.query(where, page), {
      shown,
      beside: [],
      most: getPageSize(params),
    });
    return rows.map((row) => toRecord(table, together.shown, row));
  }
  return findTableRecords(engine, context, params, where, page);
}

async function findTableRecords(
  engine: DataContext,
  context: QueryContext,
  params: QueryParams,
  where: SqlFragment,
  page: SqlFragment,
): Promise<ApiRecord[]> {
  const { caller, table } = context;
  const sources = new QuerySources(context, "j");
  const plan = planRelations(engine, caller, table, params);
  const own = selectProperties(table, caller, params, sources, (item) => isOwnProperty(plan, item));
  const shown = addObjectId(own, table, params, sources, engine.keepsIds);
  const order = createOrder(params, shown, sources, (term) => term);
  // Reads the version of the columns too, in case they have changed. If properties are requested by name
  // this is not needed: unknown names are refused anyway.
  const stamp = params.props?.trim() ? undefined : table.stamp;
  const left = createByteBudget();
  const rows = await runRowLimitedQuery<SqlRow & { id: string }>(
    engine,
    left,
    sql`select ${idSql(context)} as id, ${schemaStampSql(stamp)}${selectSql(shown, caller)}
      from ${tableSql(table)} as t ${firstRowJoins(sources, caller)}
      where ${where} order by ${orderSql(order, caller)}${tieBreakerSql(context, order)} ${page}`,
    { shown, beside: listExtraColumns(stamp), most: getPageSize(params) },
  );
  if (haveColumnsChanged(stamp, rows))
    return findTableRecords(
      engine,
      { ...context, table: await rereadTable(engine, table) },
      params,
      where,
      page,
    );
  const records = rows.map((row) => toRecord(table, shown, row));
  await loadRelated(plan, new Map(rows.map((row, at) => [row.id, [records[at]!]])), left);
  return records;
}

const listExtraColumns = (stamp: Table["stamp"]): string[] => ["id", ...(stamp ? ["stamp"] : [])];

export const schemaStampSql = (stamp: Table["stamp"]): SqlFragment =>
  stamp ? sql`${stamp.asked} as stamp, ` : sql``;
export const haveColumnsChanged = (stamp: Table["stamp"], rows: readonly SqlRow[]): boolean =>
  stamp !== undefined && rows.length > 0 && rows[0]!["stamp"] !== stamp.known;

/** Reads a table again with its current columns; the result is used without checking its version. */
export async function rereadTable({ catalogue }: DataContext, { name }: Table): Promise<Table> {
  catalogue.forget();
  return { ...(await catalogue.table(name)), stamp: undefined };
}

/** WHERE clause for the rows that the caller may read and that match the query. */
export const whereSql = (
  context: QueryContext,
  { where }: QueryParams,
  only: SqlFragment = sql`true`,
): SqlFragment =>
  sql`(${allowedRowsSql(context.table, context.caller, "FIND", context.alias)}) and ${only}
    and ${conditionSql(context, where ?? "")}`;

/**
 * Finds the related records of one record by a query.
 * @throws 1000 if the caller cannot find the parent
 */
export async function findRelated(
  engine: DataContext,
  caller: Caller,
  table: Table,
  parentId: string,
  name: string,
  query: unknown,
): Promise<ApiRecord[]> {
  const relation = table.relations.get(name);
  const to = relation && engine.catalogue.known(relation.toTable);
  if (!to) throw columnNotFound(name, table.name);
  assertAllowed(table, caller, "find");
  const [parent, child] = [
    { table, alias: PARENT },
    { table: to, alias: CHILD },
  ];
  const parents = sql`${tableSql(table)} as ${sql.id(PARENT)}`;
  const visibleParent = sql`${idInSql(parent, [parentId])} and (${allowedRowsSql(table, caller, "FIND", PARENT)})`;
  const [there] = await runQuery(engine, sql`select 1 as there from ${parents} where ${visibleParent}`);
  if (!there) throw recordNotFound(parentId);
  const { source, on } = joinSql({ ...child, from: parent, relation, inverse: false }, caller);
  const of = sql`${idSql({ table: to, alias: "t" })} in (
    select ${idSql(child)} from ${parents} cross join ${source} where ${visibleParent} and ${on})`;
  return findRecordsWhere(engine, caller, to, parseQueryParams(query), of);
}
