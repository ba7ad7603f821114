import { Refusal } from "#platform/refusal";

export type Value = string | number | boolean | null;
/** A condition on one record, as a tree. */
export type Clause = { and: Clause[] } | { or: Clause[] } | { column: string; in: Value[] };

const LONGEST = 4_000;
const DEEPEST = 20;
/** One word of the language each: a text in quotes, a number, a sign, a name; white space between them. */
const TOKEN = /\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)(?![\w.])|([=(),])|([A-Za-z_]\w*))/y;

type Token = { kind: "text" | "number" | "sign" | "name" | "end"; is: string; at: number };

const fault = (message: string) => new Refusal("invalid", message);

/**
 * Reads a condition: `column = value` and `column in (…)`, joined by `and`, `or` and parentheses. Throws `invalid` with the
 * place and the reason for whatever else, and for a column that the table does not have.
 */
export function parseWhere(text: string, columns: readonly string[]): Clause {
  if (text.length > LONGEST) throw fault(`A condition can have ${LONGEST} characters at most.`);
  const tokens = tokensOf(text);
  const clause = either(tokens, columns, 0);
  if (tokens[0]!.kind !== "end") throw expected("AND, OR or the end", tokens[0]!);
  return clause;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ""; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    if (!match) throw fault(`Character ${at + 1} of the condition cannot be read: ${text.slice(at).trim().slice(0, 20)}`);
    const [, quoted, number, sign, name] = match;
    if (quoted !== undefined) tokens.push({ kind: "text", is: quoted.replaceAll("''", "'"), at });
    else if (number !== undefined) tokens.push({ kind: "number", is: number, at });
    else tokens.push(sign === undefined ? { kind: "name", is: name!, at } : { kind: "sign", is: sign, at });
  }
  return [...tokens, { kind: "end", is: "", at: text.length }];
}

const expected = (what: string, { kind, is, at }: Token) =>
  fault(`At character ${at + 1} of the condition stands ${kind === "end" ? "its end" : is.slice(0, 40)}, where ${what} was expected.`);

const isWord = (token: Token, word: string) => token.kind === "name" && token.is.toLowerCase() === word;
const isSign = (token: Token, sign: string) => token.kind === "sign" && token.is === sign;

function either(tokens: Token[], columns: readonly string[], depth: number): Clause {
  if (depth > DEEPEST) throw fault(`A condition can be ${DEEPEST} parentheses deep at most.`);
  const parts = joined(tokens, "or", () => joinedByAnd(tokens, columns, depth));
  return parts.length === 1 ? parts[0]! : { or: parts };
}

function joinedByAnd(tokens: Token[], columns: readonly string[], depth: number): Clause {
  const parts = joined(tokens, "and", () => single(tokens, columns, depth));
  return parts.length === 1 ? parts[0]! : { and: parts };
}

function joined(tokens: Token[], word: string, next: () => Clause): Clause[] {
  const parts = [next()];
  while (isWord(tokens[0]!, word)) {
    tokens.shift();
    parts.push(next());
  }
  return parts;
}

function single(tokens: Token[], columns: readonly string[], depth: number): Clause {
  if (isSign(tokens[0]!, "(")) {
    tokens.shift();
    const inner = either(tokens, columns, depth + 1);
    take(tokens, ")");
    return inner;
  }
  const name = tokens.shift()!;
  if (name.kind !== "name") throw expected("the name of a column", name);
  if (!columns.includes(name.is)) throw fault(`Column '${name.is.slice(0, 60)}' does not exist here. There are ${columns.join(", ")}.`);
  if (isSign(tokens[0]!, "=")) {
    tokens.shift();
    return { column: name.is, in: [value(tokens)] };
  }
  if (!isWord(tokens[0]!, "in")) throw expected("= or IN", tokens[0]!);
  tokens.shift();
  take(tokens, "(");
  const values = [value(tokens)];
  while (isSign(tokens[0]!, ",")) {
    tokens.shift();
    values.push(value(tokens));
  }
  take(tokens, ")");
  return { column: name.is, in: values };
}

function take(tokens: Token[], sign: string) {
  const token = tokens.shift()!;
  if (!isSign(token, sign)) throw expected(sign, token);
}

function value(tokens: Token[]): Value {
  const token = tokens.shift()!;
  if (token.kind === "text") return token.is;
  if (token.kind === "number") return Number(token.is);
  for (const [word, is] of [
    ["true", true],
    ["false", false],
    ["null", null],
  ] as const)
    if (isWord(token, word)) return is;
  throw expected("a value", token);
}

/** Whether a record meets the condition. No condition is met by every record. */
export function meets(clause: Clause | null, record: Record<string, unknown>): boolean {
  if (clause === null) return true;
  if ("and" in clause) return clause.and.every((part) => meets(part, record));
  if ("or" in clause) return clause.or.some((part) => meets(part, record));
  return clause.in.some((wanted) => wanted === (record[clause.column] ?? null));
}

/** The texts that a record's columns must have for the condition to hold: what a subscription is filed under. */
export function equalities(clause: Clause | null): Map<string, string> {
  if (clause === null || "or" in clause) return new Map();
  if ("and" in clause) return new Map(clause.and.flatMap((part) => [...equalities(part)]));
  const [only] = clause.in;
  return clause.in.length === 1 && typeof only === "string" ? new Map([[clause.column, only]]) : new Map();
}
