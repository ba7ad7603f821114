import type { ColumnType } from "../catalogue/types.ts";
import { geometryOf } from "./geometry.ts";

const LONGEST_STRING = 500;
/** As clients write dates where they do not write milliseconds. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHAPES = { Point: "POINT", LineString: "LINESTRING", Polygon: "POLYGON" } as const satisfies Record<string, ColumnType>;

/** A whole number of 32 bits, the smallest of which has no counterpart above zero. */
export const isInt = (value: unknown): value is number => typeof value === "number" && (value | 0) === value;

/** The type of a column that a value makes when it is the first of its name; null where it says nothing about one. */
export function typeFor(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number") return isInt(value) ? "INT" : "DOUBLE";
  if (typeof value === "string") return ISO.test(value) ? "DATETIME" : value.length <= LONGEST_STRING ? "STRING" : "TEXT";
  const shape = geometryOf(value);
  return shape ? SHAPES[shape.type] : "JSON";
}
