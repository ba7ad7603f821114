import { limit, sql } from "#platform/database";
import type { Caller, Column, Engine, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import { literalAs } from "../clause/coerce.ts";
import { clauseFault, noColumn } from "../clause/fault.ts";
import { CODES, TableFault } from "../faults.ts";
import { assertMay, rowsFor } from "../permissions/rows.ts";
import { type Asked, askedOf } from "./asked.ts";
import { conditionSql } from "./condition.ts";
import { firstOf } from "./joined.ts";
import { allLeft, couldBeLarge, type Left, measuredRows, returnedOf } from "./measured.ts";
import { orderOf, orderSql, tie } from "./order.ts";
import { loadRelated } from "./related.ts";
import { type Row, rowsOf } from "./run.ts";
import { everyColumn, recordOf, selected, type Shown, shownIn, withId } from "./shown.ts";
import { type Asking, type Found, idSql, joinSql, kindOf, CHILD, oneOfSql, PARENT, Sources, tableSql } from "./sources.ts";
import { toSql } from "./sql.ts";
import { groupedQuery, groupingOf } from "./together.ts";

/** Default page size. */
const PAGE = 10;

/**
 * Finds records by a query (see `QueryParams`), of those that the caller may read.
 * @throws `invalid` for an invalid query, `not-allowed`, `unavailable` after a timeout
 */
export async function findRecords(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<WireRecord[]> {
  return recordsWhere(engine, caller, table, askedOf(query), sql`true`);
}

/** Like `findRecords`, limited by `only`, a condition on the table under its alias. */
export async function findAmong(
  engine: Engine,
  caller: Caller,
  table: Table,
  query: unknown,
  only: (alias: string) => Fragment,
): Promise<WireRecord[]> {
  return recordsWhere(engine, caller, table, askedOf(query), only("t"));
}

/**
 * Finds a record by id.
 * @throws 1000 if the caller finds none
 */
export async function findOne(engine: Engine, caller: Caller, table: Table, objectId: string, query?: unknown): Promise<WireRecord> {
  const asked = { ...askedOf(query), pageSize: 1, offset: 0, sortBy: null };
  const [record] = await recordsWhere(engine, caller, table, asked, oneOfSql({ table, alias: "t" }, [objectId]));
  if (!record) throw notThere(objectId);
  return record;
}

export const notThere = (objectId: string) =>
  new TableFault(CODES.objectNotFound, `Entity with ID ${objectId.slice(0, 100)} not found`, "not-found");

export const sizeOf = ({ pageSize }: Asked): number => pageSize ?? PAGE;
/**
 * LIMIT and OFFSET. The first page has no OFFSET in its text, so that its plan can be cached (decision 57).
 */
export const pageSql = (asked: Asked): Fragment =>
  asked.offset ? sql`${limit(sizeOf(asked))} offset ${asked.offset}` : limit(sizeOf(asked));

/** Callers who see every row see the same as the server. */
export const SEES_ALL: Caller = { userId: null, roles: [], server: true };

/** Records of a data table by ids, in order, for callers who see every row; null for each missing one. */
export async function recordsByIds(engine: Engine, table: Table, ids: readonly string[]): Promise<(WireRecord | null)[]> {
  const asking: Asking = { catalogue: engine.catalogue, caller: SEES_ALL, table, alias: "t" };
  const shown = everyColumn(table, SEES_ALL, new Sources(asking, "j"));
  const rows = await rowsWithin(
    engine,
    allLeft(),
    sql`select ${idSql(asking)} as id, ${stampSql(table.stamp)}${selected(shown, SEES_ALL)} from ${tableSql(table)} as t
      where ${oneOfSql(asking, [...ids])}`,
    { shown, beside: besideOf(table.stamp), most: ids.length },
  );
  if (isAnother(table.stamp, rows)) return recordsByIds(engine, await readAnew(engine, table), ids);
  const byId = new Map(rows.map((row) => [row["id"], row]));
  return ids.map((id) => (byId.has(id) ? recordOf(table, shown, byId.get(id)!) : null));
}

/** Finds records by a query among the rows under alias `t` that match a condition. */
export async function recordsWhere(engine: Engine, caller: Caller, table: Table, asked: Asked, only: Fragment): Promise<WireRecord[]> {
  assertMay(table, caller, "find");
  const asking: Asking = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const where = whereSql(asking, asked, only);
  const page = pageSql(asked);
  const together = groupedQuery(asking, asked);
  if (together) {
    const { shown } = together;
    const rows = await rowsWithin(engine, allLeft(), together.query(where, page), { shown, beside: [], most: sizeOf(asked) });
    return rows.map((row) => recordOf(table, together.shown, row));
  }
  return plainRecords(engine, asking, asked, where, page);
}

async function plainRecords(engine: Engine, asking: Asking, asked: Asked, where: Fragment, page: Fragment): Promise<WireRecord[]> {
  const { caller, table } = asking;
  const sources = new Sources(asking, "j");
  const shown = withId(shownIn(table, caller, asked, sources), table, asked, sources, engine.keepsIds);
  const order = orderOf(asked, shown, sources, (term) => term);
  // Explicitly requested properties are refused anyway if they are unknown here.
  const stamp = asked.props?.trim() ? undefined : table.stamp;
  const left = allLeft();
  const rows = await rowsWithin(
    engine,
    left,
    sql`select ${idSql(asking)} as id, ${stampSql(stamp)}${selected(shown, caller)} from ${tableSql(table)} as t ${firstOf(sources, caller)}
      where ${where} order by ${orderSql(order, caller)}${tie(asking, order)} ${page}`,
    { shown, beside: besideOf(stamp), most: sizeOf(asked) },
  );
  if (isAnother(stamp, rows)) return plainRecords(engine, { ...asking, table: await readAnew(engine, table) }, asked, where, page);
  const records = rows.map((row) => recordOf(table, shown, row));
  await loadRelated(engine, caller, table, asked, new Map(rows.map((row, at) => [row["id"] as string, [records[at]!]])), left);
  return records;
}

type Expected = { shown: Shown[]; beside: string[]; most: number };

/** Runs a query of at most so many rows, measuring them if they could exceed the answer size. */
export const rowsWithin = (engine: Engine, left: Left, query: Fragment, { shown, beside, most }: Expected): Promise<Row[]> =>
  couldBeLarge(
    shown.map(({ term }) => term),
    most,
  )
    ? measuredRows(engine, left, query, returnedOf(shown, beside))
    : rowsOf(engine, query);

const besideOf = (stamp: Table["stamp"]): string[] => ["id", ...(stamp ? ["stamp"] : [])];

export const stampSql = (stamp: Table["stamp"]): Fragment => (stamp ? sql`${stamp.asked} as stamp, ` : sql``);
export const isAnother = (stamp: Table["stamp"], rows: readonly Row[]): boolean =>
  stamp !== undefined && rows.length > 0 && rows[0]!["stamp"] !== stamp.known;

/** The table with its current columns; its version is not checked again. */
export async function readAnew({ catalogue }: Engine, { name }: Table): Promise<Table> {
  catalogue.forget();
  return { ...(await catalogue.table(name)), stamp: undefined };
}

/** WHERE: rows that the caller may read and that match the query. */
export const whereSql = (asking: Asking, { where }: Asked, only: Fragment = sql`true`): Fragment =>
  sql`(${rowsFor(asking.table, asking.caller, "FIND", asking.alias)}) and ${only} and ${conditionSql(asking, where ?? "")}`;

/**
 * Finds a record by key columns from a URL.
 * @throws 1000 if the caller finds none
 */
export async function findByKeys(engine: Engine, caller: Caller, table: Table, keys: Record<string, unknown>): Promise<WireRecord> {
  const entries = Object.entries(keys);
  if (entries.length === 0 || entries.length > MOST_KEYS) throw clauseFault(`A record is found by 1 to ${MOST_KEYS} columns.`);
  const conditions = entries.map(([name, value]) => keySql(table, caller, name, value));
  const asked = { ...askedOf({}), pageSize: 1 };
  const [record] = await recordsWhere(engine, caller, table, asked, sql.join(conditions, sql` and `));
  if (!record) throw notThere(entries.map(([, value]) => String(value)).join(", "));
  return record;
}

const MOST_KEYS = 10;

function keySql(table: Table, caller: Caller, name: string, value: unknown): Fragment {
  const column: Column | undefined = table.columns.get(name);
  if (!column || column.hidden?.(caller) || column.expression !== null) throw noColumn(name, table.name);
  const literal = literalAs<Found>({ is: "value", kind: "text", value: String(value) }, kindOf(column), 0);
  const ref = { name, table, column, alias: "t", worked: null };
  return toSql({ is: "compare", kind: "boolean", sign: "=", left: { is: "column", kind: literal.kind, ref }, right: literal }, caller);
}

/**
 * Finds the related records of one record by a query.
 * @throws 1000 if the caller does not find the parent
 */
export async function findRelated(
  engine: Engine,
  caller: Caller,
  table: Table,
  parentId: string,
  name: string,
  query: unknown,
): Promise<WireRecord[]> {
  const relation = table.relations.get(name);
  const to = relation && engine.catalogue.known(relation.toTable);
  if (!to) throw noColumn(name, table.name);
  assertMay(table, caller, "find");
  const [parent, child] = [
    { table, alias: PARENT },
    { table: to, alias: CHILD },
  ];
  const parents = sql`${tableSql(table)} as ${sql.id(PARENT)}`;
  const sight = sql`${oneOfSql(parent, [parentId])} and (${rowsFor(table, caller, "FIND", PARENT)})`;
  const [there] = await rowsOf(engine, sql`select 1 as there from ${parents} where ${sight}`);
  if (!there) throw notThere(parentId);
  const { source, on } = joinSql({ ...child, from: parent, relation, inverse: false }, caller);
  const of = sql`${idSql({ table: to, alias: "t" })} in (
    select ${idSql(child)} from ${parents} cross join ${source} where ${sight} and ${on})`;
  return recordsWhere(engine, caller, to, askedOf(query), of);
}

/** Records by a clause or by ids. */
export type Which = { where: string } | { ids: string[] };

/** Ids of the selected records that the caller may read, at most `most`. */
export async function findIds(engine: Engine, caller: Caller, table: Table, which: Which, most: number): Promise<string[]> {
  assertMay(table, caller, "find");
  const asking: Asking = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const meant = "where" in which ? conditionSql(asking, which.where) : oneOfSql(asking, which.ids);
  const rows = await rowsOf(
    engine,
    sql`select ${idSql(asking)}::text as id from ${tableSql(table)} as t
      where (${rowsFor(table, caller, "FIND", "t")}) and ${meant} order by ${idSql(asking)} limit ${most}`,
  );
  return rows.map((row) => row["id"] as string);
}

/** Counts the records, groups or distinct rows of a query. */
export async function countRecords(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<number> {
  assertMay(table, caller, "find");
  const asked = askedOf(query);
  const asking: Asking = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const where = whereSql(asking, asked);
  const sources = new Sources(asking, "j");
  const by = groupingOf(asked, sources);
  const together = asked.distinct === true && asked.props?.trim() ? shownIn(table, caller, asked, sources).map(({ term }) => term) : by;
  if (together.length === 0) return countOf(engine, sql`from ${tableSql(table)} as t where ${where}`);
  const shown = selected(
    together.map((term) => ({ key: "", term })),
    caller,
  );
  return countOf(
    engine,
    sql`from (select distinct ${shown} from ${tableSql(table)} as t ${firstOf(sources, caller)} where ${where}) as made`,
  );
}

async function countOf(engine: Engine, from: Fragment): Promise<number> {
  const [row] = await rowsOf(engine, sql`select count(*)::double precision as count ${from}`);
  return row!["count"] as number;
}
