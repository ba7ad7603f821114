import { sql } from "#platform/database";
import type { Caller, Fragment } from "../catalogue/types.ts";
import { NUMBER_IN_TEXT } from "../clause/coerce.ts";
import { functionNamed } from "../clause/functions.ts";
import { toPostgres as pathToPostgres } from "../clause/json-path.ts";
import { toPostgres as patternToPostgres } from "../clause/like.ts";
import type { Aggregate, Kind, Term } from "../clause/tree.ts";
import { type Found, kindOf } from "./sources.ts";

type Of<Is extends Term<Found>["is"]> = Extract<Term<Found>, { is: Is }>;

/**
 * A term as SQL. Texts of callers are parameters; column names come from the catalogue, operators and
 * functions from fixed lists. Gives the same results as `evaluateCondition`, which a test verifies.
 */
export function toSql(term: Term<Found>, caller: Caller): Fragment {
  const of = (it: Term<Found>) => toSql(it, caller);
  switch (term.is) {
    case "value":
      return valueSql(term);
    case "column":
      return columnSql(term.ref, caller);
    case "each":
      return sql`nullif(each_of.value, 'null')`;
    case "pick":
      return sql`nullif(${picking(term.path.many)}(${of(term.of)}, ${pathToPostgres(term.path)}::jsonpath), 'null')`;
    case "some":
      return sql`exists (select from jsonb_path_query(${of(term.of)}, ${pathToPostgres(term.path)}::jsonpath) as each_of (value)
        where ${of(term.test)})`;
    case "cast":
      return castSql(term, caller);
    case "call":
      return functionNamed(term.name).sql(...term.args.map((arg) => exact(arg, caller)));
    case "aggregate":
      return aggregateSql(term, caller);
    case "sum":
      return sumSql(term, caller);
    case "compare":
      return sql`(${comparedSql(term, caller)})`;
    case "like":
      return sql`(${of(term.of)} like ${patternToPostgres(term.pattern)}::text)`;
    case "in":
      return sql`(${amongSql(term.of, term.values) ?? sql`${of(term.of)} = any(${listSql(term)})`})`;
    case "null":
      return sql`(${of(term.of)} is null)`;
    case "not":
      return sql`(not ${of(term.of)})`;
    case "and":
    case "or":
      return sql`(${sql.join(term.parts.map(of), term.is === "and" ? sql` and ` : sql` or `)})`;
  }
}

const picking = (many: boolean) => (many ? sql`jsonb_path_query_array` : sql`jsonb_path_query_first`);

const columnSql = ({ alias, column, worked }: Found, caller: Caller): Fragment =>
  worked ? sql`(${toSql(worked, caller)})` : (column.seen?.(caller, alias) ?? sql`${sql.id(alias, column.sqlName)}`);

const TYPES: Record<Kind, Fragment> = {
  text: sql`text`,
  number: sql`numeric`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
  json: sql`jsonb`,
  geometry: sql`jsonb`,
  null: sql`boolean`,
};

function valueSql({ kind, value }: Of<"value">): Fragment {
  if (value === null) return sql`null::${TYPES[kind]}`;
  if (kind === "date") return sql`${new Date(value as number).toISOString()}::timestamptz`;
  if (kind === "number") return numberSql(value as number);
  if (kind === "geometry") return sql`${JSON.stringify(value)}::jsonb`;
  return sql`${value}::${TYPES[kind]}`;
}

const SMALL = 2_147_483_647;
/** The smallest type, so that an index on an integer column can be used. */
function numberSql(value: number): Fragment {
  if (!Number.isSafeInteger(value)) return sql`${value}::double precision`;
  return Math.abs(value) <= SMALL ? sql`${value}::integer` : sql`${value}::bigint`;
}

/** Columns and literals have their own number types; calculated values are exact decimals. */
export function isPlain(term: Term<Found>): boolean {
  if (term.kind !== "number" || term.is === "value") return true;
  return term.is === "column" && term.ref.worked === null && kindOf(term.ref.column) === "number";
}

/** A number as an exact decimal, which cannot overflow in calculations; other values unchanged. */
export function exact(term: Term<Found>, caller: Caller): Fragment {
  if (term.kind !== "number") return toSql(term, caller);
  if (term.is === "value") return term.value === null ? sql`null::numeric` : sql`${String(term.value)}::numeric`;
  return term.is === "column" ? sql`(${toSql(term, caller)})::numeric` : toSql(term, caller);
}

function sumSql({ sign, left, right }: Of<"sum">, caller: Caller): Fragment {
  const [a, b] = [exact(left, caller), exact(right, caller)];
  return sign === "/" || sign === "%" ? sql`(${a} ${SIGNS[sign]} nullif(${b}, 0))` : sql`(${a} ${SIGNS[sign]} ${b})`;
}

const SIGNS = {
  "+": sql`+`,
  "-": sql`-`,
  "*": sql`*`,
  "/": sql`/`,
  "%": sql`%`,
  "=": sql`=`,
  "!=": sql`<>`,
  "<": sql`<`,
  "<=": sql`<=`,
  ">": sql`>`,
  ">=": sql`>=`,
};

/** A faster comparison with texts, if the column has one; null otherwise. */
function amongSql(term: Term<Found>, values: readonly unknown[]): Fragment | null {
  if (term.is !== "column" || term.ref.worked !== null || !term.ref.column.among) return null;
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? term.ref.column.among(term.ref.alias, texts) : null;
}

function comparedSql({ sign, left, right }: Of<"compare">, caller: Caller): Fragment {
  const among = sign === "=" && right.is === "value" ? amongSql(left, [right.value]) : null;
  if (among) return among;
  const [a, b] = [toSql(left, caller), toSql(right, caller)];
  if (left.kind === "geometry") return sql`(${a} - 'srsId') ${SIGNS[sign]} (${b} - 'srsId')`;
  if (left.kind === "json" && sign !== "=" && sign !== "!=") return jsonInOrder(SIGNS[sign], a, b);
  if (isPlain(left) && isPlain(right)) return sql`${a} ${SIGNS[sign]} ${b}`;
  return sql`${exact(left, caller)} ${SIGNS[sign]} ${exact(right, caller)}`;
}

const jsonInOrder = (sign: Fragment, a: Fragment, b: Fragment) =>
  sql`case jsonb_typeof(${a}) || jsonb_typeof(${b})
    when 'numbernumber' then (${a})::numeric ${sign} (${b})::numeric
    when 'stringstring' then (${a} #>> '{}') ${sign} (${b} #>> '{}')
    when 'booleanboolean' then (${a})::boolean ${sign} (${b})::boolean end`;

function castSql({ kind, of }: Of<"cast">, caller: Caller): Fragment {
  const it = toSql(of, caller);
  if (of.kind === "json") return jsonAs(kind, it);
  if (kind === "number") {
    if (of.kind === "text") return sql`substring(${it} from ${NUMBER_IN_TEXT}::text)::numeric`;
    return of.kind === "date" ? sql`round(extract(epoch from ${it}) * 1000)` : sql`(${it})::integer::numeric`;
  }
  if (of.kind === "number") return sql`number_as_text(${exact(of, caller)})`;
  return of.kind === "date" ? sql`to_char(${it} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : sql`(${it})::text`;
}

/** The value of JSON if it has this kind. */
function jsonAs(kind: Kind, it: Fragment): Fragment {
  if (kind === "number") return sql`case when jsonb_typeof(${it}) = 'number' then (${it})::numeric end`;
  if (kind === "boolean") return sql`case when jsonb_typeof(${it}) = 'boolean' then (${it})::boolean end`;
  return sql`case when jsonb_typeof(${it}) = 'string' then (${it}) #>> '{}' end`;
}

function listSql({ of, values }: Of<"in">): Fragment {
  if (of.kind === "date") return sql`${values.map((ms) => new Date(ms as number).toISOString())}::timestamptz[]`;
  if (of.kind !== "number") return sql`${values}::${TYPES[of.kind]}[]`;
  if (!isPlain(of)) return sql`${values.map(String)}::numeric[]`;
  return values.every((it) => Number.isInteger(it) && Math.abs(it as number) <= SMALL)
    ? sql`${values}::integer[]`
    : sql`${values}::double precision[]`;
}

const AGGREGATES: Record<Exclude<Aggregate, "any">, Fragment> = {
  count: sql`count`,
  sum: sql`sum`,
  avg: sql`avg`,
  min: sql`min`,
  max: sql`max`,
};

function aggregateSql({ name, of, kind }: Of<"aggregate">, caller: Caller): Fragment {
  const over = of === null ? sql`*` : toSql(of, caller);
  const worked = name === "any" ? anySql(over, kind) : sql`${AGGREGATES[name]}(${over})`;
  return kind === "number" ? sql`${worked}::numeric` : worked;
}

function anySql(over: Fragment, kind: Kind): Fragment {
  if (kind === "boolean" || kind === "null") return sql`bool_or(${over})`;
  return kind === "json" || kind === "geometry" ? sql`(array_agg(${over}))[1]` : sql`min(${over})`;
}
