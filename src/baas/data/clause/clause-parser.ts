import { msg } from "#platform/messages";
import { clauseFault, clauseFaultAt, truncateQuote } from "./clause-errors.ts";
import type { Comparison, ArithmeticOperator, SyntaxNode } from "./clause-syntax.ts";
import { type Token, tokenize } from "./clause-tokens.ts";

/** Nesting of parentheses, calls and negations. */
const MAX_DEPTH = 60;
/** Arithmetic operations in one clause, few enough that no number overflows. */
const MAX_SUMS = 40;
/** Values of one list. */
export const MAX_LISTED = 1_000;

const COMPARISONS: Record<string, Comparison> = {
  "=": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  "=>": ">=",
};

/** An item of a projection, order or grouping: an expression with its alias or direction. */
export type ListItem = {
  of: SyntaxNode | "*";
  text: string;
  alias: string | null;
  direction: "asc" | "desc" | null;
};

/**
 * Parses a clause.
 * @throws `invalid` with position and reason, and nothing else
 */
export function parseClause(text: string): SyntaxNode {
  const parser = new Parser(text);
  const clause = parser.either();
  parser.end("AND, OR or the end");
  return clause;
}

/** Parses a list of expressions: `name, age as years, created desc`, `*`. An empty text is an empty list. */
export function parseList(text: string, beside: "alias" | "direction" | "nothing"): ListItem[] {
  if (text.trim() === "") return [];
  const parser = new Parser(text);
  const list = parser.listed(beside);
  parser.end("a comma or the end");
  return list;
}

/** A class, because it holds the position. */
class Parser {
  readonly #text: string;
  readonly #tokens: Token[];
  #next = 0;
  #depth = 0;
  #sums = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  either(): SyntaxNode {
    return this.#deeper(() => this.#joined("or", () => this.#joined("and", () => this.#negated())));
  }

  end(expected: string): void {
    if (this.#here.kind !== "end") throw this.#expected(expected);
  }

  listed(beside: "alias" | "direction" | "nothing"): ListItem[] {
    const list: ListItem[] = [];
    do {
      if (list.length === MAX_LISTED)
        throw clauseFault(msg("A list can have {count} entries at most.", { count: MAX_LISTED }));
      const from = this.#here.at;
      const of = beside === "alias" && this.#takeSign("*") ? "*" : this.either();
      const text = this.#text.slice(from, this.#here.at).trim();
      list.push({
        of,
        text,
        alias: beside === "alias" ? this.#alias() : null,
        direction: beside === "direction" ? this.#direction() : null,
      });
    } while (this.#takeSign(","));
    return list;
  }

  #alias(): string | null {
    return this.#takeWord("as") ? this.#name("a name") : null;
  }

  #direction(): "asc" | "desc" | null {
    if (this.#takeWord("asc")) return "asc";
    return this.#takeWord("desc") ? "desc" : null;
  }

  #joined(word: "and" | "or", next: () => SyntaxNode): SyntaxNode {
    const { at } = this.#here;
    const parts = [next()];
    while (this.#takeWord(word) || (word === "and" && this.#takeSign("&"))) parts.push(next());
    return parts.length === 1 ? parts[0]! : { is: word, at, parts };
  }

  #negated(): SyntaxNode {
    const { at } = this.#here;
    if (!this.#takeWord("not")) return this.#predicate();
    return { is: "not", at, of: this.#deeper(() => this.#negated()) };
  }

  #predicate(): SyntaxNode {
    const of = this.#sum();
    const { at } = this.#here;
    const sign = this.#here.kind === "sign" ? COMPARISONS[this.#here.is] : undefined;
    if (sign) {
      this.#next++;
      return { is: "compare", at, sign, left: of, right: this.#sum() };
    }
    if (this.#takeWord("is")) return this.#nullness(of, at);
    if (this.#takeWord("not"))
      return { is: "not", at, of: this.#membership(of, at) ?? this.#fail("LIKE, IN or BETWEEN") };
    return this.#membership(of, at) ?? this.#inTime(of, at) ?? of;
  }

  #nullness(of: SyntaxNode, at: number): SyntaxNode {
    const negated = this.#takeWord("not");
    if (!this.#takeWord("null")) throw this.#expected("NULL");
    const isNull: SyntaxNode = { is: "null", at, of };
    return negated ? { is: "not", at, of: isNull } : isNull;
  }

  #membership(of: SyntaxNode, at: number): SyntaxNode | null {
    if (this.#takeWord("like")) {
      if (this.#here.kind !== "text") throw this.#expected("a text in quotes");
      return { is: "like", at, of, pattern: this.#take().is };
    }
    if (this.#takeWord("in")) {
      this.#sign("(");
      return { is: "in", at, of, list: this.#several(")") };
    }
    if (!this.#takeWord("between")) return null;
    const from = this.#sum();
    if (!this.#takeWord("and")) throw this.#expected("AND");
    return { is: "between", at, of, from, to: this.#sum() };
  }

  /** `after`, `before`, `at or after`, `at or before`. */
  #inTime(of: SyntaxNode, at: number): SyntaxNode | null {
    const inclusive = this.#takeWord("at");
    if (inclusive && !this.#takeWord("or")) throw this.#expected("OR");
    const after = this.#takeWord("after");
    if (!after && !this.#takeWord("before")) return inclusive ? this.#fail("AFTER or BEFORE") : null;
    const sign = `${after ? ">" : "<"}${inclusive ? "=" : ""}` as Comparison;
    return { is: "compare", at, sign, left: of, right: this.#sum() };
  }

  #sum(): SyntaxNode {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/", "%"], () => this.#factor()));
  }

  #chain(signs: readonly ArithmeticOperator[], next: () => SyntaxNode): SyntaxNode {
    let left = next();
    for (;;) {
      const { at } = this.#here;
      const sign = signs.find((it) => this.#takeSign(it));
      if (!sign) return left;
      if (++this.#sums > MAX_SUMS)
        throw clauseFault(msg("A clause can calculate {count} times at most.", { count: MAX_SUMS }));
      left = { is: "sum", at, sign, left, right: next() };
    }
  }

  #factor(): SyntaxNode {
    const token = this.#here;
    const { at } = token;
    if (token.kind === "text") return { is: "literal", at, value: this.#take().is };
    if (token.kind === "number") return this.#number(1);
    if (token.kind === "name") return this.#named();
    if (this.#takeSign("-")) return this.#negative(at);
    if (!this.#takeSign("(")) return this.#fail("a value");
    const inner = this.either();
    this.#sign(")");
    return inner;
  }

  #negative(at: number): SyntaxNode {
    if (this.#here.kind === "number") return { ...this.#number(-1), at };
    return {
      is: "sum",
      at,
      sign: "-",
      left: { is: "literal", at, value: 0 },
      right: this.#deeper(() => this.#factor()),
    };
  }

  #number(by: 1 | -1): SyntaxNode {
    const { at, is } = this.#take();
    const value = by * Number(is);
    if (!Number.isFinite(value))
      throw clauseFault(
        msg("The number at character {place} of the clause is too large.", { place: at + 1 }),
      );
    return { is: "literal", at, value };
  }

  #named(): SyntaxNode {
    const { at, is } = this.#take();
    if (this.#takeSign("(")) return this.#call(is, at);
    const word = is.toLowerCase();
    const isPath = this.#isSign(".") || this.#isSign("[") || this.#isSign("->");
    if (!isPath && word === "null") return { is: "literal", at, value: null };
    if (!isPath && (word === "true" || word === "false"))
      return { is: "literal", at, value: word === "true" };
    if (["and", "or", "not"].includes(word)) throw this.#expectedAt("a value", this.#tokens[this.#next - 1]!);
    return this.#path(is, at);
  }

  #call(name: string, at: number): SyntaxNode {
    if (this.#takeSign("*")) {
      this.#sign(")");
      return { is: "call", at, name, args: [], star: true };
    }
    return { is: "call", at, name, args: this.#takeSign(")") ? [] : this.#several(")"), star: false };
  }

  #path(first: string, at: number): SyntaxNode {
    const inverse = this.#takeSign("[")
      ? { table: first, relation: this.#name("the name of a relation") }
      : undefined;
    const names = inverse ? [] : [first];
    if (inverse) {
      this.#sign("]");
      this.#sign(".");
      names.push(this.#name("the name of a column"));
    }
    while (this.#takeSign(".")) names.push(this.#name("the name of a column"));
    const path: SyntaxNode = { is: "path", at, names, ...(inverse && { inverse }) };
    if (!this.#takeSign("->")) return path;
    if (this.#here.kind !== "text") throw this.#expected("a JSON path in quotes");
    return { ...path, json: this.#take().is };
  }

  #several(end: ")"): SyntaxNode[] {
    const list = [this.either()];
    while (this.#takeSign(",")) {
      if (list.length === MAX_LISTED)
        throw clauseFault(msg("A list can have {count} values at most.", { count: MAX_LISTED }));
      list.push(this.either());
    }
    this.#sign(end);
    return list;
  }

  #deeper<T>(work: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw clauseFault(msg("A clause can be {count} levels deep at most.", { count: MAX_DEPTH }));
    const result = work();
    this.#depth--;
    return result;
  }

  get #here(): Token {
    return this.#tokens[this.#next]!;
  }

  #take(): Token {
    return this.#tokens[this.#next++]!;
  }

  #isSign = (sign: string) => this.#here.kind === "sign" && this.#here.is === sign;

  #takeSign(sign: string): boolean {
    const is = this.#isSign(sign);
    if (is) this.#next++;
    return is;
  }

  #takeWord(word: string): boolean {
    const is =
      this.#here.kind === "name" &&
      this.#here.is.length === word.length &&
      this.#here.is.toLowerCase() === word;
    if (is) this.#next++;
    return is;
  }

  #sign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#expected(sign);
  }

  #name(what: string): string {
    if (this.#here.kind !== "name") throw this.#expected(what);
    return this.#take().is;
  }

  #fail(what: string): never {
    throw this.#expected(what);
  }

  #expected = (what: string) => this.#expectedAt(what, this.#here);

  #expectedAt(what: string, { kind, is, at }: Token) {
    if (kind === "end") return clauseFaultAt(at, msg("it ends, where {what} was expected.", { what }));
    return clauseFault(
      msg("At character {place} of the clause there is {stands}, where {what} was expected.", {
        place: at + 1,
        stands: truncateQuote(is),
        what,
      }),
    );
  }
}
