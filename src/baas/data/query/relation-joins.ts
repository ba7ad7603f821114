import { sql } from "#platform/database";
import type { Caller } from "../catalogue/types.ts";
import { joinSql, type QuerySources } from "./query-sources.ts";

/** Joins at most one related row per relation, so that the number of rows stays the same. */
export const firstRowJoins = (sources: QuerySources, caller: Caller) =>
  sql.join(
    sources.joins.map((join) => {
      const { source, on } = joinSql(join, caller);
      const order =
        join.inverse || !("links" in join.relation.via)
          ? sql``
          : sql`order by ${sql.id(`${join.alias}_l`, "position")}`;
      return sql`left join lateral (select ${sql.id(join.alias)}.* from ${source} where ${on} ${order}
        limit 1) as ${sql.id(join.alias)} on true`;
    }),
    sql` `,
  );

/** Joins all related rows, for sums and counts over them. */
export const allRowJoins = (sources: QuerySources, caller: Caller) =>
  sql.join(
    sources.joins.map((join) => {
      const { source, on } = joinSql(join, caller);
      return sql`left join ${source} on ${on}`;
    }),
    sql` `,
  );
