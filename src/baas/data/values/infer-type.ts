import type { ColumnType } from "../catalogue/types.ts";
import { parseGeometry } from "./geometry.ts";

const MAX_STRING_LENGTH = 500;
/** Format of dates from clients that do not send milliseconds. */
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHAPE_TYPES = {
  Point: "POINT",
  LineString: "LINESTRING",
  Polygon: "POLYGON",
} as const satisfies Record<string, ColumnType>;

/** Whether a value is a 32-bit integer. */
export const isInt32 = (value: unknown): value is number =>
  typeof value === "number" && (value | 0) === value;

/**
 * Returns the column type for the first value of a new property; null if the value does not determine one.
 */
export function inferColumnType(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number") return isInt32(value) ? "INT" : "DOUBLE";
  if (typeof value === "string")
    return ISO_DATE.test(value) ? "DATETIME" : value.length <= MAX_STRING_LENGTH ? "STRING" : "TEXT";
  const shape = parseGeometry(value);
  return shape ? SHAPE_TYPES[shape.type] : "JSON";
}
