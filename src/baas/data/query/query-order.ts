import { sql } from "#platform/database";
import type { Caller } from "../catalogue/types.ts";
import { bindTerm } from "../clause/bind.ts";
import { parseList } from "../clause/clause-parser.ts";
import type { NamePath } from "../clause/clause-syntax.ts";
import type { Term } from "../clause/clause-terms.ts";
import type { QueryParams } from "./query-params.ts";
import type { SelectedProperty } from "./query-columns.ts";
import { type QueryContext, type ResolvedColumn, idSql, type QuerySources } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";

export type OrderTerm = { term: Term<ResolvedColumn>; direction: "asc" | "desc" };

/** Creates the requested order, by columns or aliases; newest first by default. */
export function createOrder(
  params: QueryParams,
  shown: SelectedProperty[],
  sources: QuerySources,
  made: (term: Term<ResolvedColumn>) => Term<ResolvedColumn>,
  otherwise?: OrderTerm[],
): OrderTerm[] {
  const list = parseList(params.sortBy ?? "", "direction");
  if (list.length === 0)
    return otherwise ?? [{ term: { is: "column", ...sources.find(CREATED_PATH) }, direction: "desc" }];
  return list.flatMap(({ of, direction }) => {
    if (of === "*") return [];
    const name =
      of.is === "path" && of.names.length === 1 && !of.json && !of.inverse ? of.names[0] : undefined;
    const named = shown.find(({ key }) => key === name);
    return [{ term: made(named?.term ?? bindTerm(of, sources)), direction: direction ?? "asc" }];
  });
}

const CREATED_PATH: NamePath = { is: "path", at: 0, names: ["created"] };

export const orderSql = (order: OrderTerm[], caller: Caller) =>
  sql.join(order.map(({ term, direction }) => sql`${toSql(term, caller)} ${DIRECTIONS[direction]}`));

export const DIRECTIONS = { asc: sql`asc`, desc: sql`desc` };

/** Adds the id to an order, so that rows with equal values are not repeated on another page. */
export const tieBreakerSql = (context: QueryContext, order: OrderTerm[]) =>
  sql`, ${idSql(context)} ${DIRECTIONS[order.at(-1)?.direction ?? "asc"]}`;
