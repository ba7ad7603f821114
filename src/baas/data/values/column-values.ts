import { msg } from "#platform/messages";
import { parseDate } from "../clause/clause-dates.ts";
import type { Column, ColumnType } from "../catalogue/types.ts";
import { invalidDate, schemaFault, dataTooLarge, invalidTypes } from "../data-errors.ts";
import { parseGeometry } from "./geometry.ts";
import { isInt32 } from "./infer-type.ts";

type TypedColumn = Pick<Column, "name" | "type" | "size">;

/** Dates whose year has four digits in both PostgreSQL and `Date`. */
const [EARLIEST, LATEST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
/** Maximum nesting of a JSON value. */
const MAX_DEPTH = 32;

/** Maximum characters of one value in any column, so that a page of values fits into an answer. */
export const MAX_VALUE_LENGTH = 1_000_000;

const parseText = (value: unknown, { name, size }: TypedColumn) => {
  if (typeof value !== "string") throw invalidTypes([name]);
  if (value.length > (size ?? MAX_VALUE_LENGTH))
    throw dataTooLarge(
      msg("The value of property {name} has more than {count} characters.", {
        name,
        count: size ?? MAX_VALUE_LENGTH,
      }),
    );
  return value;
};

const shapeParser = (only: string | null) => (value: unknown, column: TypedColumn) => {
  const shape = parseGeometry(value);
  if (!shape || (only !== null && shape.type !== only)) throw invalidTypes([column.name]);
  return assertJsonLength(JSON.stringify(shape), column.name);
};

/**
 * Matches exponents. PostgreSQL writes out numbers with an exponent, so that a few characters become
 * hundreds.
 */
const EXPONENT = /\de[+-](\d+)/g;

function assertJsonLength(json: string, name: string): string {
  let length = json.length;
  for (const [, places] of json.matchAll(EXPONENT)) length += Number(places);
  if (length > MAX_VALUE_LENGTH)
    throw dataTooLarge(
      msg("The value of property {name} has more than {count} characters.", {
        name,
        count: MAX_VALUE_LENGTH,
      }),
    );
  return json;
}

/**
 * Functions that convert API values to driver values, by column type.
 * @throws for a value of the wrong type
 */
const VALUE_PARSERS: Record<ColumnType, (value: unknown, column: TypedColumn) => unknown> = {
  STRING: parseText,
  TEXT: parseText,
  FILE_REF: parseText,
  STRING_ID: parseText,
  INT(value, { name }) {
    if (!isInt32(value)) throw invalidTypes([name]);
    return value;
  },
  DOUBLE(value, { name }) {
    if (typeof value !== "number" || !Number.isFinite(value)) throw invalidTypes([name]);
    return value;
  },
  BOOLEAN(value, { name }) {
    if (typeof value !== "boolean") throw invalidTypes([name]);
    return value;
  },
  DATETIME: parseDateValue,
  JSON: (value, { name }) => toJsonColumn(value, name),
  POINT: shapeParser("Point"),
  LINESTRING: shapeParser("LineString"),
  POLYGON: shapeParser("Polygon"),
  GEOMETRY: shapeParser(null),
};

/**
 * Converts a JSON value to its stored form.
 * @throws 1021 for a value nested too deep
 */
export function toJsonColumn(value: unknown, name: string): string {
  if (measureDepth(value, MAX_DEPTH) > MAX_DEPTH)
    throw dataTooLarge(
      msg("The value of property {name} can be nested at most {count} levels.", { name, count: MAX_DEPTH }),
    );
  return assertJsonLength(JSON.stringify(value), name);
}

function parseDateValue(value: unknown, { name }: TypedColumn): Date {
  if (typeof value !== "number" && typeof value !== "string") throw invalidTypes([name]);
  const ms = typeof value === "number" ? Math.trunc(value) : parseDate(value);
  if (ms === null || !(ms >= EARLIEST && ms <= LATEST)) throw invalidDate(name);
  return new Date(ms);
}

function measureDepth(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (most < 0) return 1;
  return (
    1 +
    Math.max(
      0,
      ...Object.values(value)
        .slice(0, 100_000)
        .map((it) => measureDepth(it, most - 1)),
    )
  );
}

/**
 * Converts a value to the driver value for a column.
 * @throws the errors that clients expect for invalid values
 */
export const parseColumnValue = (value: unknown, column: TypedColumn): unknown =>
  value === null ? null : VALUE_PARSERS[column.type](value, column);

/**
 * Returns the default of a column in API format; null for none. Refuses a value that does not fit the
 * column.
 */
export function parseDefault(column: TypedColumn & { defaultValue?: unknown }): unknown {
  const value = column.defaultValue ?? null;
  if (value === null) return null;
  try {
    parseColumnValue(value, column);
  } catch {
    throw schemaFault(
      msg("The default of the column ''{name}'' is not a valid value.", { name: column.name }),
    );
  }
  return value;
}
