import { sql } from "#platform/database";
import type { SqlFragment } from "../catalogue/types.ts";
import type { ValueKind } from "./clause-terms.ts";
import { MAX_VALUE_LENGTH } from "../values/column-values.ts";
import { type Geometry, isInsidePolygon, measureDistance, type Position } from "./wkt.ts";

/**
 * Kind of an argument or result. `same`: all such arguments have one common kind, which is also the kind of a
 * `same` result; it is never JSON or a shape.
 */
type ArgumentKind = ValueKind | "same";
/**
 * A function in SQL and in JavaScript with the same results. Its arguments are never null unless it is
 * `patient`. In SQL, numbers are exact decimals.
 */
type ClauseFunction = {
  takes: readonly ArgumentKind[];
  /**
   * Minimum and maximum number of times that the last argument may occur; it is optional if the minimum is 0.
   */
  times?: readonly [least: number, most: number];
  gives: ArgumentKind;
  patient?: true;
  sql: (...args: SqlFragment[]) => SqlFragment;
  run(...args: unknown[]): unknown;
};

const textFunction = (
  run: (it: string) => string,
  inSql: (it: SqlFragment) => SqlFragment,
): ClauseFunction => ({
  takes: ["text"],
  gives: "text",
  sql: inSql,
  run,
});
const numberFunction = (
  run: (it: number) => number,
  inSql: (it: SqlFragment) => SqlFragment,
): ClauseFunction => ({
  takes: ["number"],
  gives: "number",
  sql: inSql,
  run,
});
const datePart = (unit: string, run: (at: Date) => number): ClauseFunction => ({
  takes: ["date"],
  gives: "number",
  sql: (it) => sql`trunc(extract(${sql.raw(unit)} from ${it} at time zone 'UTC'))`,
  run: (ms: number) => run(new Date(ms)),
});

/**
 * Converts a number to an integer. A value below `least` is raised to it; above `most` it becomes null, and
 * null stays null. SQL's `least` and `greatest` ignore nulls, so null is treated as a value above `most`.
 */
const wholeSql = (it: SqlFragment, least: number, most: number) => {
  const beyond = sql.lit(most + 1);
  return sql`nullif(least(greatest(coalesce(trunc(${it}), ${beyond}), ${sql.lit(least)}), ${beyond}),
    ${beyond})::integer`;
};
const toWhole = (it: number, least: number, most: number) =>
  Math.trunc(it) > most ? null : Math.max(Math.trunc(it), least);
const MAX_CHARACTERS = 1_000_000_000;
const countSql = (it: SqlFragment, least = 0) => wholeSql(it, least, MAX_CHARACTERS);
const toCount = (it: number, least = 0) => toWhole(it, least, MAX_CHARACTERS);
const roundHalfAway = (it: number) => Math.sign(it) * Math.round(Math.abs(it));
const roundTo = (it: number, digits: number) =>
  digits === 0 ? roundHalfAway(it) : Number(`${roundHalfAway(Number(`${it}e${digits}`))}e${-digits}`);

const longitudeSql = (it: SqlFragment) =>
  sql`(case when ${it} ->> 'type' = 'Point' then (${it} -> 'coordinates' ->> 0)::double precision end)`;
const latitudeSql = (it: SqlFragment) =>
  sql`(case when ${it} ->> 'type' = 'Point' then (${it} -> 'coordinates' ->> 1)::double precision end)`;
const toPoint = (it: Geometry): Position | null => (it.type === "Point" ? it.coordinates : null);

const upper = textFunction(
  (it) => it.toUpperCase(),
  (it) => sql`upper(${it})`,
);
const lower = textFunction(
  (it) => it.toLowerCase(),
  (it) => sql`lower(${it})`,
);
const length: ClauseFunction = {
  takes: ["text"],
  gives: "number",
  sql: (it) => sql`char_length(${it})::numeric`,
  run: (it: string) => Array.from(it).length,
};
const sliceCharacters = (it: string, from: number | null, size?: number | null) =>
  from === null || size === null
    ? null
    : Array.from(it)
        .slice(from - 1, size === undefined ? undefined : from - 1 + size)
        .join("");
const substring: ClauseFunction = {
  takes: ["text", "number", "number"],
  times: [0, 1],
  gives: "text",
  sql: (it, from, size) =>
    size
      ? sql`substring(${it} from ${countSql(from, 1)} for ${countSql(size)})`
      : sql`substring(${it} from ${countSql(from, 1)})`,
  run: (it: string, from: number, size?: number) =>
    sliceCharacters(it, toCount(from, 1), size === undefined ? undefined : toCount(size)),
};
const ceiling = numberFunction(Math.ceil, (it) => sql`ceiling(${it})`);
const coalesce: ClauseFunction = {
  takes: ["same"],
  times: [1, 8],
  gives: "same",
  patient: true,
  sql: (...args) => sql`coalesce(${sql.join(args)})`,
  run: (...args: unknown[]) => args.find((it) => it !== null) ?? null,
};

export const FUNCTIONS = {
  upper,
  ucase: upper,
  lower,
  lcase: lower,
  trim: textFunction(
    (it) => it.replaceAll(/^ +| +$/g, ""),
    (it) => sql`btrim(${it})`,
  ),
  ltrim: textFunction(
    (it) => it.replace(/^ +/, ""),
    (it) => sql`ltrim(${it})`,
  ),
  rtrim: textFunction(
    (it) => it.replace(/ +$/, ""),
    (it) => sql`rtrim(${it})`,
  ),
  length,
  char_length: length,
  concat: {
    takes: ["text"],
    times: [1, 8],
    gives: "text",
    // Limits the length of every intermediate result, because repeated concatenation could produce texts of
    // any length.
    sql: (...args) => sql`assert_text_limit(${sql.join(args, sql` || `)}, ${sql.lit(MAX_VALUE_LENGTH)})`,
    run(...args: string[]) {
      const whole = args.join("");
      return whole.length > MAX_VALUE_LENGTH ? null : whole;
    },
  },
  substring,
  substr: substring,
  left: {
    takes: ["text", "number"],
    gives: "text",
    sql: (it, size) => sql`left(${it}, ${countSql(size)})`,
    run: (it: string, size: number) => sliceCharacters(it, 1, toCount(size)),
  },
  right: {
    takes: ["text", "number"],
    gives: "text",
    sql: (it, size) => sql`right(${it}, ${countSql(size)})`,
    run(it: string, size: number) {
      const count = toCount(size);
      return count === null ? null : sliceCharacters(it, Math.max(Array.from(it).length - count, 0) + 1);
    },
  },
  abs: numberFunction(Math.abs, (it) => sql`abs(${it})`),
  ceil: ceiling,
  ceiling,
  floor: numberFunction(Math.floor, (it) => sql`floor(${it})`),
  sign: numberFunction(Math.sign, (it) => sql`sign(${it})`),
  round: {
    takes: ["number", "number"],
    times: [0, 1],
    gives: "number",
    sql: (it, digits) => (digits ? sql`round(${it}, ${wholeSql(digits, -15, 15)})` : sql`round(${it})`),
    run(it: number, digits: number = 0) {
      const decimals = toWhole(digits, -15, 15);
      return decimals === null ? null : roundTo(it, decimals);
    },
  },
  mod: {
    takes: ["number", "number"],
    gives: "number",
    sql: (it, by) => sql`(${it} % nullif(${by}, 0))`,
    run: (it: number, by: number) => (by === 0 ? null : it % by),
  },
  year: datePart("year", (at) => at.getUTCFullYear()),
  month: datePart("month", (at) => at.getUTCMonth() + 1),
  day: datePart("day", (at) => at.getUTCDate()),
  hour: datePart("hour", (at) => at.getUTCHours()),
  minute: datePart("minute", (at) => at.getUTCMinutes()),
  second: datePart("second", (at) => at.getUTCSeconds()),
  time: {
    takes: ["date"],
    gives: "text",
    sql: (it) => sql`to_char(${it} at time zone 'UTC', 'HH24:MI:SS')`,
    run: (ms: number) => new Date(ms).toISOString().slice(11, 19),
  },
  date: {
    takes: ["date"],
    gives: "text",
    sql: (it) => sql`to_char(${it} at time zone 'UTC', 'YYYY-MM-DD')`,
    run: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  },
  if: {
    takes: ["boolean", "same", "same"],
    gives: "same",
    patient: true,
    sql: (test, yes, no) => sql`case when ${test} then ${yes} else ${no} end`,
    run: (test: boolean | null, yes: unknown, no: unknown) => (test === true ? yes : no),
  },
  ifnull: coalesce,
  coalesce,
  nullif: {
    takes: ["same", "same"],
    gives: "same",
    patient: true,
    sql: (it, other) => sql`nullif(${it}, ${other})`,
    run: (it: unknown, other: unknown) => (it === other ? null : it),
  },
  getlon: {
    takes: ["geometry"],
    gives: "number",
    sql: (it) => sql`(${longitudeSql(it)})::numeric`,
    run: (it: Geometry) => toPoint(it)?.[0] ?? null,
  },
  getlat: {
    takes: ["geometry"],
    gives: "number",
    sql: (it) => sql`(${latitudeSql(it)})::numeric`,
    run: (it: Geometry) => toPoint(it)?.[1] ?? null,
  },
  within: {
    takes: ["geometry", "geometry"],
    gives: "boolean",
    sql: (it, shape) => sql`case when ${shape} ->> 'type' = 'Polygon' then point(${longitudeSql(it)},
      ${latitudeSql(it)}) <@ ${ringSql(shape, sql`0`)}
      and not exists (select
        from generate_series(1, jsonb_array_length(${shape} -> 'coordinates') - 1) as hole
        where point(${longitudeSql(it)}, ${latitudeSql(it)}) <@ ${ringSql(shape, sql`hole`)}) end`,
    run(geometry: Geometry, shape: Geometry) {
      const point = toPoint(geometry);
      return point && shape.type === "Polygon" ? isInsidePolygon(point, shape.coordinates) : null;
    },
  },
  distanceonsphere: {
    takes: ["geometry", "geometry"],
    gives: "number",
    sql: (a, b) => distanceSql(a, b),
    run(a: Geometry, b: Geometry) {
      const [from, to] = [toPoint(a), toPoint(b)];
      return from && to ? measureDistance(from, to) : null;
    },
  },
} as const satisfies Record<string, ClauseFunction>;

export type FunctionName = keyof typeof FUNCTIONS;
export const getFunction = (name: FunctionName): ClauseFunction => FUNCTIONS[name];
export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

/** A ring of a polygon as a PostgreSQL geometry. */
const ringSql = (shape: SqlFragment, at: SqlFragment) => sql`(
  select ('(' || string_agg('(' || (p ->> 0) || ',' || (p ->> 1) || ')', ',' order by n) || ')')::polygon
  from jsonb_array_elements(${shape} -> 'coordinates' -> (${at})::integer) with ordinality as ring(p, n))`;

const distanceSql = (
  a: SqlFragment,
  b: SqlFragment,
) => sql`case when ${longitudeSql(a)} is not null and ${longitudeSql(b)} is not null then (
  2 * 6371008.8 * asin(least(1, sqrt(greatest(0,
    power(sin(radians(${latitudeSql(b)} - ${latitudeSql(a)}) / 2), 2)
    + cos(radians(${latitudeSql(a)})) * cos(radians(${latitudeSql(b)})) *
      power(sin(radians(${longitudeSql(b)} - ${longitudeSql(a)}) / 2), 2)))))
)::numeric end`;
