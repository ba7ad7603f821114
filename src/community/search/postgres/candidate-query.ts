import { type Db, limit, one, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Index, Query, Sort } from "../search-engine.ts";
import { findableDocuments } from "../search-visibility.ts";
import type { TextQuery } from "../text/text-query.ts";
import type { CountableFacet, FacetCounts } from "./facet-counts.ts";
import { filterSql } from "./filter-sql.ts";

/**
 * Ranking key of a document. The components are compared in order, and larger is better: no typos, optional
 * filters met, match in the title, exact words, proximity, score.
 */
export type RankingKey = [
  plain: number,
  optionalFilters: number,
  inTitle: number,
  exact: number,
  nearness: number,
  score: number,
];
export type Candidate = { id: string; fit: RankingKey };
/** Candidates in ranking order, with counts. */
export type CandidateList = {
  rows: Candidate[];
  total: number;
  counts: FacetCounts[];
  exact: boolean;
  /** The statement timed out. */ cut?: true;
};
export type CandidateQuery = Pick<Query, "filter" | "optionalFilters" | "distinct" | "except"> & {
  index: Index;
  wanted: TextQuery | null;
  sort: Sort;
  /** Maximum number of candidates. */
  most: number;
  facets: readonly CountableFacet[];
  valuesPerFacet: number;
};

/** Maximum number of documents that are counted and faceted. Above it, the total is a lower bound. */
export const MAX_COUNTED_DOCUMENTS = 10_000;
/** Maximum number of documents that are read in score order if there are many matches. */
export const MAX_SCANNED_DOCUMENTS = 20_000;

/** PostgreSQL's error code of a statement that timed out. */
const QUERY_CANCELED = "57014";
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === QUERY_CANCELED;

/** Number of documents with these words, ignoring filters; `most` when there are more. */
export async function countMatchesUpTo(
  db: Db,
  viewer: Viewer,
  index: Index,
  textQuery: TextQuery | null,
  most: number,
): Promise<number> {
  const { count } = await one(
    db,
    sql<{ count: number }>`
      select count(*)::int as count
      from (select ${findableDocumentsFrom(viewer, { index, wanted: textQuery })} ${limit(most)})
        found`,
  );
  return count;
}

export type Sql = ReturnType<typeof sql>;

export const matchesSql = (column: Sql, query: string | undefined) =>
  query === undefined ? sql`true` : sql`${column} @@ ${query}::tsquery`;

/**
 * SQL for the documents `s` that the viewer may find, as `from … where …`. `text`: whether to include the
 * text condition.
 */
export function findableDocumentsFrom(
  viewer: Viewer,
  { index, wanted, filter, except }: Pick<CandidateQuery, "index" | "wanted" | "filter" | "except">,
  from: Sql = sql`search_documents s`,
  text = true,
): Sql {
  const { joins, condition } = findableDocuments(index, viewer);
  return sql`from ${from} ${joins}
    where s.in_index = ${sql.lit(index)} and ${text ? matchesSql(sql`s.words`, wanted?.needed) : sql`true`}
    and ${condition} and ${filterSql(filter, index, viewer)} ${
      except
        ? sql`and s.id
      <> ${except}::uuid`
        : sql``
    }`;
}
