import { sql } from "#platform/database";
import type { Caller, SqlFragment } from "../catalogue/types.ts";
import { SQL_NUMBER_PATTERN } from "../clause/coerce.ts";
import { getFunction } from "../clause/clause-functions.ts";
import { toPostgresPath as pathToPostgres } from "../clause/json-path.ts";
import { toPostgresPattern as patternToPostgres } from "../clause/like-pattern.ts";
import type { Aggregate, ValueKind, Term } from "../clause/clause-terms.ts";
import { type ResolvedColumn, columnKind } from "./query-sources.ts";

type TermOf<Is extends Term<ResolvedColumn>["is"]> = Extract<Term<ResolvedColumn>, { is: Is }>;

/**
 * Converts a term to SQL. Texts of callers become parameters; column names come from the catalogue,
 * operators and functions from fixed lists. Results equal those of `evaluateCondition`, which a test
 * verifies.
 */
export function toSql(term: Term<ResolvedColumn>, caller: Caller): SqlFragment {
  const of = (it: Term<ResolvedColumn>) => toSql(it, caller);
  switch (term.is) {
    case "value":
      return valueSql(term);
    case "column":
      return columnSql(term.ref, caller);
    case "each":
      return sql`nullif(each_of.value, 'null')`;
    case "pick":
      return sql`nullif(${jsonQuerySql(term.path.many)}(${of(term.of)},
        ${pathToPostgres(term.path)}::jsonpath), 'null')`;
    case "some":
      return sql`exists (select
        from jsonb_path_query(${of(term.of)}, ${pathToPostgres(term.path)}::jsonpath) as each_of (value)
        where ${of(term.test)})`;
    case "cast":
      return castSql(term, caller);
    case "call":
      return getFunction(term.name).sql(...term.args.map((arg) => exactNumberSql(arg, caller)));
    case "aggregate":
      return aggregateSql(term, caller);
    case "sum":
      return arithmeticSql(term, caller);
    case "compare":
      return sql`(${comparisonSql(term, caller)})`;
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

const jsonQuerySql = (many: boolean) => (many ? sql`jsonb_path_query_array` : sql`jsonb_path_query_first`);

const columnSql = ({ alias, column, worked }: ResolvedColumn, caller: Caller): SqlFragment =>
  worked
    ? sql`(${toSql(worked, caller)})`
    : (column.seen?.(caller, alias) ?? sql`${sql.id(alias, column.sqlName)}`);

const SQL_TYPES: Record<ValueKind, SqlFragment> = {
  text: sql`text`,
  number: sql`numeric`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
  json: sql`jsonb`,
  geometry: sql`jsonb`,
  null: sql`boolean`,
};

function valueSql({ kind, value }: TermOf<"value">): SqlFragment {
  if (value === null) return sql`null::${SQL_TYPES[kind]}`;
  if (kind === "date") return sql`${new Date(Number(value)).toISOString()}::timestamptz`;
  if (kind === "number") return numberSql(Number(value));
  if (kind === "geometry") return sql`${JSON.stringify(value)}::jsonb`;
  return sql`${value}::${SQL_TYPES[kind]}`;
}

const MAX_INT32 = 2_147_483_647;
/** A number literal in the smallest type, so that an index on an integer column can be used. */
function numberSql(value: number): SqlFragment {
  if (!Number.isSafeInteger(value)) return sql`${value}::double precision`;
  return Math.abs(value) <= MAX_INT32 ? sql`${value}::integer` : sql`${value}::bigint`;
}

/**
 * Whether a term has a number type of its own, as columns and literals do. Calculated values are exact
 * decimals.
 */
export function isNativeNumber(term: Term<ResolvedColumn>): boolean {
  if (term.kind !== "number" || term.is === "value") return true;
  return term.is === "column" && term.ref.worked === null && columnKind(term.ref.column) === "number";
}

/**
 * Converts a number to an exact decimal, which cannot overflow in calculations; other values are unchanged.
 */
export function exactNumberSql(term: Term<ResolvedColumn>, caller: Caller): SqlFragment {
  if (term.kind !== "number") return toSql(term, caller);
  if (term.is === "value")
    return term.value === null ? sql`null::numeric` : sql`${String(term.value)}::numeric`;
  return term.is === "column" ? sql`(${toSql(term, caller)})::numeric` : toSql(term, caller);
}

function arithmeticSql({ sign, left, right }: TermOf<"sum">, caller: Caller): SqlFragment {
  const [a, b] = [exactNumberSql(left, caller), exactNumberSql(right, caller)];
  return sign === "/" || sign === "%"
    ? sql`(${a} ${SQL_OPERATORS[sign]} nullif(${b}, 0))`
    : sql`(${a} ${SQL_OPERATORS[sign]} ${b})`;
}

const SQL_OPERATORS = {
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

/** SQL for a comparison with texts that can use an index, if the column offers one; null otherwise. */
function amongSql(term: Term<ResolvedColumn>, values: readonly unknown[]): SqlFragment | null {
  if (term.is !== "column" || term.ref.worked !== null || !term.ref.column.among) return null;
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? term.ref.column.among(term.ref.alias, texts) : null;
}

function comparisonSql({ sign, left, right }: TermOf<"compare">, caller: Caller): SqlFragment {
  const among = sign === "=" && right.is === "value" ? amongSql(left, [right.value]) : null;
  if (among) return among;
  const [a, b] = [toSql(left, caller), toSql(right, caller)];
  if (left.kind === "geometry") return sql`(${a} - 'srsId') ${SQL_OPERATORS[sign]} (${b} - 'srsId')`;
  if (left.kind === "json" && sign !== "=" && sign !== "!=") return jsonOrderSql(SQL_OPERATORS[sign], a, b);
  if (isNativeNumber(left) && isNativeNumber(right)) return sql`${a} ${SQL_OPERATORS[sign]} ${b}`;
  return sql`${exactNumberSql(left, caller)} ${SQL_OPERATORS[sign]} ${exactNumberSql(right, caller)}`;
}

const jsonOrderSql = (sign: SqlFragment, a: SqlFragment, b: SqlFragment) =>
  sql`case jsonb_typeof(${a}) || jsonb_typeof(${b})
    when 'numbernumber' then (${a})::numeric ${sign} (${b})::numeric
    when 'stringstring' then (${a} #>> '{}') ${sign} (${b} #>> '{}')
    when 'booleanboolean' then (${a})::boolean ${sign} (${b})::boolean end`;

function castSql({ kind, of }: TermOf<"cast">, caller: Caller): SqlFragment {
  const it = toSql(of, caller);
  if (of.kind === "json") return jsonAsSql(kind, it);
  if (kind === "number") {
    if (of.kind === "text") return sql`substring(${it} from ${SQL_NUMBER_PATTERN}::text)::numeric`;
    return of.kind === "date" ? sql`round(extract(epoch from ${it}) * 1000)` : sql`(${it})::integer::numeric`;
  }
  if (of.kind === "number") return sql`number_as_text(${exactNumberSql(of, caller)})`;
  return of.kind === "date"
    ? sql`to_char(${it} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`(${it})::text`;
}

/** SQL for a JSON value of this kind; null for values of another kind. */
function jsonAsSql(kind: ValueKind, it: SqlFragment): SqlFragment {
  if (kind === "number") return sql`case when jsonb_typeof(${it}) = 'number' then (${it})::numeric end`;
  if (kind === "boolean") return sql`case when jsonb_typeof(${it}) = 'boolean' then (${it})::boolean end`;
  return sql`case when jsonb_typeof(${it}) = 'string' then (${it}) #>> '{}' end`;
}

function listSql({ of, values }: TermOf<"in">): SqlFragment {
  if (of.kind === "date")
    return sql`${values.map((ms) => new Date(Number(ms)).toISOString())}::timestamptz[]`;
  if (of.kind !== "number") return sql`${values}::${SQL_TYPES[of.kind]}[]`;
  if (!isNativeNumber(of)) return sql`${values.map(String)}::numeric[]`;
  return values.every((it) => Number.isInteger(it) && Math.abs(Number(it)) <= MAX_INT32)
    ? sql`${values}::integer[]`
    : sql`${values}::double precision[]`;
}

const AGGREGATES: Record<Exclude<Aggregate, "any">, SqlFragment> = {
  count: sql`count`,
  sum: sql`sum`,
  avg: sql`avg`,
  min: sql`min`,
  max: sql`max`,
};

function aggregateSql({ name, of, kind }: TermOf<"aggregate">, caller: Caller): SqlFragment {
  const over = of === null ? sql`*` : toSql(of, caller);
  const worked = name === "any" ? anySql(over, kind) : sql`${AGGREGATES[name]}(${over})`;
  return kind === "number" ? sql`${worked}::numeric` : worked;
}

function anySql(over: SqlFragment, kind: ValueKind): SqlFragment {
  if (kind === "boolean" || kind === "null") return sql`bool_or(${over})`;
  return kind === "json" || kind === "geometry" ? sql`(array_agg(${over}))[1]` : sql`min(${over})`;
}
