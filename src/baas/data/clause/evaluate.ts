import { parseNumber } from "./coerce.ts";
import { getFunction } from "./clause-functions.ts";
import { followPath } from "./json-path.ts";
import { matchesPattern, type PatternPiece } from "./like-pattern.ts";
import type { Comparison, ArithmeticOperator } from "./clause-syntax.ts";
import type { ValueKind, Term } from "./clause-terms.ts";

/** Whether a record matches the condition. Null means unknown, as in SQL, and counts as no match. */
export const evaluateCondition = <R extends { name: string }>(
  condition: Term<R>,
  record: Readonly<Record<string, unknown>>,
): boolean | null => {
  const result = evaluateTerm(condition, record, null);
  return typeof result === "boolean" ? result : null;
};

function evaluateTerm<R extends { name: string }>(
  term: Term<R>,
  record: Readonly<Record<string, unknown>>,
  each: unknown,
): unknown {
  const of = (it: Term<R>) => evaluateTerm(it, record, each);
  switch (term.is) {
    case "value":
      return term.value;
    case "column":
      return Object.hasOwn(record, term.ref.name) ? toKind(record[term.ref.name], term.kind) : null;
    case "each":
      return each;
    case "pick":
      return followPath(term.path, of(term.of))[0] ?? null;
    case "some":
      return followPath(term.path, of(term.of)).some(
        (it) => evaluateTerm(term.test, record, it ?? null) === true,
      );
    case "cast":
      return castValue(of(term.of), term.of.kind, term.kind);
    case "call":
      return callFunction(term, term.args.map(of));
    case "sum":
      return calculate(term.sign, of(term.left), of(term.right));
    case "compare":
      return compareValues(term.sign, of(term.left), of(term.right));
    case "like":
      return evaluateLike(of(term.of), term.pieces);
    case "in":
      return isAmong(of(term.of), term.values);
    case "null":
      return of(term.of) === null;
    case "not":
      return negate(of(term.of));
    case "and":
      return evaluateParts(term.parts, false, of);
    case "or":
      return evaluateParts(term.parts, true, of);
    case "aggregate":
      return null;
  }
}

const negate = (it: unknown) => (it === null ? null : !it);

/**
 * Evaluates AND or OR: a part with the `decisive` value decides the result; otherwise it is unknown (null)
 * if any part is.
 */
function evaluateParts<R>(parts: Term<R>[], decisive: boolean, of: (it: Term<R>) => unknown): boolean | null {
  let otherwise: boolean | null = !decisive;
  for (const part of parts) {
    const it = of(part);
    if (it === decisive) return decisive;
    if (it === null) otherwise = null;
  }
  return otherwise;
}

/** Converts a value of a record to the kind of its column; null if it cannot be converted. */
function toKind(value: unknown, kind: ValueKind): unknown {
  if (value === undefined || value === null) return null;
  if (kind === "date")
    return value instanceof Date ? value.getTime() : typeof value === "number" ? value : null;
  if (kind === "json") return value;
  if (kind === "geometry") return normalizeShape(value);
  return typeof value === (kind === "text" ? "string" : kind) ? value : null;
}

/** Removes the reference system from a shape, because it is not compared. */
function normalizeShape(value: unknown): unknown {
  const { type, coordinates }: { type?: unknown; coordinates?: unknown } = Object(value);
  return type === undefined || coordinates === undefined ? null : { type, coordinates };
}

function castValue(value: unknown, from: ValueKind, to: ValueKind): unknown {
  if (value === null) return null;
  if (from === "json") return typeof value === (to === "text" ? "string" : to) ? value : null;
  if (to === "number") return typeof value === "string" ? parseNumber(value) : Number(value);
  if (to === "text" && from === "date") return new Date(Number(value)).toISOString();
  return to === "text" && from === "number" ? formatNumber(Number(value)) : String(value);
}

/**
 * Writes a number as digits: integers exactly, others to fifteen places, like `number_as_text` in the
 * database.
 */
function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return `${value}`;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential(14)) ?? [];
  const digits = whole + fraction;
  const point = Number(exponent) + 1;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const after = (point > 0 ? digits.slice(point) : "0".repeat(-point) + digits).replace(/0+$/, "");
  return `${sign}${before}${after && `.${after}`}`;
}

function callFunction<R>({ name }: Extract<Term<R>, { is: "call" }>, args: unknown[]): unknown {
  const { run, patient } = getFunction(name);
  if (!patient && args.includes(null)) return null;
  return finiteOrNull(run(...args));
}

const OPERATORS: Record<ArithmeticOperator, (left: number, right: number) => number | null> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => (right === 0 ? null : left / right),
  "%": (left, right) => (right === 0 ? null : left % right),
};

const calculate = (sign: ArithmeticOperator, left: unknown, right: unknown) =>
  left === null || right === null ? null : finiteOrNull(OPERATORS[sign](Number(left), Number(right)));

const finiteOrNull = (it: unknown) => (typeof it === "number" && !Number.isFinite(it) ? null : it);

const evaluateLike = (text: unknown, pieces: PatternPiece[]) =>
  typeof text === "string" ? matchesPattern(text, pieces) : null;
const isAmong = (it: unknown, values: unknown[]) => (it === null ? null : values.includes(it));

function compareValues(sign: Comparison, left: unknown, right: unknown): boolean | null {
  if (left === null || right === null) return null;
  if (typeof left === "object" || typeof right === "object" || typeof left !== typeof right) {
    const equal = isEqual(left, right);
    return sign === "=" ? equal : sign === "!=" ? !equal : null;
  }
  const order = typeof left === "string" ? compareTexts(left, String(right)) : Number(left) - Number(right);
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

/** Compares texts by code points, as the database does. JavaScript would sort surrogate pairs earlier. */
function compareTexts(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const [a, b] = [codeUnitRank(left.charCodeAt(at)), codeUnitRank(right.charCodeAt(at))];
  return Number.isNaN(a) || Number.isNaN(b) ? left.length - right.length : a - b;
}

const codeUnitRank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/** Whether two JSON values or shapes are equal. */
function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [Object.keys(left), Object.keys(right)];
  return (
    a.length === b.length &&
    a.every((key) => Object.hasOwn(right, key) && isEqual(Reflect.get(left, key), Reflect.get(right, key)))
  );
}
