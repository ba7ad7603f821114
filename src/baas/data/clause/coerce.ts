import { type MessageDescriptor, msg } from "#platform/messages";
import { getOwnProperty } from "#platform/objects";
import { clauseFaultAt, truncateQuote } from "./clause-errors.ts";
import { parseDate, clampDate } from "./clause-dates.ts";
import type { ValueKind, Term } from "./clause-terms.ts";
import { parseWkt } from "./wkt.ts";

const KIND_NAMES: Record<ValueKind, MessageDescriptor> = {
  text: msg("a text"),
  number: msg("a number"),
  boolean: msg("TRUE or FALSE"),
  date: msg("a date"),
  json: msg("JSON"),
  geometry: msg("a shape"),
  null: msg("NULL"),
};

/** The kind in which values of two different kinds are compared. Pairs not listed cannot be compared. */
const COMMON_KINDS: Record<string, ValueKind> = {
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
 * Converts both sides of a comparison to one kind; a literal is converted to the kind of the other side.
 * @throws `invalid` for incomparable kinds
 */
export function unifyKinds<R>(left: Term<R>, right: Term<R>, at: number): [Term<R>, Term<R>] {
  if (left.kind === right.kind || left.kind === "null" || right.kind === "null") return [left, right];
  if (right.is === "value") return unifyWithLiteral(left, right, at);
  if (left.is === "value") {
    const [one, other] = unifyWithLiteral(right, left, at);
    return [other, one];
  }
  const common = COMMON_KINDS[[left.kind, right.kind].sort().join(" ")];
  if (!common)
    throw clauseFaultAt(
      at,
      msg("{kind} cannot be compared with {other}.", {
        kind: KIND_NAMES[left.kind],
        other: KIND_NAMES[right.kind],
      }),
    );
  return [castTerm(left, common), castTerm(right, common)];
}

function unifyWithLiteral<R>(
  term: Term<R>,
  literal: Extract<Term<R>, { is: "value" }>,
  at: number,
): [Term<R>, Term<R>] {
  // JSON and texts are converted to the kind of the literal, for example `profile->'$.age' > 30` or a header
  // compared with a number.
  if (term.kind === "json" && literal.kind !== "geometry") return [castTerm(term, literal.kind), literal];
  if (term.kind === "text" && literal.kind === "number") return [castTerm(term, "number"), literal];
  return [term, convertLiteral(literal, term.kind, at)];
}

/**
 * Converts a literal to another kind, for example a text to a date, or 1 to TRUE.
 * @throws `invalid` if it cannot be converted
 */
export function convertLiteral<R>(
  { value, kind }: Extract<Term<R>, { is: "value" }>,
  valueKind: ValueKind,
  at: number,
): Term<R> {
  const read = kind === valueKind ? value : convertText(String(value), kind, valueKind);
  if (read === null)
    throw clauseFaultAt(
      at,
      msg("{typed} is not {kind}.", {
        typed: truncateQuote(String(value)),
        kind: KIND_NAMES[valueKind],
      }),
    );
  return { is: "value", kind: valueKind, value: read };
}

function convertText(text: string, from: ValueKind, valueKind: ValueKind) {
  if (valueKind === "text") return text;
  if (valueKind === "number" && from === "boolean") return text === "true" ? 1 : 0;
  if (valueKind === "number") return parseNumber(text);
  if (valueKind === "boolean") return getOwnProperty(BOOLEAN_TEXTS, text.toLowerCase()) ?? null;
  if (valueKind === "date") return from === "boolean" ? null : parseDateText(text);
  return valueKind === "geometry" && from === "text" ? parseWkt(text) : null;
}

const BOOLEAN_TEXTS: Record<string, boolean> = { true: true, false: false, "1": true, "0": false };

function parseDateText(text: string): number | null {
  const ms = parseNumber(text);
  return ms === null ? parseDate(text) : clampDate(ms);
}

/** Pattern of a text that is a number. PostgreSQL uses the same pattern. */
const NUMBER_PATTERN = /^ *([+-]?(?:\d{1,200}(?:\.\d{0,200})?|\.\d{1,200})(?:[eE][+-]?\d{1,2})?) *$/;
export const SQL_NUMBER_PATTERN = NUMBER_PATTERN.source;
export const parseNumber = (text: string): number | null => (NUMBER_PATTERN.test(text) ? Number(text) : null);

/** Converts a term to a kind; values that cannot be converted become null. */
export function castTerm<R>(term: Term<R>, kind: ValueKind): Term<R> {
  if (term.kind === "null") return { is: "value", kind, value: null };
  return term.kind === kind ? term : { is: "cast", kind, of: term };
}

/**
 * Converts a term to the required kind.
 * @throws `invalid` if that is not possible
 */
export function requireValueType<R>(term: Term<R>, kind: ValueKind, at: number): Term<R> {
  if (term.kind === kind || term.kind === "null") return castTerm(term, kind);
  if (term.is === "value") return convertLiteral(term, kind, at);
  if (CASTS.has(`${term.kind} ${kind}`)) return castTerm(term, kind);
  throw clauseFaultAt(
    at,
    msg("expected {other}, found {kind}.", {
      kind: KIND_NAMES[term.kind],
      other: KIND_NAMES[kind],
    }),
  );
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
