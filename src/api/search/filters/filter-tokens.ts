import { SearchApiError } from "../search-api-error.ts";

/** A bare or quoted word, or a sign. `at` is its column, counted from 1. */
export type FilterToken = { kind: "bare" | "quoted" | "sign" | "end"; is: string; at: number };

/** Optional white space, then a sign, a quoted text with backslash escapes, or a word. */
const TOKEN_PATTERN =
  /(\s*)(?:(<=|>=|!=|[()<>=:])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()<>=:!"'](?:[^\s()<>=:!]|!(?!=))*))/sy;

/**
 * Splits filters into tokens.
 * @throws 400 with the column of an invalid character
 */
export function tokenizeFilter(name: string, text: string): FilterToken[] {
  const tokens: FilterToken[] = [];
  const end = text.trimEnd().length;
  TOKEN_PATTERN.lastIndex = 0;
  while (TOKEN_PATTERN.lastIndex < end) {
    const from = TOKEN_PATTERN.lastIndex;
    const match = TOKEN_PATTERN.exec(text);
    if (!match) throw invalidCharacter(name, text, from);
    const [, space, sign, double, single, bare] = match;
    const at = from + space!.length + 1;
    const quoted = double ?? single;
    if (sign !== undefined) tokens.push({ kind: "sign", is: sign, at });
    else if (quoted !== undefined) tokens.push({ kind: "quoted", is: quoted.replace(/\\(.)/gs, "$1"), at });
    else tokens.push({ kind: "bare", is: bare!, at });
  }
  return [...tokens, { kind: "end", is: "", at: end + 1 }];
}

function invalidCharacter(name: string, text: string, from: number): SearchApiError {
  const at = from + text.slice(from).search(/\S/);
  return unexpectedToken(
    name,
    { kind: "bare", is: text[at]!, at: at + 1 },
    "a word, or a closed quoted string",
  );
}

const DISPLAY_NAMES: Record<FilterToken["kind"], (it: string) => string> = {
  bare: (it) => `string(${it.slice(0, 60)})`,
  quoted: (it) => `string(${JSON.stringify(it.slice(0, 60))})`,
  sign: (it) => it,
  end: () => "end of filter",
};

export const unexpectedToken = (name: string, { kind, is, at }: FilterToken, wanted: string) =>
  new SearchApiError(
    400,
    `${name}: Unexpected token ${DISPLAY_NAMES[kind](is)} expected ${wanted} at col ${at}`,
  );
