import { sql } from "#platform/database";
import type { Caller, Fragment, Table } from "../catalogue/types.ts";
import type { Term } from "../clause/tree.ts";
import type { Found } from "./sources.ts";
import { toSql } from "./sql.ts";
import { columnsIn, isAggregate, within } from "./terms.ts";

/** A grouping of rows: its terms, and the SQL names of their values. */
export type Groups = { terms: Term<Found>[]; joined: Fragment; by: Fragment; within: (term: Term<Found>) => Term<Found> };

/**
 * Groups rows by terms. `joined` computes the values once per row; `within` converts a term to its value in a
 * group: a group value, an aggregate, or the value of any row.
 */
export function groupsOf(terms: Term<Found>[], table: Table, caller: Caller): Groups {
  const names = terms.map((_, at) => `g${at}`);
  const refs = new Map(terms.map((term, at) => [keyOf(term), groupColumn(names[at]!, term, table)]));
  const list = terms.map((term, at) => sql`${toSql(term, caller)} as ${sql.id(names[at]!)}`);
  return {
    terms,
    joined: terms.length === 0 ? sql`` : sql`cross join lateral (select ${sql.join(list)}) as k`,
    by: terms.length === 0 ? sql`` : sql`group by ${sql.join(names.map((name) => sql`${sql.id("k", name)}`))}`,
    within: (term) => inGroup(term, refs),
  };
}

/** Equal terms have equal keys. */
export const keyOf = (term: Term<Found>): string =>
  JSON.stringify(term, (key, value: unknown) => {
    if (key !== "ref") return value;
    const { alias, name } = value as Found;
    return `${alias}.${name}`;
  });

function groupColumn(sqlName: string, { kind }: Term<Found>, table: Table): Term<Found> {
  const { seen: _seen, hidden: _hidden, among: _among, ...column } = table.columns.get("objectId")!;
  return { is: "column", kind, ref: { name: sqlName, table, alias: "k", worked: null, column: { ...column, sqlName } } };
}

function inGroup(term: Term<Found>, refs: Map<string, Term<Found>>): Term<Found> {
  const ref = refs.get(keyOf(term));
  if (ref) return ref;
  if (term.is === "aggregate" || term.is === "value" || term.is === "each") return term;
  const isWhole = columnsIn(term).length > 0 && !isAggregate(term) && !looksAtEach(term) && !within(term).some((it) => isMade(it, refs));
  return isWhole ? { is: "aggregate", kind: term.kind, name: "any", of: term } : mapped(term, (it) => inGroup(it, refs));
}

const looksAtEach = (term: Term<Found>): boolean => term.is === "each" || (term.is !== "some" && within(term).some(looksAtEach));

/** Whether a group has a value for some part of a term. */
const isMade = (term: Term<Found>, refs: Map<string, Term<Found>>): boolean =>
  refs.has(keyOf(term)) || within(term).some((it) => isMade(it, refs));

/** Replaces the direct children of a term. */
function mapped(term: Term<Found>, map: (it: Term<Found>) => Term<Found>): Term<Found> {
  switch (term.is) {
    case "call":
      return { ...term, args: term.args.map(map) };
    case "and":
    case "or":
      return { ...term, parts: term.parts.map(map) };
    case "sum":
    case "compare":
      return { ...term, left: map(term.left), right: map(term.right) };
    case "some":
      return { ...term, of: map(term.of), test: map(term.test) };
    case "pick":
    case "cast":
    case "like":
    case "in":
    case "null":
    case "not":
      return { ...term, of: map(term.of) };
    case "value":
    case "column":
    case "each":
    case "aggregate":
      return term;
  }
}
