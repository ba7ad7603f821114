import { sql } from "#platform/database";
import { isObject } from "#platform/objects";
import type { Caller, SqlFragment, Table } from "../catalogue/types.ts";
import type { Term } from "../clause/clause-terms.ts";
import type { ResolvedColumn } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";
import { listColumns, isAggregate, childTerms } from "./term-children.ts";

/** A grouping of rows: its terms, and the SQL names of their values. */
export type RowGroups = {
  terms: Term<ResolvedColumn>[];
  joined: SqlFragment;
  by: SqlFragment;
  within: (term: Term<ResolvedColumn>) => Term<ResolvedColumn>;
};

/**
 * Groups rows by terms. `joined` computes each term once per row. `within` converts a term for use in a
 * group: to the group's value, an aggregate, or the value of an arbitrary row.
 */
export function groupRows(terms: Term<ResolvedColumn>[], table: Table, caller: Caller): RowGroups {
  const names = terms.map((_, at) => `g${at}`);
  const refs = new Map(terms.map((term, at) => [termKey(term), createGroupColumn(names[at]!, term, table)]));
  const list = terms.map((term, at) => sql`${toSql(term, caller)} as ${sql.id(names[at]!)}`);
  return {
    terms,
    joined: terms.length === 0 ? sql`` : sql`cross join lateral (select ${sql.join(list)}) as k`,
    by:
      terms.length === 0 ? sql`` : sql`group by ${sql.join(names.map((name) => sql`${sql.id("k", name)}`))}`,
    within: (term) => toGroupTerm(term, refs),
  };
}

/** Key of a term; equal terms have equal keys. */
export const termKey = (term: Term<ResolvedColumn>): string =>
  JSON.stringify(term, (key, value: unknown) =>
    key === "ref" && isObject(value) ? `${String(value["alias"])}.${String(value["name"])}` : value,
  );

function createGroupColumn(
  sqlName: string,
  { kind }: Term<ResolvedColumn>,
  table: Table,
): Term<ResolvedColumn> {
  const { seen: _seen, hidden: _hidden, among: _among, ...column } = table.columns.get("objectId")!;
  return {
    is: "column",
    kind,
    ref: { name: sqlName, table, alias: "k", worked: null, column: { ...column, sqlName } },
  };
}

function toGroupTerm(
  term: Term<ResolvedColumn>,
  refs: Map<string, Term<ResolvedColumn>>,
): Term<ResolvedColumn> {
  const ref = refs.get(termKey(term));
  if (ref) return ref;
  if (term.is === "aggregate" || term.is === "value" || term.is === "each") return term;
  const isWhole =
    listColumns(term).length > 0 &&
    !isAggregate(term) &&
    !usesEachValue(term) &&
    !childTerms(term).some((it) => isGroupValue(it, refs));
  return isWhole
    ? { is: "aggregate", kind: term.kind, name: "any", of: term }
    : mapTerm(term, (it) => toGroupTerm(it, refs));
}

const usesEachValue = (term: Term<ResolvedColumn>): boolean =>
  term.is === "each" || (term.is !== "some" && childTerms(term).some(usesEachValue));

/** Whether a term, or a part of it, is one of the terms that rows are grouped by. */
const isGroupValue = (term: Term<ResolvedColumn>, refs: Map<string, Term<ResolvedColumn>>): boolean =>
  refs.has(termKey(term)) || childTerms(term).some((it) => isGroupValue(it, refs));

/** Replaces the direct parts of a term. */
function mapTerm(
  term: Term<ResolvedColumn>,
  map: (it: Term<ResolvedColumn>) => Term<ResolvedColumn>,
): Term<ResolvedColumn> {
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
