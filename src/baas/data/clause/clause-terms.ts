import type { FunctionName } from "./clause-functions.ts";
import type { JsonPath } from "./json-path.ts";
import type { PatternPiece } from "./like-pattern.ts";
import type { Comparison, ArithmeticOperator } from "./clause-syntax.ts";
import type { Geometry } from "./wkt.ts";

/** Kind of a value. Dates are milliseconds. */
export type ValueKind = "text" | "number" | "boolean" | "date" | "json" | "geometry" | "null";
export const AGGREGATES = ["count", "sum", "avg", "min", "max"] as const;
/** Aggregates. `any` is the value of an arbitrary row of the group. */
export type Aggregate = (typeof AGGREGATES)[number] | "any";

/**
 * A clause with resolved names and known types; both sides of a comparison have the same kind. It is
 * evaluated in SQL, on changed records and on message headers. `R` is a resolved column.
 */
export type Term<R> =
  | { is: "value"; kind: ValueKind; value: string | number | boolean | null | Geometry }
  | { is: "column"; kind: ValueKind; ref: R }
  | { is: "pick"; kind: "json"; of: Term<R>; path: JsonPath }
  /** The value that the enclosing `some` is testing. */
  | { is: "each"; kind: "json" }
  | { is: "some"; kind: "boolean"; of: Term<R>; path: JsonPath; test: Term<R> }
  | { is: "call"; kind: ValueKind; name: FunctionName; args: Term<R>[] }
  | { is: "aggregate"; kind: ValueKind; name: Aggregate; of: Term<R> | null }
  | { is: "cast"; kind: ValueKind; of: Term<R> }
  | { is: "sum"; kind: "number"; sign: ArithmeticOperator; left: Term<R>; right: Term<R> }
  | { is: "compare"; kind: "boolean"; sign: Comparison; left: Term<R>; right: Term<R> }
  | { is: "like"; kind: "boolean"; of: Term<R>; pattern: string; pieces: PatternPiece[] }
  | { is: "in"; kind: "boolean"; of: Term<R>; values: (string | number | boolean)[] }
  | { is: "null"; kind: "boolean"; of: Term<R> }
  | { is: "not"; kind: "boolean"; of: Term<R> }
  | { is: "and" | "or"; kind: "boolean"; parts: Term<R>[] };
