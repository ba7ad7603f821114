import { msg } from "#platform/messages";
import { isOneOf } from "#platform/objects";
import { castTerm, requireValueType, unifyKinds } from "./coerce.ts";
import { clauseFault, clauseFaultAt, truncateQuote } from "./clause-errors.ts";
import { getFunction, isFunction } from "./clause-functions.ts";
import { parseJsonPath } from "./json-path.ts";
import { parsePattern } from "./like-pattern.ts";
import type { NamePath, SyntaxNode } from "./clause-syntax.ts";
import { AGGREGATES, type Aggregate, type ValueKind, type Term } from "./clause-terms.ts";

/** Resolves names: to columns of a table and its relations, or to headers of a message. */
export type NameScope<R> = {
  /**
   * Returns what a name refers to.
   * @throws for an unknown name
   */
  find: (path: NamePath) => { ref: R; kind: ValueKind };
  /** Whether aggregates such as `Count(…)` are allowed. */
  aggregates: boolean;
};

/**
 * Maximum names, values and operations of one clause. Terms that are repeated internally for `BETWEEN` and
 * `IN` count twice.
 */
const MAX_TERMS = 20_000;
const MAX_CALLS = 30;
const MAX_PATTERN_LENGTH = 500;

/**
 * Resolves all names in a clause and determines the types.
 * @throws `invalid` for unknown names and incomparable values
 */
export const bindTerm = <R>(syntax: SyntaxNode, scope: NameScope<R>): Term<R> =>
  new Binder(scope).term(syntax);

/** Like `bindTerm`, for a clause whose result must be a boolean. */
export const bindCondition = <R>(syntax: SyntaxNode, scope: NameScope<R>): Term<R> =>
  new Binder(scope).condition(syntax);

/** A class, because it counts terms and function calls. */
class Binder<R> {
  readonly #scope: NameScope<R>;
  #terms = 0;
  #calls = 0;
  #aggregates = 0;
  #inAggregate = false;

  constructor(scope: NameScope<R>) {
    this.#scope = scope;
  }

  condition(syntax: SyntaxNode): Term<R> {
    const term = this.term(syntax);
    if (term.kind === "boolean" || term.kind === "null") return term;
    if (term.kind === "json") return castTerm(term, "boolean");
    throw clauseFaultAt(syntax.at, msg("expected a condition that is true or false."));
  }

  term(syntax: SyntaxNode): Term<R> {
    if (++this.#terms > MAX_TERMS)
      throw clauseFault(
        msg("A clause can have {count} names, values and operations at most.", { count: MAX_TERMS }),
      );
    switch (syntax.is) {
      case "literal":
        return createLiteral(syntax.value);
      case "path":
        return this.#path(syntax);
      case "call":
        return this.#call(syntax);
      case "sum":
        return {
          is: "sum",
          kind: "number",
          sign: syntax.sign,
          left: this.#demanded(syntax.left, "number"),
          right: this.#demanded(syntax.right, "number"),
        };
      case "compare":
        return this.#compared(syntax);
      case "like":
        return this.#like(syntax);
      case "in":
        return this.#listed(syntax);
      case "between":
        return this.#between(syntax);
      case "null":
        return { is: "null", kind: "boolean", of: this.term(syntax.of) };
      case "not":
        return { is: "not", kind: "boolean", of: this.condition(syntax.of) };
      case "and":
      case "or":
        return { is: syntax.is, kind: "boolean", parts: syntax.parts.map((part) => this.condition(part)) };
    }
  }

  #demanded = (syntax: SyntaxNode, kind: ValueKind) => requireValueType(this.term(syntax), kind, syntax.at);

  #path(path: NamePath): Term<R> {
    const column: Term<R> = { is: "column", ...this.#scope.find(path) };
    if (path.json === undefined) return column;
    if (column.kind !== "json") throw clauseFaultAt(path.at, msg("a JSON path needs a JSON column."));
    return { is: "pick", kind: "json", of: column, path: parseJsonPath(path.json, path.at) };
  }

  #compared({ sign, left, right, at }: Extract<SyntaxNode, { is: "compare" }>): Term<R> {
    const before = this.#aggregates;
    const term = this.#eachOf(this.term(left), (one) =>
      this.#eachOf(this.term(right), (other) => createComparison(sign, one, other, at)),
    );
    if (term.is === "some" && this.#aggregates > before)
      throw clauseFault("A JSON path with several matches cannot be compared with an aggregate.");
    return term;
  }

  #between({ of, from, to, at }: Extract<SyntaxNode, { is: "between" }>): Term<R> {
    const parts = [
      this.#compared({ is: "compare", at, sign: ">=", left: of, right: from }),
      this.#compared({ is: "compare", at, sign: "<=", left: of, right: to }),
    ];
    return { is: "and", kind: "boolean", parts };
  }

  #like({ of, pattern, at }: Extract<SyntaxNode, { is: "like" }>): Term<R> {
    if (pattern.length > MAX_PATTERN_LENGTH)
      throw clauseFault(msg("A pattern can have {count} characters at most.", { count: MAX_PATTERN_LENGTH }));
    return this.#eachOf(this.term(of), (one) => {
      const text = requireValueType(one, "text", at);
      return { is: "like", kind: "boolean", of: text, pattern, pieces: parsePattern(pattern) };
    });
  }

  #listed({ of, list, at }: Extract<SyntaxNode, { is: "in" }>): Term<R> {
    if (list.some((it) => it.is !== "literal"))
      return createOr(list.map((right) => this.#compared({ is: "compare", at, sign: "=", left: of, right })));
    return this.#eachOf(this.term(of), (one) =>
      mergeEqualities(list.map((it) => createComparison("=", one, this.term(it), at))),
    );
  }

  /**
   * Applies a comparison to a term. If the term is a JSON path with several values, each is compared, and
   * one match suffices.
   */
  #eachOf(term: Term<R>, ask: (one: Term<R>) => Term<R>): Term<R> {
    if (term.is !== "pick" || !term.path.many) return ask(term);
    const test = ask({ is: "each", kind: "json" });
    if (test.is === "some") throw clauseFault("Two JSON paths with several matches cannot be compared.");
    return { is: "some", kind: "boolean", of: term.of, path: term.path, test };
  }

  #call({ name, args, star, at }: Extract<SyntaxNode, { is: "call" }>): Term<R> {
    if (++this.#calls > MAX_CALLS)
      throw clauseFault(msg("A clause can call {count} functions at most.", { count: MAX_CALLS }));
    const known = name.toLowerCase();
    if (isOneOf(AGGREGATES, known)) return this.#aggregate(known, args, star, at);
    if (!isFunction(known) || star)
      throw clauseFaultAt(at, msg("the function {name} does not exist.", { name: truncateQuote(name) }));
    const { takes, times = [0, 0], gives } = getFunction(known);
    const [least, most] =
      times[0] === 0 ? [takes.length - times[1], takes.length] : [takes.length, takes.length - 1 + times[1]];
    if (args.length < least || args.length > most)
      throw clauseFaultAt(
        at,
        least === most
          ? msg("{name} takes {least, plural, one {one argument} other {# arguments}}, not {given}.", {
              name: truncateQuote(name),
              least,
              given: args.length,
            })
          : msg("{name} takes {least} to {most} arguments, not {given}.", {
              name: truncateQuote(name),
              least,
              most,
              given: args.length,
            }),
      );
    const bound = args.map((arg) => this.term(arg));
    const shared = findCommonKind(bound.filter((_, n) => (takes[n] ?? takes.at(-1)) === "same"));
    const kinds = bound
      .map((_, n) => takes[n] ?? takes.at(-1)!)
      .map((kind) => (kind === "same" ? shared : kind));
    return {
      is: "call",
      kind: gives === "same" ? shared : gives,
      name: known,
      args: bound.map((term, n) => requireValueType(term, kinds[n]!, args[n]!.at)),
    };
  }

  #aggregate(name: Aggregate, args: SyntaxNode[], star: boolean, at: number): Term<R> {
    if (!this.#scope.aggregates || this.#inAggregate)
      throw clauseFaultAt(at, msg("{name} is an aggregate and cannot be used here.", { name }));
    this.#aggregates++;
    if (star && name === "count") return { is: "aggregate", kind: "number", name, of: null };
    if (args.length !== 1) throw clauseFaultAt(at, msg("{name} takes one argument.", { name }));
    this.#inAggregate = true;
    const term = this.term(args[0]!);
    this.#inAggregate = false;
    if (name === "count") return { is: "aggregate", kind: "number", name, of: term };
    const picked =
      term.kind === "json" || term.kind === "boolean" || name === "sum" || name === "avg"
        ? requireValueType(term, "number", at)
        : term;
    if (picked.kind === "geometry")
      throw clauseFaultAt(at, msg("{name} does not work with shapes.", { name }));
    return { is: "aggregate", kind: picked.kind, name, of: picked };
  }
}

const createLiteral = <R>(value: string | number | boolean | null): Term<R> => ({
  is: "value",
  kind: literalKind(value),
  value,
});

/** Returns the kind of a value that is written in a clause. */
export function literalKind(value: string | number | boolean | null): ValueKind {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : "boolean";
}

function createComparison<R>(
  sign: Extract<SyntaxNode, { is: "compare" }>["sign"],
  one: Term<R>,
  other: Term<R>,
  at: number,
): Term<R> {
  const [left, right] = unifyKinds(one, other, at);
  if (right.kind === "null" || left.kind === "null")
    return createNullCheck(sign, right.kind === "null" ? left : right);
  const ordered = sign !== "=" && sign !== "!=";
  if (ordered && left.kind === "geometry")
    throw clauseFaultAt(at, msg("shapes cannot be compared by order."));
  return { is: "compare", kind: "boolean", sign, left, right };
}

/**
 * Converts `x = NULL` and `x != NULL` to a test whether there is a value. Other comparisons with NULL have
 * an unknown result.
 */
function createNullCheck<R>(sign: string, of: Term<R>): Term<R> {
  if (sign !== "=" && sign !== "!=") return { is: "value", kind: "null", value: null };
  const isNull: Term<R> = { is: "null", kind: "boolean", of };
  return sign === "=" ? isNull : { is: "not", kind: "boolean", of: isNull };
}

const createOr = <R>(parts: Term<R>[]): Term<R> =>
  parts.length === 1 ? parts[0]! : { is: "or", kind: "boolean", parts };

/** Merges several comparisons of one term with values of the same kind into an `in`. */
function mergeEqualities<R>(parts: Term<R>[]): Term<R> {
  const lists = new Map<ValueKind, { of: Term<R>; values: (string | number | boolean)[] }>();
  const others: Term<R>[] = [];
  for (const part of parts) {
    if (
      part.is !== "compare" ||
      part.right.is !== "value" ||
      part.right.value === null ||
      typeof part.right.value === "object"
    ) {
      others.push(part);
      continue;
    }
    const list = lists.get(part.right.kind) ?? { of: part.left, values: [] };
    list.values.push(part.right.value);
    lists.set(part.right.kind, list);
  }
  return createOr([
    ...[...lists.values()].map((list): Term<R> => ({ is: "in", kind: "boolean", ...list })),
    ...others,
  ]);
}

/**
 * The common kind of the arguments of `IF` and similar functions: that of the first argument that has a kind.
 */
function findCommonKind<R>(terms: Term<R>[]): ValueKind {
  const first =
    terms.find(({ is, kind }) => is !== "value" && kind !== "json" && kind !== "geometry") ??
    terms.find(({ is, kind }) => is === "value" && kind !== "null");
  return first?.kind ?? "text";
}

/** Returns the texts that columns must have for the condition to be met. */
export function findEqualities<R extends { name: string }>(term: Term<R>): Map<string, string> {
  if (term.is === "and") return new Map(term.parts.flatMap((part) => [...findEqualities(part)]));
  if (term.is === "in" && term.values.length === 1) return readEquality(term.of, term.values[0]);
  if (term.is !== "compare" || term.sign !== "=") return new Map();
  if (term.right.is === "value") return readEquality(term.left, term.right.value);
  return term.left.is === "value" ? readEquality(term.right, term.left.value) : new Map();
}

const readEquality = <R extends { name: string }>(term: Term<R>, value: unknown): Map<string, string> =>
  term.is === "column" && term.kind === "text" ? new Map([[term.ref.name, String(value)]]) : new Map();
