import { msg } from "#platform/messages";
import { clauseFault } from "./clause-errors.ts";
import type { Comparison, ArithmeticOperator, SyntaxNode } from "./clause-syntax.ts";
import { TokenCursor } from "./token-cursor.ts";

/** Maximum nesting of parentheses, calls and negations. */
const MAX_DEPTH = 60;
/** Maximum arithmetic operations in one clause, few enough that no number overflows. */
const MAX_SUMS = 40;
/** Maximum values of one list. */
export const MAX_LIST_VALUES = 1_000;

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
 * @throws `invalid` with position and reason; never another error
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

/** A class, because it counts the nesting and the operations. */
class Parser {
  readonly #text: string;
  readonly #tokens: TokenCursor;
  #depth = 0;
  #sums = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = new TokenCursor(text);
  }

  either(): SyntaxNode {
    return this.#deeper(() => this.#joined("or", () => this.#joined("and", () => this.#negated())));
  }

  end(expected: string): void {
    if (this.#tokens.here.kind !== "end") throw this.#tokens.expected(expected);
  }

  listed(beside: "alias" | "direction" | "nothing"): ListItem[] {
    const list: ListItem[] = [];
    do {
      if (list.length === MAX_LIST_VALUES)
        throw clauseFault(msg("A list can have {count} entries at most.", { count: MAX_LIST_VALUES }));
      const from = this.#tokens.here.at;
      const of = beside === "alias" && this.#tokens.takeSign("*") ? "*" : this.either();
      const text = this.#text.slice(from, this.#tokens.here.at).trim();
      list.push({
        of,
        text,
        alias: beside === "alias" ? this.#alias() : null,
        direction: beside === "direction" ? this.#direction() : null,
      });
    } while (this.#tokens.takeSign(","));
    return list;
  }

  #alias(): string | null {
    return this.#tokens.takeWord("as") ? this.#tokens.expectName("a name") : null;
  }

  #direction(): "asc" | "desc" | null {
    if (this.#tokens.takeWord("asc")) return "asc";
    return this.#tokens.takeWord("desc") ? "desc" : null;
  }

  #joined(word: "and" | "or", next: () => SyntaxNode): SyntaxNode {
    const { at } = this.#tokens.here;
    const parts = [next()];
    while (this.#tokens.takeWord(word) || (word === "and" && this.#tokens.takeSign("&"))) parts.push(next());
    return parts.length === 1 ? parts[0]! : { is: word, at, parts };
  }

  #negated(): SyntaxNode {
    const { at } = this.#tokens.here;
    if (!this.#tokens.takeWord("not")) return this.#predicate();
    return { is: "not", at, of: this.#deeper(() => this.#negated()) };
  }

  #predicate(): SyntaxNode {
    const of = this.#sum();
    const { at } = this.#tokens.here;
    const sign = this.#tokens.here.kind === "sign" ? COMPARISONS[this.#tokens.here.is] : undefined;
    if (sign) {
      this.#tokens.take();
      return { is: "compare", at, sign, left: of, right: this.#sum() };
    }
    if (this.#tokens.takeWord("is")) return this.#nullness(of, at);
    if (this.#tokens.takeWord("not"))
      return { is: "not", at, of: this.#membership(of, at) ?? this.#tokens.fail("LIKE, IN or BETWEEN") };
    return this.#membership(of, at) ?? this.#inTime(of, at) ?? of;
  }

  #nullness(of: SyntaxNode, at: number): SyntaxNode {
    const negated = this.#tokens.takeWord("not");
    if (!this.#tokens.takeWord("null")) throw this.#tokens.expected("NULL");
    const isNull: SyntaxNode = { is: "null", at, of };
    return negated ? { is: "not", at, of: isNull } : isNull;
  }

  #membership(of: SyntaxNode, at: number): SyntaxNode | null {
    if (this.#tokens.takeWord("like")) {
      if (this.#tokens.here.kind !== "text") throw this.#tokens.expected("a text in quotes");
      return { is: "like", at, of, pattern: this.#tokens.take().is };
    }
    if (this.#tokens.takeWord("in")) {
      this.#tokens.expectSign("(");
      return { is: "in", at, of, list: this.#several(")") };
    }
    if (!this.#tokens.takeWord("between")) return null;
    const from = this.#sum();
    if (!this.#tokens.takeWord("and")) throw this.#tokens.expected("AND");
    return { is: "between", at, of, from, to: this.#sum() };
  }

  /** Parses the time comparisons `after`, `before`, `at or after` and `at or before`. */
  #inTime(of: SyntaxNode, at: number): SyntaxNode | null {
    const inclusive = this.#tokens.takeWord("at");
    if (inclusive && !this.#tokens.takeWord("or")) throw this.#tokens.expected("OR");
    const after = this.#tokens.takeWord("after");
    if (!after && !this.#tokens.takeWord("before"))
      return inclusive ? this.#tokens.fail("AFTER or BEFORE") : null;
    const sign = `${after ? ">" : "<"}${inclusive ? "=" : ""}` as Comparison;
    return { is: "compare", at, sign, left: of, right: this.#sum() };
  }

  #sum(): SyntaxNode {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/", "%"], () => this.#factor()));
  }

  #chain(signs: readonly ArithmeticOperator[], next: () => SyntaxNode): SyntaxNode {
    let left = next();
    for (;;) {
      const { at } = this.#tokens.here;
      const sign = signs.find((it) => this.#tokens.takeSign(it));
      if (!sign) return left;
      if (++this.#sums > MAX_SUMS)
        throw clauseFault(msg("A clause can have {count} calculations at most.", { count: MAX_SUMS }));
      left = { is: "sum", at, sign, left, right: next() };
    }
  }

  #factor(): SyntaxNode {
    const token = this.#tokens.here;
    const { at } = token;
    if (token.kind === "text") return { is: "literal", at, value: this.#tokens.take().is };
    if (token.kind === "number") return this.#number(1);
    if (token.kind === "name") return this.#named();
    if (this.#tokens.takeSign("-")) return this.#negative(at);
    if (!this.#tokens.takeSign("(")) return this.#tokens.fail("a value");
    const inner = this.either();
    this.#tokens.expectSign(")");
    return inner;
  }

  #negative(at: number): SyntaxNode {
    if (this.#tokens.here.kind === "number") return { ...this.#number(-1), at };
    return {
      is: "sum",
      at,
      sign: "-",
      left: { is: "literal", at, value: 0 },
      right: this.#deeper(() => this.#factor()),
    };
  }

  #number(by: 1 | -1): SyntaxNode {
    const { at, is } = this.#tokens.take();
    const value = by * Number(is);
    if (!Number.isFinite(value))
      throw clauseFault(
        msg("The number at character {place} of the clause is too large.", { place: at + 1 }),
      );
    return { is: "literal", at, value };
  }

  #named(): SyntaxNode {
    const { at, is } = this.#tokens.take();
    if (this.#tokens.takeSign("(")) return this.#call(is, at);
    const word = is.toLowerCase();
    const isPath = this.#tokens.isSign(".") || this.#tokens.isSign("[") || this.#tokens.isSign("->");
    if (!isPath && word === "null") return { is: "literal", at, value: null };
    if (!isPath && (word === "true" || word === "false"))
      return { is: "literal", at, value: word === "true" };
    if (["and", "or", "not"].includes(word)) throw this.#tokens.expectedAt("a value", this.#tokens.previous);
    return this.#path(is, at);
  }

  #call(name: string, at: number): SyntaxNode {
    if (this.#tokens.takeSign("*")) {
      this.#tokens.expectSign(")");
      return { is: "call", at, name, args: [], star: true };
    }
    return { is: "call", at, name, args: this.#tokens.takeSign(")") ? [] : this.#several(")"), star: false };
  }

  #path(first: string, at: number): SyntaxNode {
    const inverse = this.#tokens.takeSign("[")
      ? { table: first, relation: this.#tokens.expectName("the name of a relation") }
      : undefined;
    const names = inverse ? [] : [first];
    if (inverse) {
      this.#tokens.expectSign("]");
      this.#tokens.expectSign(".");
      names.push(this.#tokens.expectName("the name of a column"));
    }
    while (this.#tokens.takeSign(".")) names.push(this.#tokens.expectName("the name of a column"));
    const path: SyntaxNode = { is: "path", at, names, ...(inverse && { inverse }) };
    if (!this.#tokens.takeSign("->")) return path;
    if (this.#tokens.here.kind !== "text") throw this.#tokens.expected("a JSON path in quotes");
    return { ...path, json: this.#tokens.take().is };
  }

  #several(end: ")"): SyntaxNode[] {
    const list = [this.either()];
    while (this.#tokens.takeSign(",")) {
      if (list.length === MAX_LIST_VALUES)
        throw clauseFault(msg("A list can have {count} values at most.", { count: MAX_LIST_VALUES }));
      list.push(this.either());
    }
    this.#tokens.expectSign(end);
    return list;
  }

  #deeper<T>(work: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw clauseFault(msg("A clause can be {count} levels deep at most.", { count: MAX_DEPTH }));
    const result = work();
    this.#depth--;
    return result;
  }
}
