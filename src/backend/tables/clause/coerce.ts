import { getOwn } from "#platform/own-property";
import { clauseFault, quoted } from "./fault.ts";
import { readDate, withinTime } from "./dates.ts";
import type { Kind, Term } from "./tree.ts";
import { readWkt } from "./wkt.ts";

const NAMES: Record<Kind, string> = {
  text: "a text",
  number: "a number",
  boolean: "TRUE or FALSE",
  date: "a date",
  json: "JSON",
  geometry: "a shape",
  null: "NULL",
};

/** The kind in which two different kinds are compared; other pairs are incomparable. */
const COMMON: Record<string, Kind> = {
  "number text": "number",
  "boolean text": "text",
  "boolean number": "number",
  "date number": "number",
  "date json": "number",
  "json text": "text",
  "json number": "number",
  "boolean json": "boolean",
};

/**
 * Both sides of a comparison in one kind; a literal takes that of the other side.
 * @throws `invalid` for incomparable kinds
 */
export function together<R>(left: Term<R>, right: Term<R>, at: number): [Term<R>, Term<R>] {
  if (left.kind === right.kind || left.kind === "null" || right.kind === "null") return [left, right];
  if (right.is === "value") return literalBeside(left, right, at);
  if (left.is === "value") return literalBeside(right, left, at).toReversed() as [Term<R>, Term<R>];
  const common = COMMON[[left.kind, right.kind].sort().join(" ")];
  if (!common) throw clauseFault(`At character ${at + 1} of the clause ${NAMES[left.kind]} is compared with ${NAMES[right.kind]}.`);
  return [cast(left, common), cast(right, common)];
}

function literalBeside<R>(term: Term<R>, literal: Extract<Term<R>, { is: "value" }>, at: number): [Term<R>, Term<R>] {
  // JSON and texts take the kind they are compared with: `profile->'$.age' > 30`, a header with a number.
  if (term.kind === "json" && literal.kind !== "geometry") return [cast(term, literal.kind), literal];
  if (term.kind === "text" && literal.kind === "number") return [cast(term, "number"), literal];
  return [term, literalAs(literal, term.kind, at)];
}

/**
 * A literal in another kind: a date from a text, TRUE from 1.
 * @throws `invalid` if it does not convert
 */
export function literalAs<R>({ value, kind }: Extract<Term<R>, { is: "value" }>, wanted: Kind, at: number): Term<R> {
  const read = kind === wanted ? value : readAs(String(value), kind, wanted);
  if (read === null)
    throw clauseFault(`At character ${at + 1} of the clause stands ${quoted(String(value))}, which is not ${NAMES[wanted]}.`);
  return { is: "value", kind: wanted, value: read };
}

function readAs(text: string, from: Kind, wanted: Kind) {
  if (wanted === "text") return text;
  if (wanted === "number" && from === "boolean") return text === "true" ? 1 : 0;
  if (wanted === "number") return numberOf(text);
  if (wanted === "boolean") return getOwn(TRUTH, text.toLowerCase()) ?? null;
  if (wanted === "date") return from === "boolean" ? null : dateOf(text);
  return wanted === "geometry" && from === "text" ? readWkt(text) : null;
}

const TRUTH: Record<string, boolean> = { true: true, false: false, "1": true, "0": false };

function dateOf(text: string): number | null {
  const ms = numberOf(text);
  return ms === null ? readDate(text) : withinTime(ms);
}

/** A number within a text; the other constant is the same pattern for PostgreSQL. */
const NUMBER = /^ *([+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:[eE][+-]?\d{1,2})?) *$/;
export const NUMBER_IN_TEXT = NUMBER.source;
export const numberOf = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null);

/** Converts a term to a kind; values that do not convert become null. */
export function cast<R>(term: Term<R>, kind: Kind): Term<R> {
  if (term.kind === "null") return { is: "value", kind, value: null };
  return term.kind === kind ? term : { is: "cast", kind, of: term };
}

/**
 * Requires a term of one kind.
 * @throws `invalid` for another kind that does not convert
 */
export function demand<R>(term: Term<R>, kind: Kind, at: number): Term<R> {
  if (term.kind === kind || term.kind === "null") return cast(term, kind);
  if (term.is === "value") return literalAs(term, kind, at);
  if (CASTS.has(`${term.kind} ${kind}`)) return cast(term, kind);
  throw clauseFault(`At character ${at + 1} of the clause stands ${NAMES[term.kind]}, where ${NAMES[kind]} was expected.`);
}

const CASTS = new Set([
  "text number",
  "boolean number",
  "date number",
  "json number",
  "number text",
  "boolean text",
  "date text",
  "json text",
  "json boolean",
]);
