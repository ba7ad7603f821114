import type { Filter } from "#community/search";
import { SearchApiError } from "../search-api-error.ts";
import { type FilterToken, tokenizeFilter, unexpectedToken } from "./filter-tokens.ts";

/** Maximum conditions per call. */
export const MAX_FILTERS = 1_000;
/** Maximum nesting of parentheses. */
const MAX_DEPTH = 20;
/** Largest number that the protocol accepts. */
const MAX_NUMBER = 4_611_686_018_427_387;

export const COMPARISONS = ["<", "<=", "=", "!=", ">=", ">"] as const;
type Comparison = (typeof COMPARISONS)[number];

/** Attribute that contains the tags. */
export const TAGS_ATTRIBUTE = "_tags";

export const facetFilter = (attribute: string, value: string): Filter => ({ facet: attribute, value });
export const allFilters = (parts: Filter[]): Filter => (parts.length === 1 ? parts[0]! : { and: parts });
export const anyFilter = (parts: Filter[]): Filter => (parts.length === 1 ? parts[0]! : { or: parts });

/** Reads the tokens of one filter parameter. A class, because it holds the position. */
class TokenReader {
  readonly name: string;
  readonly #tokens: FilterToken[];
  #at = 0;
  #count = 0;

  constructor(name: string, text: string) {
    this.name = name;
    this.#tokens = tokenizeFilter(name, text);
  }

  peek(ahead = 0): FilterToken {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  take(): FilterToken {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Consumes the next token if it is this sign, or this unquoted word in capitals. */
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
    if (++this.#count > MAX_FILTERS)
      throw new SearchApiError(400, `${this.name}: Too many filters, at most ${MAX_FILTERS}`);
  }

  fail(wanted: string): SearchApiError {
    return unexpectedToken(this.name, this.peek(), wanted);
  }
}

/**
 * Parses `filters` to a tree: AND of OR groups, so that `A AND B OR C` is `A AND (B OR C)`. Null for no
 * condition.
 * @throws 400 with the column of the unexpected token
 */
export function parseFilters(text: string, name = "filters"): Filter | null {
  const reader = new TokenReader(name, text);
  if (reader.peek().kind === "end") return null;
  const filter = parseConjunction(reader, 0);
  if (reader.peek().kind !== "end") throw reader.fail("end of filter");
  return filter;
}

function parseConjunction(reader: TokenReader, depth: number): Filter {
  if (depth > MAX_DEPTH)
    throw new SearchApiError(
      400,
      `${reader.name}: Too many parentheses at col ${reader.peek().at}, at most ${MAX_DEPTH}`,
    );
  const parts = [parseDisjunction(reader, depth)];
  while (reader.takes("AND")) parts.push(parseDisjunction(reader, depth));
  return allFilters(parts);
}

function parseDisjunction(reader: TokenReader, depth: number): Filter {
  const parts = [parseUnary(reader, depth)];
  while (reader.takes("OR")) parts.push(parseUnary(reader, depth));
  return anyFilter(parts);
}

const parseUnary = (reader: TokenReader, depth: number): Filter =>
  reader.takes("NOT") ? { not: parseAtom(reader, depth) } : parseAtom(reader, depth);

function parseAtom(reader: TokenReader, depth: number): Filter {
  if (reader.takes("(")) {
    const inner = parseConjunction(reader, depth + 1);
    if (!reader.takes(")")) throw reader.fail(")");
    return inner;
  }
  reader.count();
  const attribute = readWord(reader, "an attribute, a tag, NOT or (");
  const found = parseCondition(reader, attribute);
  skipWeight(reader);
  return found;
}

function parseCondition(reader: TokenReader, attribute: string): Filter {
  if (reader.takes(":")) return parseRange(reader, attribute);
  const operator = COMPARISONS.find((it) => reader.peek().kind === "sign" && reader.peek().is === it);
  if (operator === undefined || isWeight(reader)) return facetFilter(TAGS_ATTRIBUTE, attribute);
  reader.take();
  return comparisonFilter(attribute, operator, readNumber(reader));
}

/** Parses what follows a colon: a value, or a range of two numbers with TO between them. */
function parseRange(reader: TokenReader, attribute: string): Filter {
  const next = reader.peek(1);
  if (next.kind === "bare" && next.is === "TO") {
    const from = readNumber(reader);
    reader.take();
    return rangeFilter(attribute, from, readNumber(reader));
  }
  return facetFilter(attribute, readWord(reader, "a value"));
}

export const comparisonFilter = (attribute: string, operator: Comparison, to: number): Filter => ({
  number: attribute,
  is: operator,
  to,
});

export const rangeFilter = (attribute: string, from: number, to: number): Filter => ({
  and: [comparisonFilter(attribute, ">=", from), comparisonFilter(attribute, "<=", to)],
});

/** `<score=3>`, the weight of an optional filter: parsed and ignored. */
function skipWeight(reader: TokenReader) {
  if (!isWeight(reader)) return;
  for (const _ of ["<", "score", "="]) reader.take();
  readNumber(reader);
  if (!reader.takes(">")) throw reader.fail(">");
}

const isWeight = (reader: TokenReader) =>
  reader.peek().is === "<" &&
  reader.peek(1).is === "score" &&
  reader.peek(2).is === "=" &&
  reader.peek().kind === "sign";

const RESERVED_WORDS = ["AND", "OR", "NOT", "TO"];

function readWord(reader: TokenReader, wanted: string): string {
  const { kind, is } = reader.peek();
  if (kind === "quoted" || (kind === "bare" && !RESERVED_WORDS.includes(is))) return reader.take().is;
  throw reader.fail(wanted);
}

function readNumber(reader: TokenReader): number {
  const { kind, is } = reader.peek();
  const value = kind === "bare" ? parseNumber(is) : null;
  if (value === null) throw reader.fail("a number");
  reader.take();
  return value;
}

/** Parses a number; null for other texts and for numbers beyond the limit. */
export function parseNumber(text: string): number | null {
  if (!/^-?\d{1,17}(?:\.\d{1,17})?$/.test(text)) return null;
  const value = Number(text);
  return Math.abs(value) <= MAX_NUMBER ? value : null;
}
