import { sql } from "#platform/database";
import type { Caller, SqlFragment } from "../catalogue/types.ts";
import { bindTerm, bindCondition } from "../clause/bind.ts";
import { clauseFault } from "../clause/clause-errors.ts";
import { parseClause, parseList } from "../clause/clause-parser.ts";
import type { Term } from "../clause/clause-terms.ts";
import type { QueryParams } from "./query-params.ts";
import { groupRows, termKey } from "./query-groups.ts";
import { allRowJoins } from "./relation-joins.ts";
import { DIRECTIONS, type OrderTerm, createOrder, orderSql } from "./query-order.ts";
import { selectSql, type SelectedProperty, selectProperties } from "./query-columns.ts";
import { type QueryContext, type ResolvedColumn, QuerySources, tableSql } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";
import { isAggregate } from "./term-children.ts";

/** Parses the terms of GROUP BY, which cannot contain aggregates. */
export const parseGroupBy = ({ groupBy }: QueryParams, sources: QuerySources): Term<ResolvedColumn>[] =>
  parseList(groupBy ?? "", "nothing").flatMap(({ of }) =>
    of === "*" ? [] : [bindTerm(of, { find: sources.find, aggregates: false })],
  );

/**
 * Creates a query whose result rows are not table rows, because of aggregates, groups or `distinct`; null
 * for any other query.
 */
export function createGroupedQuery(asking: QueryContext, params: QueryParams) {
  // The parameters of most queries show without parsing that they need no grouping.
  if (!params.groupBy?.trim() && params.distinct !== true && !params.props?.includes("(")) return null;
  const { caller, table } = asking;
  const sources = new QuerySources(asking, "j", { aggregates: true });
  const by = parseGroupBy(params, sources);
  const shown = selectProperties(table, caller, params, sources);
  const isDistinct = params.distinct === true && Boolean(params.props?.trim());
  if (by.length === 0 && !isDistinct && !shown.some(({ term }) => isAggregate(term))) return null;
  const only = isDistinct && by.length === 0 && !shown.some(({ term }) => isAggregate(term));
  if (shown.length === 0) throw clauseFault("All requested properties are excluded.");
  const groups = groupRows(only ? shown.map(({ term }) => term) : by, table, caller);
  const made = shown.map(({ key, term }) => ({ key, term: groups.within(term) }));
  const having = params.having?.trim()
    ? groups.within(bindCondition(parseClause(params.having), sources))
    : null;
  const order = [
    ...createOrder(params, shown, sources, groups.within, []),
    ...groups.terms.map((term) => ({ term: groups.within(term), direction: "asc" }) as const),
  ];
  const query = (where: SqlFragment, page: SqlFragment) => {
    const from = sql`from ${tableSql(table)} as t ${allRowJoins(sources, caller)} ${groups.joined}
      where ${where} ${groups.by}
      ${having ? sql`having ${toSql(having, caller)}` : sql``}`;
    if (isDistinct && !only) return distinctSql(made, order, from, page, caller);
    const sorted = order.length === 0 ? sql`` : sql`order by ${orderSql(order, caller)}`;
    return sql`select ${selectSql(made, caller)} ${from} ${sorted} ${page}`;
  };
  return { shown, query };
}

/**
 * SQL for distinct rows, sorted in the requested order as far as that uses returned properties, then by all
 * returned properties.
 */
function distinctSql(
  properties: SelectedProperty[],
  order: OrderTerm[],
  from: SqlFragment,
  page: SqlFragment,
  caller: Caller,
): SqlFragment {
  const keys = properties.map(({ term }) => termKey(term));
  const asked = order.flatMap(({ term, direction }) => {
    const at = keys.indexOf(termKey(term));
    return at < 0 ? [] : [sql`${sql.id(`s${at}`)} ${DIRECTIONS[direction]}`];
  });
  const rest = properties.map((_, at) => sql`${sql.id(`s${at}`)}`);
  return sql`select distinct * from (select ${selectSql(properties, caller)} ${from}) as made
    order by ${sql.join([...asked, ...rest])} ${page}`;
}
