import { Fault } from "./fault.ts";

/** A bare or quoted word, or a sign. `at` is its column, from one. */
export type Token = { kind: "bare" | "quoted" | "sign" | "end"; is: string; at: number };

/** Optional white space, then a sign, a quoted text with backslash escapes, or a word. */
const TOKEN = /(\s*)(?:(<=|>=|!=|[()<>=:])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()<>=:!"'](?:[^\s()<>=:!]|!(?!=))*))/sy;

/**
 * Splits filters into tokens.
 * @throws 400 with the column of an invalid character
 */
export function tokensOf(name: string, text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw broken(name, text, from);
    const [, space, sign, double, single, bare] = match;
    const at = from + space!.length + 1;
    const quoted = double ?? single;
    if (sign !== undefined) tokens.push({ kind: "sign", is: sign, at });
    else if (quoted !== undefined) tokens.push({ kind: "quoted", is: quoted.replace(/\\(.)/gs, "$1"), at });
    else tokens.push({ kind: "bare", is: bare!, at });
  }
  return [...tokens, { kind: "end", is: "", at: end + 1 }];
}

function broken(name: string, text: string, from: number): Fault {
  const at = from + text.slice(from).search(/\S/);
  return unexpected(name, { kind: "bare", is: text[at]!, at: at + 1 }, "a word, or a text in quotes that ends");
}

const SHOWN: Record<Token["kind"], (it: string) => string> = {
  bare: (it) => `string(${it.slice(0, 60)})`,
  quoted: (it) => `string(${JSON.stringify(it.slice(0, 60))})`,
  sign: (it) => it,
  end: () => "end of filter",
};

export const unexpected = (name: string, { kind, is, at }: Token, wanted: string) =>
  new Fault(400, `${name}: Unexpected token ${SHOWN[kind](is)} expected ${wanted} at col ${at}`);
