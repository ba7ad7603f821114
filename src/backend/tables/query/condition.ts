import { sql } from "#platform/database";
import type { Fragment } from "../catalogue/types.ts";
import { bindCondition } from "../clause/bind.ts";
import { functionNamed } from "../clause/functions.ts";
import { parseClause } from "../clause/parse.ts";
import type { Term } from "../clause/tree.ts";
import { type Asking, type Found, type Join, joinSql, Sources } from "./sources.ts";
import { toSql } from "./sql.ts";
import { columnsIn, within } from "./terms.ts";

/**
 * A clause as a condition on the rows of the table that stands there under the alias; an empty one is true. It says nothing of what
 * the caller may read of that table, only of those that it leads through. Throws `invalid`, or `not-allowed` for such a table.
 *
 * A row is kept when some combination of the rows that it is related to is what the clause asks for, as if all of them had been
 * joined from the left: once, however many there are.
 */
export function conditionSql(asking: Asking, clause: string): Fragment {
  if (clause.trim() === "") return sql`true`;
  const sources = new Sources(asking, `${asking.alias}_w`);
  const term = bindCondition(parseClause(clause), sources);
  const groups = grouped(term.is === "and" ? term.parts : [term], sources.joins);
  return sql.join(
    groups.map(({ parts, joins }) => (joins.length === 0 ? allSql(parts, asking) : existsSql(parts, joins, asking))),
    sql` and `,
  );
}

type Group = { parts: Term<Found>[]; joins: Join[] };

const allSql = (parts: Term<Found>[], { caller }: Asking) =>
  sql.join(
    parts.map((part) => toSql(part, caller)),
    sql` and `,
  );

/** Parts that lead through the same relations have to be met by the same rows; those that speak of the row alone are a group too. */
function grouped(parts: Term<Found>[], joins: Join[]): Group[] {
  return parts.reduce<Group[]>((groups, part) => {
    const used = joinsOf(part, joins);
    const isShared = (it: Group) => (used.size === 0 ? it.joins.length === 0 : it.joins.some((join) => used.has(join)));
    const shared = groups.filter(isShared);
    const together = new Set([...shared.flatMap((it) => it.joins), ...used]);
    const merged = { parts: [...shared.flatMap((it) => it.parts), part], joins: joins.filter((join) => together.has(join)) };
    return [...groups.filter((it) => !isShared(it)), merged];
  }, []);
}

/** The joins that a term looks at, and those on the way there. */
function joinsOf(term: Term<Found>, joins: Join[]): Set<Join> {
  const used = new Set<Join>();
  const add = (alias: string) => {
    const join = joins.find((it) => it.alias === alias);
    if (!join || used.has(join)) return;
    used.add(join);
    add(join.from.alias);
  };
  for (const { alias } of columnsIn(term)) add(alias);
  return used;
}

function existsSql(parts: Term<Found>[], joins: Join[], asking: Asking): Fragment {
  const needed = neededBy(parts, joins);
  const inner = joins.filter((join) => needed.has(join)).map((join) => joinSql(join, asking.caller));
  const left = joins.filter((join) => !needed.has(join)).map((join) => joinSql(join, asking.caller));
  // What has to be there stands first, with its conditions in WHERE: so PostgreSQL sees that it may begin from either side.
  const from =
    inner.length === 0
      ? sql`(select) as nothing`
      : sql.join(
          inner.map(({ source }) => source),
          sql` cross join `,
        );
  const joined = left.map(({ source, on }) => sql`left join ${source} on ${on}`);
  const where = [...inner.map(({ on }) => on), allSql(parts, asking)];
  return sql`exists (select from ${sql.join([from, ...joined], sql` `)} where ${sql.join(where, sql` and `)})`;
}

/** Joins without whose rows the parts could not all be true, and those on the way there. */
function neededBy(parts: Term<Found>[], joins: Join[]): Set<Join> {
  const needed = new Set<Join>();
  for (const join of joins.toReversed()) {
    if (!needed.has(join) && !parts.some((part) => fails(part, join.alias))) continue;
    needed.add(join);
    const before = joins.find((it) => it.alias === join.from.alias);
    if (before) needed.add(before);
  }
  return needed;
}

/** Whether a condition cannot be true where the row under this alias is missing. */
function fails(term: Term<Found>, alias: string): boolean {
  if (term.is === "and") return term.parts.some((part) => fails(part, alias));
  if (term.is === "or") return term.parts.every((part) => fails(part, alias));
  if (term.is === "not" && term.of.is === "null") return isUnknown(term.of.of, alias);
  return isUnknown(term, alias);
}

/** Whether a term comes to nothing where the row under this alias is missing. */
function isUnknown(term: Term<Found>, alias: string): boolean {
  if (term.is === "column") return term.ref.alias === alias && term.ref.worked === null && !term.ref.column.seen;
  if (term.is === "null" || term.is === "and" || term.is === "or" || term.is === "some") return false;
  if (term.is === "call" && functionNamed(term.name).patient) return false;
  return within(term).some((it) => isUnknown(it, alias));
}
