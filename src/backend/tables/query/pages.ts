import { sql, textOf } from "#platform/database";
import type { Caller, Engine, Fragment, Table, WireRecord } from "../catalogue/types.ts";
import type { Term } from "../clause/tree.ts";
import { assertMay } from "../permissions/rows.ts";
import { type Asked, askedOf, MOST_ON_A_PAGE } from "./asked.ts";
import { isAnother, pageSql, readAnew, recordsWhere, stampSql, whereSql } from "./find.ts";
import { bytesSql, couldBeLarge, MOST_BYTES, tooLarge } from "./measured.ts";
import { orderOf, orderSql, tie } from "./order.ts";
import { rowsOf } from "./run.ts";
import { everyColumn, type Shown } from "./shown.ts";
import { type Asking, type Found, Sources, tableSql } from "./sources.ts";
import { isPlain, toSql } from "./sql.ts";

/** A page of records as JSON text. */
export class WrittenPage {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/**
 * `findRecords` for callers who pass the result on unchanged. PostgreSQL writes the JSON of unmodified
 * records of a data table: parsing and writing it here took half the time of a page (decision 54).
 */
export async function findPage(engine: Engine, caller: Caller, table: Table, query: unknown): Promise<WrittenPage | WireRecord[]> {
  assertMay(table, caller, "find");
  const asked = askedOf(query);
  const asking: Asking = { catalogue: engine.catalogue, caller, table, alias: "t" };
  const frame = isAsItStands(table, asked) ? frameOf(asking) : null;
  const order = frame?.orderOf(asking, asked);
  return frame && order ? writtenPage(engine, asking, asked, { ...frame, order }) : recordsWhere(engine, caller, table, asked, sql`true`);
}

async function writtenPage(
  engine: Engine,
  asking: Asking,
  asked: Asked,
  { head, order, tail, mayGrow }: Omit<Frame, "orderOf"> & { order: Fragment },
): Promise<WrittenPage | WireRecord[]> {
  const { caller, table } = asking;
  const where = whereSql(asking, asked);
  const rows = await rowsOf(engine, sql`${head}${where}${order} ${pageSql(asked)}${tail}`);
  const page = rows[0]!["page"] as string;
  if (mayGrow && page.endsWith(TOO_LARGE)) throw tooLarge();
  if (page !== "" && isAnother(table.stamp, rows)) return recordsWhere(engine, caller, await readAnew(engine, table), asked, sql`true`);
  return new WrittenPage(`[${page}]`);
}

/** Whether every column is requested unmodified, and nothing else. */
const isAsItStands = (table: Table, asked: Asked): boolean =>
  table.noun === undefined &&
  !WITH_MORE.some((name) => asked[name]) &&
  ![asked.props, asked.groupBy].some((it) => it?.trim()) &&
  ![...table.relations.values()].some(({ autoLoad }) => autoLoad);

const WITH_MORE = ["excludeProps", "loadRelations", "relationsDepth", "distinct", "having", "fileReferencePrefix"] as const;

/**
 * Cached start and end of the statements for a table, the same for every caller. `orderOf` is null for an
 * order that involves other tables.
 */
type Frame = { head: Fragment; tail: Fragment; mayGrow: boolean; orderOf: (asking: Asking, asked: Asked) => Fragment | null };
const frames = new WeakMap<Table, Frame | null>();

/** Null if PostgreSQL cannot write the records of a table. */
function frameOf(asking: Asking): Frame | null {
  const { table, caller } = asking;
  const known = frames.get(table);
  if (known !== undefined) return known;
  const shown = everyColumn(table, caller, new Sources(asking, "j"));
  // With hidden or caller-dependent columns the records differ between callers.
  const isForEverybody = ![...table.columns.values()].some(({ hidden, seen }) => hidden ?? seen);
  const record = isForEverybody ? recordSql(table, shown, caller) : null;
  const terms = shown.map(({ term }) => term);
  const mayGrow = couldBeLarge(terms, MOST_ON_A_PAGE);
  const head =
    record &&
    textOf(sql`select ${stampSql(table.stamp)}array_to_string(array(${mayGrow ? MEASURED : sql``}
      select ${mayGrow ? ifShort(record, terms, caller) : record} as record from ${tableSql(table)} as t where `);
  const tail = sql`${mayGrow ? sql`) as it) as it` : sql``}), ',') as page`;
  const frame = head ? { head: sql.raw(head), tail, mayGrow, orderOf: ordersOn(shown) } : null;
  frames.set(table, frame);
  return frame;
}

/** Stands for a record that exceeds the answer size; no record ends like this. */
const TOO_LARGE = "!";

/** Consecutive records as far as the answer size allows. */
const MEASURED = sql`select case when bytes <= ${sql.lit(MOST_BYTES)} then record else ${sql.lit(TOO_LARGE)} end
  from (select record, sum(coalesce(octet_length(record), ${sql.lit(MOST_BYTES + 1)})) over (rows unbounded preceding) as bytes from (`;

/** A record, or null if its texts alone are too long to concatenate. */
function ifShort(record: Fragment, terms: Term<Found>[], caller: Caller): Fragment {
  const texts = terms.filter(({ kind }) => kind === "text").map((term) => ({ kind: term.kind, sql: toSql(term, caller) }));
  return sql`case when ${bytesSql(texts)} <= ${sql.lit(MOST_BYTES)} then ${record} end`;
}

/** Cached orders per table, and their length, since callers can invent any number. */
const MOST_ORDERS = 100;
const LONGEST_ORDER = 200;

function ordersOn(shown: Shown[]): Frame["orderOf"] {
  const known = new Map<string, Fragment>();
  return (asking, asked) => {
    const name = asked.sortBy ?? "";
    const written = known.get(name);
    if (written) return written;
    const sources = new Sources(asking, "j");
    const order = orderOf(asked, shown, sources, (term) => term);
    if (sources.joins.length > 0) return null;
    const made = sql` order by ${orderSql(order, asking.caller)}${tie(asking, order)}`;
    const text = textOf(made);
    if (text === null || name.length > LONGEST_ORDER || known.size === MOST_ORDERS) return made;
    known.set(name, sql.raw(text));
    return made;
  };
}

/**
 * Concatenates in halves, so that each part is copied only a few times. `concat` would look up the output
 * function of every argument.
 */
function joined(parts: Fragment[]): Fragment {
  if (parts.length === 1) return parts[0]!;
  const half = Math.ceil(parts.length / 2);
  return sql`(${joined(parts.slice(0, half))} || ${joined(parts.slice(half))})`;
}

/** A row as the JSON of its record; null if a value needs more than that. */
function recordSql(table: Table, shown: Shown[], caller: Caller): Fragment | null {
  const values = shown.map(({ term }) => jsonOf(term, caller));
  if (!values.every((it) => it !== null)) return null;
  const named = shown.flatMap(({ key }, at) => [sql.lit(`,${JSON.stringify(key)}:`), sql`coalesce(${values[at]!}, 'null')`]);
  return joined([sql.lit(`{"___class":${JSON.stringify(table.name)}`), ...named, sql.lit("}")]);
}

/** The same as `toApiValue`, as JSON text. Dates are stored to the millisecond. */
function jsonOf(term: Term<Found>, caller: Caller): Fragment | null {
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
      return isPlain(term) && isWhole(term) ? sql`(${value})::text` : sql`to_json((${value})::double precision + 0)::text`;
    case "geometry":
    case "null":
      return null;
  }
}

const isWhole = (term: Term<Found>) => term.is === "column" && term.ref.column.type === "INT";
