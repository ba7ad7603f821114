import type { ColumnType } from "../catalogue/types.ts";
import { geometryOf } from "./geometry.ts";

const LONGEST_STRING = 500;
/** The date format of clients that do not send milliseconds. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHAPES = { Point: "POINT", LineString: "LINESTRING", Polygon: "POLYGON" } as const satisfies Record<string, ColumnType>;

/** A 32-bit integer. */
export const isInt = (value: unknown): value is number => typeof value === "number" && (value | 0) === value;

/** The column type for the first value of a new property; null if it allows no conclusion. */
export function typeFor(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number") return isInt(value) ? "INT" : "DOUBLE";
  if (typeof value === "string") return ISO.test(value) ? "DATETIME" : value.length <= LONGEST_STRING ? "STRING" : "TEXT";
  const shape = geometryOf(value);
  return shape ? SHAPES[shape.type] : "JSON";
}
