import { sql } from "#platform/database";
import type { Fragment } from "../catalogue/types.ts";
import type { Kind } from "./tree.ts";
import { LONGEST } from "../values/in.ts";
import { type Geometry, isInside, metresBetween, type Position } from "./wkt.ts";

/** `same`: the kind that the arguments share, and the result; never JSON or a shape. */
type Wanted = Kind | "same";
/**
 * A function as SQL and in JavaScript, with the same results. Arguments are never null unless it is
 * `patient`; numbers are exact decimals in SQL.
 */
type Fn = {
  takes: readonly Wanted[];
  /** At least and at most how often the last argument occurs; from 0, it is optional. */
  times?: readonly [least: number, most: number];
  gives: Wanted;
  patient?: true;
  sql: (...args: Fragment[]) => Fragment;
  run: (...args: never[]) => unknown;
};

const text = (run: (it: string) => string, inSql: (it: Fragment) => Fragment): Fn => ({ takes: ["text"], gives: "text", sql: inSql, run });
const number = (run: (it: number) => number, inSql: (it: Fragment) => Fragment): Fn => ({
  takes: ["number"],
  gives: "number",
  sql: inSql,
  run,
});
const part = (unit: string, run: (at: Date) => number): Fn => ({
  takes: ["date"],
  gives: "number",
  sql: (it) => sql`trunc(extract(${sql.raw(unit)} from ${it} at time zone 'UTC'))`,
  run: (ms: number) => run(new Date(ms)),
});

/**
 * An integer of at least `least`; null beyond `most`. SQL's `least` and `greatest` ignore nulls, hence the
 * detour.
 */
const whole = (it: Fragment, least: number, most: number) => {
  const beyond = sql.lit(most + 1);
  return sql`nullif(least(greatest(coalesce(trunc(${it}), ${beyond}), ${sql.lit(least)}), ${beyond}), ${beyond})::integer`;
};
const wholeOf = (it: number, least: number, most: number) => (Math.trunc(it) > most ? null : Math.max(Math.trunc(it), least));
const MOST = 1_000_000_000;
const many = (it: Fragment, least = 0) => whole(it, least, MOST);
const manyOf = (it: number, least = 0) => wholeOf(it, least, MOST);
const away = (it: number) => Math.sign(it) * Math.round(Math.abs(it));
const rounded = (it: number, digits: number) => (digits === 0 ? away(it) : Number(`${away(Number(`${it}e${digits}`))}e${-digits}`));

const lon = (it: Fragment) => sql`(case when ${it} ->> 'type' = 'Point' then (${it} -> 'coordinates' ->> 0)::double precision end)`;
const lat = (it: Fragment) => sql`(case when ${it} ->> 'type' = 'Point' then (${it} -> 'coordinates' ->> 1)::double precision end)`;
const pointOf = (it: Geometry): Position | null => (it.type === "Point" ? it.coordinates : null);

const upper = text(
  (it) => it.toUpperCase(),
  (it) => sql`upper(${it})`,
);
const lower = text(
  (it) => it.toLowerCase(),
  (it) => sql`lower(${it})`,
);
const length: Fn = {
  takes: ["text"],
  gives: "number",
  sql: (it) => sql`char_length(${it})::numeric`,
  run: (it: string) => Array.from(it).length,
};
const cut = (it: string, from: number | null, size?: number | null) =>
  from === null || size === null
    ? null
    : Array.from(it)
        .slice(from - 1, size === undefined ? undefined : from - 1 + size)
        .join("");
const substring: Fn = {
  takes: ["text", "number", "number"],
  times: [0, 1],
  gives: "text",
  sql: (it, from, size) =>
    size ? sql`substring(${it} from ${many(from, 1)} for ${many(size)})` : sql`substring(${it} from ${many(from, 1)})`,
  run: (it: string, from: number, size?: number) => cut(it, manyOf(from, 1), size === undefined ? undefined : manyOf(size)),
};
const ceiling = number(Math.ceil, (it) => sql`ceiling(${it})`);
const coalesce: Fn = {
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
  trim: text(
    (it) => it.replaceAll(/^ +| +$/g, ""),
    (it) => sql`btrim(${it})`,
  ),
  ltrim: text(
    (it) => it.replace(/^ +/, ""),
    (it) => sql`ltrim(${it})`,
  ),
  rtrim: text(
    (it) => it.replace(/ +$/, ""),
    (it) => sql`rtrim(${it})`,
  ),
  length,
  char_length: length,
  concat: {
    takes: ["text"],
    times: [1, 8],
    gives: "text",
    // Limits each concatenated text, however often it is concatenated again.
    sql: (...args) => sql`text_within(${sql.join(args, sql` || `)}, ${sql.lit(LONGEST)})`,
    run(...args: string[]) {
      const whole = args.join("");
      return whole.length > LONGEST ? null : whole;
    },
  },
  substring,
  substr: substring,
  left: {
    takes: ["text", "number"],
    gives: "text",
    sql: (it, size) => sql`left(${it}, ${many(size)})`,
    run: (it: string, size: number) => cut(it, 1, manyOf(size)),
  },
  right: {
    takes: ["text", "number"],
    gives: "text",
    sql: (it, size) => sql`right(${it}, ${many(size)})`,
    run(it: string, size: number) {
      const kept = manyOf(size);
      return kept === null ? null : cut(it, Math.max(Array.from(it).length - kept, 0) + 1);
    },
  },
  abs: number(Math.abs, (it) => sql`abs(${it})`),
  ceil: ceiling,
  ceiling,
  floor: number(Math.floor, (it) => sql`floor(${it})`),
  sign: number(Math.sign, (it) => sql`sign(${it})`),
  round: {
    takes: ["number", "number"],
    times: [0, 1],
    gives: "number",
    sql: (it, digits) => (digits ? sql`round(${it}, ${whole(digits, -15, 15)})` : sql`round(${it})`),
    run(it: number, digits = 0) {
      const kept = wholeOf(digits, -15, 15);
      return kept === null ? null : rounded(it, kept);
    },
  },
  mod: {
    takes: ["number", "number"],
    gives: "number",
    sql: (it, by) => sql`(${it} % nullif(${by}, 0))`,
    run: (it: number, by: number) => (by === 0 ? null : it % by),
  },
  year: part("year", (at) => at.getUTCFullYear()),
  month: part("month", (at) => at.getUTCMonth() + 1),
  day: part("day", (at) => at.getUTCDate()),
  hour: part("hour", (at) => at.getUTCHours()),
  minute: part("minute", (at) => at.getUTCMinutes()),
  second: part("second", (at) => at.getUTCSeconds()),
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
    sql: (it) => sql`(${lon(it)})::numeric`,
    run: (it: Geometry) => pointOf(it)?.[0] ?? null,
  },
  getlat: {
    takes: ["geometry"],
    gives: "number",
    sql: (it) => sql`(${lat(it)})::numeric`,
    run: (it: Geometry) => pointOf(it)?.[1] ?? null,
  },
  within: {
    takes: ["geometry", "geometry"],
    gives: "boolean",
    sql: (it, shape) => sql`case when ${shape} ->> 'type' = 'Polygon' then point(${lon(it)}, ${lat(it)}) <@ ${ringOf(shape, sql`0`)}
      and not exists (select from generate_series(1, jsonb_array_length(${shape} -> 'coordinates') - 1) as hole
        where point(${lon(it)}, ${lat(it)}) <@ ${ringOf(shape, sql`hole`)}) end`,
    run(it: Geometry, shape: Geometry) {
      const point = pointOf(it);
      return point && shape.type === "Polygon" ? isInside(point, shape.coordinates) : null;
    },
  },
  distanceonsphere: {
    takes: ["geometry", "geometry"],
    gives: "number",
    sql: (a, b) => metres(a, b),
    run(a: Geometry, b: Geometry) {
      const [from, to] = [pointOf(a), pointOf(b)];
      return from && to ? metresBetween(from, to) : null;
    },
  },
} as const satisfies Record<string, Fn>;

export type FunctionName = keyof typeof FUNCTIONS;
export const functionNamed = (name: FunctionName): Fn => FUNCTIONS[name];
export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

/** A ring of a polygon as a PostgreSQL geometry. */
const ringOf = (shape: Fragment, at: Fragment) => sql`(
  select ('(' || string_agg('(' || (p ->> 0) || ',' || (p ->> 1) || ')', ',' order by n) || ')')::polygon
  from jsonb_array_elements(${shape} -> 'coordinates' -> (${at})::integer) with ordinality as ring(p, n))`;

const metres = (a: Fragment, b: Fragment) => sql`case when ${lon(a)} is not null and ${lon(b)} is not null then (
  2 * 6371008.8 * asin(least(1, sqrt(greatest(0,
    power(sin(radians(${lat(b)} - ${lat(a)}) / 2), 2)
    + cos(radians(${lat(a)})) * cos(radians(${lat(b)})) * power(sin(radians(${lon(b)} - ${lon(a)}) / 2), 2)))))
)::numeric end`;
