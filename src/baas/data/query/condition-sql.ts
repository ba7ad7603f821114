import { sql } from "#platform/database";
import type { SqlFragment } from "../catalogue/types.ts";
import { bindCondition } from "../clause/bind.ts";
import { getFunction } from "../clause/clause-functions.ts";
import { parseClause } from "../clause/clause-parser.ts";
import type { Term } from "../clause/clause-terms.ts";
import {
  type QueryContext,
  type ResolvedColumn,
  type TableJoin,
  joinSql,
  QuerySources,
} from "./query-sources.ts";
import { toSql } from "./term-sql.ts";
import { listColumns, childTerms } from "./term-children.ts";

/**
 * Converts a clause to an SQL condition on the table under its alias; true if empty. A row matches if some
 * combination of its related rows does, as with left joins, but is returned only once. The condition checks
 * permissions for related tables only, not for this table.
 * @throws `invalid`, `not-allowed` for a related table
 */
export function conditionSql(context: QueryContext, clause: string): SqlFragment {
  if (clause.trim() === "") return sql`true`;
  const sources = new QuerySources(context, `${context.alias}_w`);
  const term = bindCondition(parseClause(clause), sources);
  const groups = groupConditions(term.is === "and" ? term.parts : [term], sources.joins);
  return sql.join(
    groups.map(({ parts, joins }) =>
      joins.length === 0 ? joinConditions(parts, context) : existsSql(parts, joins, context),
    ),
    sql` and `,
  );
}

type ConditionGroup = { parts: Term<ResolvedColumn>[]; joins: TableJoin[] };

const joinConditions = (parts: Term<ResolvedColumn>[], { caller }: QueryContext) =>
  sql.join(
    parts.map((part) => toSql(part, caller)),
    sql` and `,
  );

/**
 * Groups the parts of a condition that use the same relations, because the same related rows must meet all
 * of them. Parts about the row alone form one more group.
 */
function groupConditions(parts: Term<ResolvedColumn>[], joins: TableJoin[]): ConditionGroup[] {
  return parts.reduce<ConditionGroup[]>((groups, part) => {
    const used = listJoins(part, joins);
    const isShared = (it: ConditionGroup) =>
      used.size === 0 ? it.joins.length === 0 : it.joins.some((join) => used.has(join));
    const shared = groups.filter(isShared);
    const together = new Set([...shared.flatMap((it) => it.joins), ...used]);
    const merged = {
      parts: [...shared.flatMap((it) => it.parts), part],
      joins: joins.filter((join) => together.has(join)),
    };
    return [...groups.filter((it) => !isShared(it)), merged];
  }, []);
}

/** Lists the joins that a term uses, and the joins leading to them. */
function listJoins(term: Term<ResolvedColumn>, joins: TableJoin[]): Set<TableJoin> {
  const used = new Set<TableJoin>();
  const add = (alias: string) => {
    const join = joins.find((it) => it.alias === alias);
    if (!join || used.has(join)) return;
    used.add(join);
    add(join.from.alias);
  };
  for (const { alias } of listColumns(term)) add(alias);
  return used;
}

function existsSql(parts: Term<ResolvedColumn>[], joins: TableJoin[], context: QueryContext): SqlFragment {
  const needed = listRequiredJoins(parts, joins);
  const inner = joins.filter((join) => needed.has(join)).map((join) => joinSql(join, context.caller));
  const left = joins.filter((join) => !needed.has(join)).map((join) => joinSql(join, context.caller));
  // Required joins are listed first with their conditions in WHERE, so that PostgreSQL can start from either
  // table.
  const from =
    inner.length === 0
      ? sql`(select) as nothing`
      : sql.join(
          inner.map(({ source }) => source),
          sql` cross join `,
        );
  const joined = left.map(({ source, on }) => sql`left join ${source} on ${on}`);
  const where = [...inner.map(({ on }) => on), joinConditions(parts, context)];
  return sql`exists (select from ${sql.join([from, ...joined], sql` `)} where ${sql.join(
    where,
    sql` and
    `,
  )})`;
}

/**
 * Lists the required joins, without whose rows the condition cannot be true, and the joins leading to them.
 */
function listRequiredJoins(parts: Term<ResolvedColumn>[], joins: TableJoin[]): Set<TableJoin> {
  const needed = new Set<TableJoin>();
  for (const join of joins.toReversed()) {
    if (!needed.has(join) && !parts.some((part) => failsWithoutRow(part, join.alias))) continue;
    needed.add(join);
    const before = joins.find((it) => it.alias === join.from.alias);
    if (before) needed.add(before);
  }
  return needed;
}

/** Whether a condition cannot be true if the row under this alias is missing. */
function failsWithoutRow(term: Term<ResolvedColumn>, alias: string): boolean {
  if (term.is === "and") return term.parts.some((part) => failsWithoutRow(part, alias));
  if (term.is === "or") return term.parts.every((part) => failsWithoutRow(part, alias));
  if (term.is === "not" && term.of.is === "null") return isUnknownWithoutRow(term.of.of, alias);
  return isUnknownWithoutRow(term, alias);
}

/** Whether a term is null if the row under this alias is missing. */
function isUnknownWithoutRow(term: Term<ResolvedColumn>, alias: string): boolean {
  if (term.is === "column")
    return term.ref.alias === alias && term.ref.worked === null && !term.ref.column.seen;
  if (term.is === "null" || term.is === "and" || term.is === "or" || term.is === "some") return false;
  if (term.is === "call" && getFunction(term.name).patient) return false;
  return childTerms(term).some((it) => isUnknownWithoutRow(it, alias));
}
