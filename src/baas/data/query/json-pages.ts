import { sql, sqlToText } from "#platform/database";
import type { Caller, DataContext, SqlFragment, Table, ApiRecord } from "../catalogue/types.ts";
import type { Term } from "../clause/clause-terms.ts";
import { assertAllowed } from "../permissions/row-permissions.ts";
import { type QueryParams, parseQueryParams, MAX_PAGE_SIZE } from "./query-params.ts";
import {
  haveColumnsChanged,
  pageSql,
  rereadTable,
  findRecordsWhere,
  schemaStampSql,
  whereSql,
} from "./find-records.ts";
import { bytesSql, canExceedAnswerSize, MAX_ANSWER_BYTES, answerTooLarge } from "./answer-size.ts";
import { createOrder, orderSql, tieBreakerSql } from "./query-order.ts";
import { runQuery } from "./run-query.ts";
import { selectEveryColumn, type SelectedProperty } from "./query-columns.ts";
import { type QueryContext, type ResolvedColumn, QuerySources, tableSql } from "./query-sources.ts";
import { isNativeNumber, toSql } from "./term-sql.ts";

/** A page of records as JSON text. */
export class SerializedPage {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * Finds a page like `findRecords`, for code that passes the result on unchanged. PostgreSQL writes the JSON
 * if the query returns unmodified records of a data table: parsing and writing it in this process took half
 * the time of a page (decision 26).
 */
export async function findJsonPage(
  engine: DataContext,
  caller: Caller,
  table: Table,
  query: unknown,
): Promise<SerializedPage | ApiRecord[]> {
  assertAllowed(table, caller, "find");
  const params = parseQueryParams(query);
  const asking: QueryContext = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const frame = isUnmodified(table, params) ? getFrame(asking) : null;
  const order = frame?.orderOf(asking, params);
  return frame && order
    ? findWrittenPage(engine, asking, params, { ...frame, order })
    : findRecordsWhere(engine, caller, table, params, sql`true`);
}

async function findWrittenPage(
  engine: DataContext,
  asking: QueryContext,
  params: QueryParams,
  { head, order, tail, canExceedLimit }: Omit<PageFrame, "orderOf"> & { order: SqlFragment },
): Promise<SerializedPage | ApiRecord[]> {
  const { caller, table } = asking;
  const where = whereSql(asking, params);
  const rows = await runQuery<{ page: string }>(
    engine,
    sql`${head}${where}${order} ${pageSql(params)}${tail}`,
  );
  const page = rows[0]!.page;
  if (canExceedLimit && page.endsWith(TOO_LARGE_MARK)) throw answerTooLarge();
  if (page !== "" && haveColumnsChanged(table.stamp, rows))
    return findRecordsWhere(engine, caller, await rereadTable(engine, table), params, sql`true`);
  return new SerializedPage(`[${page}]`);
}

/** Whether a query requests every column unmodified and nothing else. */
const isUnmodified = (table: Table, params: QueryParams): boolean =>
  table.entity === undefined &&
  !MODIFIERS.some((name) => params[name]) &&
  ![params.props, params.groupBy].some((it) => it?.trim()) &&
  ![...table.relations.values()].some(({ autoLoad }) => autoLoad);

const MODIFIERS = [
  "excludeProps",
  "loadRelations",
  "relationsDepth",
  "distinct",
  "having",
  "fileReferencePrefix",
] as const;

/**
 * Cached parts of the statements for a table, the same for every caller. `orderOf` returns the SQL of an
 * order, null if the order involves other tables.
 */
type PageFrame = {
  head: SqlFragment;
  tail: SqlFragment;
  canExceedLimit: boolean;
  orderOf: (asking: QueryContext, params: QueryParams) => SqlFragment | null;
};
const frames = new WeakMap<Table, PageFrame | null>();

/** Returns the cached parts for a table; null if PostgreSQL cannot write its records as JSON. */
function getFrame(asking: QueryContext): PageFrame | null {
  const { table, caller } = asking;
  const known = frames.get(table);
  if (known !== undefined) return known;
  const shown = selectEveryColumn(table, caller, new QuerySources(asking, "j"));
  // If columns are hidden or depend on the caller, records differ between callers.
  const isForEverybody = ![...table.columns.values()].some(({ hidden, seen }) => hidden ?? seen);
  const record = isForEverybody ? recordSql(table, shown, caller) : null;
  const terms = shown.map(({ term }) => term);
  const canExceedLimit = canExceedAnswerSize(terms, MAX_PAGE_SIZE);
  const head =
    record &&
    sqlToText(sql`select
      ${schemaStampSql(table.stamp)}array_to_string(array(${canExceedLimit ? SELECT_MEASURED : sql``}
      select ${canExceedLimit ? nullIfLong(record, terms, caller) : record} as record
      from ${tableSql(table)} as t where `);
  const tail = sql`${canExceedLimit ? sql`) as it) as it` : sql``}), ',') as page`;
  const frame = head ? { head: sql.raw(head), tail, canExceedLimit, orderOf: createOrderCache(shown) } : null;
  frames.set(table, frame);
  return frame;
}

/** Sent in place of a record that exceeds the answer size. No record ends with this character. */
const TOO_LARGE_MARK = "!";

/** Selects records in order until the answer size is reached. */
const SELECT_MEASURED = sql`select case when bytes <= ${sql.lit(MAX_ANSWER_BYTES)} then record
  else ${sql.lit(TOO_LARGE_MARK)} end
  from (select record,
    sum(coalesce(octet_length(record), ${sql.lit(MAX_ANSWER_BYTES + 1)})) over (rows unbounded preceding)
      as bytes from (`;

/** SQL for a record, or null if its texts are too long to be concatenated. */
function nullIfLong(record: SqlFragment, terms: Term<ResolvedColumn>[], caller: Caller): SqlFragment {
  const texts = terms
    .filter(({ kind }) => kind === "text")
    .map((term) => ({ kind: term.kind, sql: toSql(term, caller) }));
  return sql`case when ${bytesSql(texts)} <= ${sql.lit(MAX_ANSWER_BYTES)} then ${record} end`;
}

/** Maximum sort orders cached per table: clients can request any number of different orders. */
const MAX_CACHED_ORDERS = 100;
/** Maximum characters of a cached sort order. */
const MAX_ORDER_LENGTH = 200;

function createOrderCache(shown: SelectedProperty[]): PageFrame["orderOf"] {
  const known = new Map<string, SqlFragment>();
  return (asking, asked) => {
    const name = asked.sortBy ?? "";
    const written = known.get(name);
    if (written) return written;
    const sources = new QuerySources(asking, "j");
    const order = createOrder(asked, shown, sources, (term) => term);
    if (sources.joins.length > 0) return null;
    const made = sql` order by ${orderSql(order, asking.caller)}${tieBreakerSql(asking, order)}`;
    const text = sqlToText(made);
    if (text === null || name.length > MAX_ORDER_LENGTH || known.size === MAX_CACHED_ORDERS) return made;
    known.set(name, sql.raw(text));
    return made;
  };
}

/**
 * Concatenates in halves, so that each part is copied only a few times. The function `concat` would be
 * slower, since it looks up the output function of every argument.
 */
function concatSql(parts: SqlFragment[]): SqlFragment {
  if (parts.length === 1) return parts[0]!;
  const half = Math.ceil(parts.length / 2);
  return sql`(${concatSql(parts.slice(0, half))} || ${concatSql(parts.slice(half))})`;
}

/** SQL for the JSON of a row's record; null if some value cannot be written this way. */
function recordSql(table: Table, shown: SelectedProperty[], caller: Caller): SqlFragment | null {
  const values = shown.map(({ term }) => jsonSql(term, caller));
  if (!values.every((it) => it !== null)) return null;
  const named = shown.flatMap(({ key }, at) => [
    sql.lit(`,${JSON.stringify(key)}:`),
    sql`coalesce(${values[at]!}, 'null')`,
  ]);
  return concatSql([sql.lit(`{"___class":${JSON.stringify(table.name)}`), ...named, sql.lit("}")]);
}

/** SQL for a value as JSON text, equal to what `toApiValue` returns. Dates are stored to the millisecond. */
function jsonSql(term: Term<ResolvedColumn>, caller: Caller): SqlFragment | null {
  const value = toSql(term, caller);
  switch (term.kind) {
    case "text":
      return sql`to_json(${value})::text`;
    case "boolean":
    case "json":
      return sql`(${value})::text`;
    case "date":
      return sql`(date_part('epoch', ${value}) * 1000)::bigint::text`;
    case "number":
      // Turns negative zero into zero.
      return isNativeNumber(term) && isInteger(term)
        ? sql`(${value})::text`
        : sql`to_json((${value})::double precision + 0)::text`;
    case "geometry":
    case "null":
      return null;
  }
}

const isInteger = (term: Term<ResolvedColumn>) => term.is === "column" && term.ref.column.type === "INT";
