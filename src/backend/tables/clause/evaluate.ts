import { numberOf } from "./coerce.ts";
import { functionNamed } from "./functions.ts";
import { follow } from "./json-path.ts";
import { isLike, type Piece } from "./like.ts";
import type { Comparison, Sum } from "./syntax.ts";
import type { Kind, Term } from "./tree.ts";

/** Whether a record matches the condition; null if unknown, as in SQL, which counts as no match. */
export const evaluate = <R extends { name: string }>(condition: Term<R>, record: Readonly<Record<string, unknown>>): boolean | null =>
  valueOf(condition, record, null) as boolean | null;

function valueOf<R extends { name: string }>(term: Term<R>, record: Readonly<Record<string, unknown>>, each: unknown): unknown {
  const of = (it: Term<R>) => valueOf(it, record, each);
  switch (term.is) {
    case "value":
      return term.value;
    case "column":
      return Object.hasOwn(record, term.ref.name) ? asKept(record[term.ref.name], term.kind) : null;
    case "each":
      return each;
    case "pick":
      return follow(term.path, of(term.of))[0] ?? null;
    case "some":
      return follow(term.path, of(term.of)).some((it) => valueOf(term.test, record, it ?? null) === true);
    case "cast":
      return castOf(of(term.of), term.of.kind, term.kind);
    case "call":
      return called(term, term.args.map(of));
    case "sum":
      return calculated(term.sign, of(term.left), of(term.right));
    case "compare":
      return compared(term.sign, of(term.left), of(term.right));
    case "like":
      return liked(of(term.of), term.pieces);
    case "in":
      return isAmong(of(term.of), term.values);
    case "null":
      return of(term.of) === null;
    case "not":
      return negated(of(term.of));
    case "and":
      return decided(term.parts, false, of);
    case "or":
      return decided(term.parts, true, of);
    case "aggregate":
      return null;
  }
}

const negated = (it: unknown) => (it === null ? null : !it);

/** The first part with this value decides; otherwise the result is unknown if any part is. */
function decided<R>(parts: Term<R>[], decisive: boolean, of: (it: Term<R>) => unknown): boolean | null {
  let otherwise: boolean | null = !decisive;
  for (const part of parts) {
    const it = of(part);
    if (it === decisive) return decisive;
    if (it === null) otherwise = null;
  }
  return otherwise;
}

/** A value of a record as the kind of its column; null if it does not fit. */
function asKept(value: unknown, kind: Kind): unknown {
  if (value === undefined || value === null) return null;
  if (kind === "date") return value instanceof Date ? value.getTime() : typeof value === "number" ? value : null;
  if (kind === "json") return value;
  if (kind === "geometry") return shapeOf(value);
  return typeof value === (kind === "text" ? "string" : kind) ? value : null;
}

/** A shape without its reference system, which is not compared. */
function shapeOf(value: unknown): unknown {
  const { type, coordinates } = Object(value) as { type?: unknown; coordinates?: unknown };
  return type === undefined || coordinates === undefined ? null : { type, coordinates };
}

function castOf(value: unknown, from: Kind, to: Kind): unknown {
  if (value === null) return null;
  if (from === "json") return typeof value === (to === "text" ? "string" : to) ? value : null;
  if (to === "number") return typeof value === "string" ? numberOf(value) : Number(value);
  if (to === "text" && from === "date") return new Date(value as number).toISOString();
  return to === "text" && from === "number" ? written(value as number) : String(value);
}

/** A number in digits: integers exactly, others to fifteen places. As `number_as_text` in the database. */
function written(value: number): string {
  if (Number.isSafeInteger(value)) return `${value}`;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential(14)) ?? [];
  const digits = whole + fraction;
  const point = Number(exponent) + 1;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = (point > 0 ? digits.slice(point) : "0".repeat(-point) + digits).replace(/0+$/, "");
  return `${sign}${before}${after && `.${after}`}`;
}

function called<R>({ name }: Extract<Term<R>, { is: "call" }>, args: unknown[]): unknown {
  const { run, patient } = functionNamed(name);
  if (!patient && args.includes(null)) return null;
  return finite((run as (...args: unknown[]) => unknown)(...args));
}

const SUMS: Record<Sum, (left: number, right: number) => number | null> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => (right === 0 ? null : left / right),
  "%": (left, right) => (right === 0 ? null : left % right),
};

const calculated = (sign: Sum, left: unknown, right: unknown) =>
  left === null || right === null ? null : finite(SUMS[sign](left as number, right as number));

const finite = (it: unknown) => (typeof it === "number" && !Number.isFinite(it) ? null : it);

const liked = (text: unknown, pieces: Piece[]) => (typeof text === "string" ? isLike(text, pieces) : null);
const isAmong = (it: unknown, values: unknown[]) => (it === null ? null : values.includes(it));

function compared(sign: Comparison, left: unknown, right: unknown): boolean | null {
  if (left === null || right === null) return null;
  if (typeof left === "object" || typeof right === "object" || typeof left !== typeof right) {
    const equal = isSame(left, right);
    return sign === "=" ? equal : sign === "!=" ? !equal : null;
  }
  const order = typeof left === "string" ? orderOf(left, right as string) : Number(left) - Number(right);
  switch (sign) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** Compares by code points, as the database does; JavaScript sorts surrogate pairs earlier. */
function orderOf(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const [a, b] = [ranked(left.charCodeAt(at)), ranked(right.charCodeAt(at))];
  return Number.isNaN(a) || Number.isNaN(b) ? left.length - right.length : a - b;
}

const ranked = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Compares two JSON values or shapes. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [Object.keys(left), Object.keys(right)];
  return a.length === b.length && a.every((key) => Object.hasOwn(right, key) && isSame(Reflect.get(left, key), Reflect.get(right, key)));
}
