import { sql } from "#platform/database";
import type { Caller, Fragment } from "../catalogue/types.ts";
import { bind, bindCondition } from "../clause/bind.ts";
import { clauseFault } from "../clause/fault.ts";
import { parseClause, parseList } from "../clause/parse.ts";
import type { Term } from "../clause/tree.ts";
import type { Asked } from "./asked.ts";
import { groupsOf, keyOf } from "./grouped.ts";
import { allOf } from "./joined.ts";
import { DIRECTIONS, type Ordered, orderOf, orderSql } from "./order.ts";
import { selected, type Shown, shownIn } from "./shown.ts";
import { type Asking, type Found, Sources, tableSql } from "./sources.ts";
import { toSql } from "./sql.ts";
import { isAggregate } from "./terms.ts";

/** Terms of GROUP BY, which cannot contain aggregates. */
export const groupingOf = ({ groupBy }: Asked, sources: Sources): Term<Found>[] =>
  parseList(groupBy ?? "", "nothing").flatMap(({ of }) => (of === "*" ? [] : [bind(of, { find: sources.find, aggregates: false })]));

/** A query whose rows are not those of the table: aggregates, groups, distinct rows; null for any other. */
export function groupedQuery(asking: Asking, asked: Asked) {
  // Most queries can be ruled out by their text.
  if (!asked.groupBy?.trim() && asked.distinct !== true && !asked.props?.includes("(")) return null;
  const { caller, table } = asking;
  const sources = new Sources(asking, "j", { aggregates: true });
  const by = groupingOf(asked, sources);
  const shown = shownIn(table, caller, asked, sources);
  const isDistinct = asked.distinct === true && Boolean(asked.props?.trim());
  if (by.length === 0 && !isDistinct && !shown.some(({ term }) => isAggregate(term))) return null;
  const only = isDistinct && by.length === 0 && !shown.some(({ term }) => isAggregate(term));
  if (shown.length === 0) throw clauseFault("Nothing is left of the properties that are asked for.");
  const groups = groupsOf(only ? shown.map(({ term }) => term) : by, table, caller);
  const made = shown.map(({ key, term }) => ({ key, term: groups.within(term) }));
  const having = asked.having?.trim() ? groups.within(bindCondition(parseClause(asked.having), sources)) : null;
  const order = [
    ...orderOf(asked, shown, sources, groups.within, []),
    ...groups.terms.map((term) => ({ term: groups.within(term), direction: "asc" }) as const),
  ];
  const query = (where: Fragment, page: Fragment) => {
    const from = sql`from ${tableSql(table)} as t ${allOf(sources, caller)} ${groups.joined} where ${where} ${groups.by}
      ${having ? sql`having ${toSql(having, caller)}` : sql``}`;
    if (isDistinct && !only) return distinctSql(made, order, from, page, caller);
    const sorted = order.length === 0 ? sql`` : sql`order by ${orderSql(order, caller)}`;
    return sql`select ${selected(made, caller)} ${from} ${sorted} ${page}`;
  };
  return { shown, query };
}

/** Distinct groups; ordered by the shown properties, as far as requested. */
function distinctSql(made: Shown[], order: Ordered[], from: Fragment, page: Fragment, caller: Caller): Fragment {
  const keys = made.map(({ term }) => keyOf(term));
  const asked = order.flatMap(({ term, direction }) => {
    const at = keys.indexOf(keyOf(term));
    return at < 0 ? [] : [sql`${sql.id(`s${at}`)} ${DIRECTIONS[direction]}`];
  });
  const rest = made.map((_, at) => sql`${sql.id(`s${at}`)}`);
  return sql`select distinct * from (select ${selected(made, caller)} ${from}) as made order by ${sql.join([...asked, ...rest])} ${page}`;
}
