import { readDate } from "../clause/dates.ts";
import type { Column, ColumnType } from "../catalogue/types.ts";
import { badDate, schemaFault, tooMuch, wrongType } from "../faults.ts";
import { geometryOf } from "./geometry.ts";
import { isInt } from "./infer.ts";

type Typed = Pick<Column, "name" | "type" | "size">;

/** Years with four digits in both PostgreSQL and `Date`. */
const [EARLIEST, LATEST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
/** Nesting depth of a JSON value. */
const DEEPEST = 32;

/** Characters of one value, whatever its column allows, so that a page of values can be answered. */
export const LONGEST = 1_000_000;

const textOf = (value: unknown, { name, size }: Typed) => {
  if (typeof value !== "string") throw wrongType([name]);
  if (value.length > (size ?? LONGEST)) throw tooMuch(`The value of property ${name} has more than ${size ?? LONGEST} characters.`);
  return value;
};

const shapeOf = (only: string | null) => (value: unknown, column: Typed) => {
  const shape = geometryOf(value);
  if (!shape || (only !== null && shape.type !== only)) throw wrongType([column.name]);
  return withinBounds(JSON.stringify(shape), column.name);
};

/** PostgreSQL writes exponents out: a few characters become hundreds. */
const EXPONENT = /\de[+-](\d+)/g;

function withinBounds(json: string, name: string): string {
  let length = json.length;
  for (const [, places] of json.matchAll(EXPONENT)) length += Number(places);
  if (length > LONGEST) throw tooMuch(`The value of property ${name} has more than ${LONGEST} characters.`);
  return json;
}

/**
 * From API values to driver values.
 * @throws for a value of the wrong type
 */
const TAKES: Record<ColumnType, (value: unknown, column: Typed) => unknown> = {
  STRING: textOf,
  TEXT: textOf,
  FILE_REF: textOf,
  STRING_ID: textOf,
  INT(value, { name }) {
    if (!isInt(value)) throw wrongType([name]);
    return value;
  },
  DOUBLE(value, { name }) {
    if (typeof value !== "number" || !Number.isFinite(value)) throw wrongType([name]);
    return value;
  },
  BOOLEAN(value, { name }) {
    if (typeof value !== "boolean") throw wrongType([name]);
    return value;
  },
  DATETIME: dateOf,
  JSON: (value, { name }) => jsonFor(value, name),
  POINT: shapeOf("Point"),
  LINESTRING: shapeOf("LineString"),
  POLYGON: shapeOf("Polygon"),
  GEOMETRY: shapeOf(null),
};

/**
 * A JSON value as stored.
 * @throws 1021 for too deep a value
 */
export function jsonFor(value: unknown, name: string): string {
  if (depthOf(value, DEEPEST) > DEEPEST) throw tooMuch(`The value of property ${name} is more than ${DEEPEST} deep.`);
  return withinBounds(JSON.stringify(value), name);
}

function dateOf(value: unknown, { name }: Typed): Date {
  if (typeof value !== "number" && typeof value !== "string") throw wrongType([name]);
  const ms = typeof value === "number" ? Math.trunc(value) : readDate(value);
  if (ms === null || !(ms >= EARLIEST && ms <= LATEST)) throw badDate(name);
  return new Date(ms);
}

function depthOf(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (most < 0) return 1;
  return (
    1 +
    Math.max(
      0,
      ...Object.values(value)
        .slice(0, 100_000)
        .map((it) => depthOf(it, most - 1)),
    )
  );
}

/**
 * The driver value for a column.
 * @throws the errors that clients know for an invalid value
 */
export const valueIn = (value: unknown, column: Typed): unknown => (value === null ? null : TAKES[column.type](value, column));

/** The default of a column in API format; null for none. Refuses a value that does not fit the column. */
export function defaultOf(column: Typed & { defaultValue?: unknown }): unknown {
  const value = column.defaultValue ?? null;
  if (value === null) return null;
  try {
    valueIn(value, column);
  } catch {
    throw schemaFault(`The default of the column '${column.name}' is no value of it.`);
  }
  return value;
}
