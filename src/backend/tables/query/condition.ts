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
 * A clause as SQL condition on the table under its alias; true if empty. It checks permissions for related
 * tables only, not for this one.
 * @throws `invalid`, `not-allowed` for a related table
 *
 * A row matches if some combination of its related rows does, as with left joins, but appears only once.
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

/**
 * Parts about the same relations must be met by the same related rows; parts about the row alone form a group
 * too.
 */
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

/** The joins that a term uses, and those on the way. */
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
  // Required joins come first with their conditions in WHERE, so that PostgreSQL can start from either side.
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

/** Joins without whose rows the condition cannot hold, and those on the way. */
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

/** Whether a condition cannot hold if the row under this alias is missing. */
function fails(term: Term<Found>, alias: string): boolean {
  if (term.is === "and") return term.parts.some((part) => fails(part, alias));
  if (term.is === "or") return term.parts.every((part) => fails(part, alias));
  if (term.is === "not" && term.of.is === "null") return isUnknown(term.of.of, alias);
  return isUnknown(term, alias);
}

/** Whether a term is null if the row under this alias is missing. */
function isUnknown(term: Term<Found>, alias: string): boolean {
  if (term.is === "column") return term.ref.alias === alias && term.ref.worked === null && !term.ref.column.seen;
  if (term.is === "null" || term.is === "and" || term.is === "or" || term.is === "some") return false;
  if (term.is === "call" && functionNamed(term.name).patient) return false;
  return within(term).some((it) => isUnknown(it, alias));
}
