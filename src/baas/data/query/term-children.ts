import type { Term } from "../clause/clause-terms.ts";
import type { ResolvedColumn } from "./query-sources.ts";

export function childTerms<R>(term: Term<R>): Term<R>[] {
  switch (term.is) {
    case "value":
    case "column":
    case "each":
      return [];
    case "some":
      return [term.of, term.test];
    case "call":
      return term.args;
    case "aggregate":
      return term.of ? [term.of] : [];
    case "sum":
    case "compare":
      return [term.left, term.right];
    case "and":
    case "or":
      return term.parts;
    case "pick":
    case "cast":
    case "like":
    case "in":
    case "null":
    case "not":
      return [term.of];
  }
}

/** Lists every column that a term uses. A computed column is replaced by the columns in its expression. */
export function listColumns(term: Term<ResolvedColumn>): ResolvedColumn[] {
  if (term.is !== "column") return childTerms(term).flatMap(listColumns);
  return term.ref.worked ? listColumns(term.ref.worked) : [term.ref];
}

/** Whether a term contains an aggregate. */
export const isAggregate = (term: Term<unknown>): boolean =>
  term.is === "aggregate" || childTerms(term).some(isAggregate);
