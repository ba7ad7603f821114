import { msg } from "#platform/messages";
import { clauseFault, truncateQuote } from "./clause-errors.ts";

/** Maximum characters of a clause. */
export const MAX_CLAUSE_LENGTH = 32_000;

/** A token; `at` is the position in characters from 0. */
export type Token = { kind: "text" | "number" | "sign" | "name" | "end"; is: string; at: number };

/** A quoted text, a number, a name or a sign, after white space. */
const TOKEN = new RegExp(
  String.raw`\s*(?:'([^']*(?:''[^']*)*)'|((?:\d+(?:\.\d*)?` +
    String.raw`|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_$])|([\p{L}_$][\p{L}\p{N}_$]*)|(->|!=|<>` +
    String.raw`|<=|>=|=>|[-=<>+*/%(),.[\]&]))`,
  "uy",
);
/** Characters that PostgreSQL cannot store: NUL and lone surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/u;
const SPACE = /\s*$/y;

/**
 * Splits a clause into tokens.
 * @throws `invalid` with the position of an invalid token, and for too long a clause
 */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_CLAUSE_LENGTH)
    throw clauseFault(msg("A clause can have {count} characters at most.", { count: MAX_CLAUSE_LENGTH }));
  const stray = text.search(UNSTORABLE);
  if (stray >= 0) throw unreadableToken(text, stray);
  const tokens: Token[] = [];
  let at = 0;
  while (!endsAfter(text, at)) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw unreadableToken(text, at);
    at = TOKEN.lastIndex;
    tokens.push(createToken(match, at));
  }
  return [...tokens, { kind: "end", is: "", at: text.length }];
}

function endsAfter(text: string, at: number): boolean {
  SPACE.lastIndex = at;
  return SPACE.test(text);
}

function createToken([, text, number, name, sign]: RegExpExecArray, end: number): Token {
  if (text !== undefined) return { kind: "text", is: text.replaceAll("''", "'"), at: end - text.length - 2 };
  if (number !== undefined) return { kind: "number", is: number, at: end - number.length };
  if (name !== undefined) return { kind: "name", is: name, at: end - name.length };
  return { kind: "sign", is: sign!, at: end - sign!.length };
}

function unreadableToken(text: string, from: number) {
  const rest = text.slice(from).trimStart();
  return clauseFault(
    msg("Character {place} of the clause cannot be read: {rest}", {
      place: text.length - rest.length + 1,
      rest: truncateQuote(rest),
    }),
  );
}
