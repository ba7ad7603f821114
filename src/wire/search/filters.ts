import type { Filter } from "#community/search";
import { Fault } from "./fault.ts";
import { type Token, tokensOf, unexpected } from "./filter-tokens.ts";

/** Maximum conditions per call, and nesting of parentheses. */
export const MOST_FILTERS = 1_000;
const DEEPEST = 20;
/** The protocol refuses larger numbers. */
const LARGEST = 4_611_686_018_427_387;

const COMPARISONS = ["<", "<=", "=", "!=", ">=", ">"] as const;
type Comparison = (typeof COMPARISONS)[number];

/** Tags are values of this attribute. */
export const TAGS = "_tags";

export const facet = (attribute: string, value: string): Filter => ({ facet: attribute, value });
export const both = (parts: Filter[]): Filter => (parts.length === 1 ? parts[0]! : { and: parts });
export const either = (parts: Filter[]): Filter => (parts.length === 1 ? parts[0]! : { or: parts });

/** Token reader for one parameter. */
class Reader {
  readonly name: string;
  readonly #tokens: Token[];
  #at = 0;
  #count = 0;

  constructor(name: string, text: string) {
    this.name = name;
    this.#tokens = tokensOf(name, text);
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  take(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Consumes the next token if it is this sign, or this word in bare capitals. */
  takes(is: string): boolean {
    const found = this.#is(is);
    if (found) this.#at += 1;
    return found;
  }

  #is(is: string): boolean {
    const token = this.peek();
    return token.is === is && (token.kind === "sign" || token.kind === "bare");
  }

  count() {
    if (++this.#count > MOST_FILTERS) throw new Fault(400, `${this.name}: Too many filters, at most ${MOST_FILTERS}`);
  }

  fail(wanted: string): Fault {
    return unexpected(this.name, this.peek(), wanted);
  }
}

/**
 * Parses `filters` to a tree: AND of OR groups, so that `A AND B OR C` is `A AND (B OR C)`. Null for no
 * condition.
 * @throws 400 with the column of the unexpected token
 */
export function parseFilters(text: string, name = "filters"): Filter | null {
  const reader = new Reader(name, text);
  if (reader.peek().kind === "end") return null;
  const filter = conjunction(reader, 0);
  if (reader.peek().kind !== "end") throw reader.fail("end of filter");
  return filter;
}

function conjunction(reader: Reader, depth: number): Filter {
  if (depth > DEEPEST) throw new Fault(400, `${reader.name}: Too many parentheses at col ${reader.peek().at}, at most ${DEEPEST}`);
  const parts = [disjunction(reader, depth)];
  while (reader.takes("AND")) parts.push(disjunction(reader, depth));
  return both(parts);
}

function disjunction(reader: Reader, depth: number): Filter {
  const parts = [unary(reader, depth)];
  while (reader.takes("OR")) parts.push(unary(reader, depth));
  return either(parts);
}

const unary = (reader: Reader, depth: number): Filter => (reader.takes("NOT") ? { not: atom(reader, depth) } : atom(reader, depth));

function atom(reader: Reader, depth: number): Filter {
  if (reader.takes("(")) {
    const inner = conjunction(reader, depth + 1);
    if (!reader.takes(")")) throw reader.fail(")");
    return inner;
  }
  reader.count();
  const attribute = word(reader, "an attribute, a tag, NOT or (");
  const found = condition(reader, attribute);
  weight(reader);
  return found;
}

function condition(reader: Reader, attribute: string): Filter {
  if (reader.takes(":")) return ranged(reader, attribute);
  const operator = COMPARISONS.find((it) => reader.peek().kind === "sign" && reader.peek().is === it);
  if (operator === undefined || isWeight(reader)) return facet(TAGS, attribute);
  reader.take();
  return compared(attribute, operator, number(reader));
}

/** After a colon: a value, or two numbers with TO between them. */
function ranged(reader: Reader, attribute: string): Filter {
  const next = reader.peek(1);
  if (next.kind === "bare" && next.is === "TO") {
    const from = number(reader);
    reader.take();
    return between(attribute, from, number(reader));
  }
  return facet(attribute, word(reader, "a value"));
}

export const compared = (attribute: string, operator: Comparison, to: number): Filter => ({ number: attribute, is: operator, to });

export const between = (attribute: string, from: number, to: number): Filter => ({
  and: [compared(attribute, ">=", from), compared(attribute, "<=", to)],
});

/** `<score=3>`, the weight of an optional filter: parsed and ignored. */
function weight(reader: Reader) {
  if (!isWeight(reader)) return;
  for (const _ of ["<", "score", "="]) reader.take();
  number(reader);
  if (!reader.takes(">")) throw reader.fail(">");
}

const isWeight = (reader: Reader) =>
  reader.peek().is === "<" && reader.peek(1).is === "score" && reader.peek(2).is === "=" && reader.peek().kind === "sign";

const RESERVED = ["AND", "OR", "NOT", "TO"];

function word(reader: Reader, wanted: string): string {
  const { kind, is } = reader.peek();
  if (kind === "quoted" || (kind === "bare" && !RESERVED.includes(is))) return reader.take().is;
  throw reader.fail(wanted);
}

function number(reader: Reader): number {
  const { kind, is } = reader.peek();
  const value = kind === "bare" ? numberOf(is) : null;
  if (value === null) throw reader.fail("a number");
  reader.take();
  return value;
}

/** Null for anything but a number within the limit. */
export function numberOf(text: string): number | null {
  if (!/^-?\d{1,17}(?:\.\d{1,17})?$/.test(text)) return null;
  const value = Number(text);
  return Math.abs(value) <= LARGEST ? value : null;
}
