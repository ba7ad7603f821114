import { sql } from "#platform/database";
import type { Caller } from "../catalogue/types.ts";
import { bind } from "../clause/bind.ts";
import { parseList } from "../clause/parse.ts";
import type { Path } from "../clause/syntax.ts";
import type { Term } from "../clause/tree.ts";
import type { Asked } from "./asked.ts";
import type { Shown } from "./shown.ts";
import { type Asking, type Found, idSql, type Sources } from "./sources.ts";
import { toSql } from "./sql.ts";

export type Ordered = { term: Term<Found>; direction: "asc" | "desc" };

/** The requested order, by columns or aliases; newest first by default. */
export function orderOf(
  asked: Asked,
  shown: Shown[],
  sources: Sources,
  made: (term: Term<Found>) => Term<Found>,
  otherwise?: Ordered[],
): Ordered[] {
  const list = parseList(asked.sortBy ?? "", "direction");
  if (list.length === 0) return otherwise ?? [{ term: { is: "column", ...sources.find(CREATED) }, direction: "desc" }];
  return list.flatMap(({ of, direction }) => {
    if (of === "*") return [];
    const name = of.is === "path" && of.names.length === 1 && !of.json && !of.inverse ? of.names[0] : undefined;
    const named = shown.find(({ key }) => key === name);
    return [{ term: made(named?.term ?? bind(of, sources)), direction: direction ?? "asc" }];
  });
}

const CREATED: Path = { is: "path", at: 0, names: ["created"] };

export const orderSql = (order: Ordered[], caller: Caller) =>
  sql.join(order.map(({ term, direction }) => sql`${toSql(term, caller)} ${DIRECTIONS[direction]}`));

export const DIRECTIONS = { asc: sql`asc`, desc: sql`desc` };

/** Orders equal rows by id, so that pages do not overlap. */
export const tie = (asking: Asking, order: Ordered[]) => sql`, ${idSql(asking)} ${DIRECTIONS[order.at(-1)?.direction ?? "asc"]}`;
