import { type Db, limit, many, one, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Query } from "../search-engine.ts";
import { type FacetCounts, facetColumns, facetCountsSql } from "./facet-counts.ts";
import {
  type CandidateQuery,
  type CandidateList,
  MAX_SCANNED_DOCUMENTS,
  findableDocumentsFrom,
  type Candidate,
  type RankingKey,
  type Sql,
  MAX_COUNTED_DOCUMENTS,
} from "./candidate-query.ts";
import { rankBestMatches } from "./rank-matches.ts";

/** Maximum number of documents that are counted if there are many matches. */
const SCAN_COUNTED = 1_000;

/**
 * Finds candidates if there are many matches: title matches first, then other matches by score. Not all
 * matches are counted.
 */
export async function scanManyMatches(
  db: Db,
  viewer: Viewer,
  asking: CandidateQuery,
): Promise<CandidateList> {
  const { wanted, sort, most } = asking;
  const { column, direction, from } = scanOrder(asking);
  const best = sql`(select * from search_documents where in_index = ${sql.lit(asking.index)} and ${from}
    order by ${column} ${direction}, id ${direction} ${limit(MAX_SCANNED_DOCUMENTS)}) s`;
  // Counting takes as long as the other queries, so they run in parallel.
  const [titled, walked, sums] = await Promise.all([
    wanted && wanted.titled !== null && sort === "relevance"
      ? many(db, titleMatches(viewer, asking, wanted.titled, wanted.narrowed))
      : [],
    many(
      db,
      sql<{
        id: string;
        score: number;
      }>`select s.id, s.score ${findableDocumentsFrom(viewer, asking, best)}
        order by s.${column} ${direction}, s.id desc limit ${most}`,
    ),
    countMatches(db, viewer, asking),
  ]);
  const known = new Set(titled.map(({ id }) => id));
  const rows: Candidate[] = [
    ...titled.map(({ id, score }) => ({ id, fit: [1, 0, 1, 0, 0, score] as RankingKey })),
    ...walked
      .filter(({ id }) => !known.has(id))
      .map(({ id, score }) => ({ id, fit: [1, 0, 0, 0, 0, score] as RankingKey })),
  ];
  // Too few matches were found in score order, so the viewer may find only a small part of the documents.
  // All are searched.
  if (rows.length < most) return rankBestMatches(db, viewer, asking);
  return { rows: rows.slice(0, most), ...sums };
}

/**
 * Column and direction in which the best candidates are read, and the start of the scan: for a later page,
 * the position where the previous page ended.
 */
function scanOrder({ sort, filter }: CandidateQuery): { column: Sql; direction: Sql; from: Sql } {
  if (sort === "relevance") return { column: sql`score`, direction: sql`desc`, from: sql`true` };
  const bounds = findTimeBounds(filter);
  const column = sql`created_at`;
  if (sort.descending)
    return {
      column,
      direction: sql`desc`,
      from: createdWithin(sql`<`, Math.min(...bounds.map(({ to }) => to))),
    };
  return {
    column,
    direction: sql`asc`,
    from: createdWithin(sql`>=`, Math.max(...bounds.map(({ from }) => from))),
  };
}

const createdWithin = (sign: Sql, at: number): Sql =>
  Number.isFinite(at) ? sql`created_at ${sign} to_timestamp(${at})` : sql`true`;

/** Seconds beyond PostgreSQL's timestamp range. */
const MAX_SECONDS = 100_000_000_000;

/** Time bounds in seconds that a filter implies. */
function findTimeBounds(filter: Query["filter"]): { from: number; to: number }[] {
  if (!filter) return [];
  if ("and" in filter) return filter.and.flatMap(findTimeBounds);
  if (!("number" in filter) || filter.number !== "createdAt" || Math.abs(filter.to) > MAX_SECONDS) return [];
  const { is, to } = filter;
  const [next, same] = [Math.floor(to) + 1, Math.ceil(to)];
  if (is === "<" || is === "<=") return [{ from: -Infinity, to: is === "<=" ? next : same }];
  return is === ">" || is === ">=" ? [{ from: is === ">" ? next : same, to: Infinity }] : [];
}

/**
 * SQL: documents with the words in their title. If phrases or exclusions restrict the query (`narrowed`),
 * the text is checked too.
 */
const titleMatches = (viewer: Viewer, asking: CandidateQuery, titled: string, narrowed: boolean) => sql<{
  id: string;
  score: number;
}>`
  select s.id, s.score ${findableDocumentsFrom(viewer, asking, undefined, narrowed)}
    and s.title_words @@ ${titled}::tsquery order by s.score desc, s.id desc limit ${asking.most}`;

/** Counts matches up to a limit. Facets include somewhat more documents. */
async function countMatches(
  db: Db,
  viewer: Viewer,
  asking: CandidateQuery,
): Promise<Omit<CandidateList, "rows">> {
  const { facets, valuesPerFacet } = asking;
  const bound = facets.length > 0 ? MAX_COUNTED_DOCUMENTS : SCAN_COUNTED;
  const { total, counts } = await one(
    db,
    sql<{ total: number; counts: FacetCounts[] }>`
      with found as materialized (select s.id ${facetColumns(facets)} ${findableDocumentsFrom(viewer, asking)}
        limit ${bound + 1})
      select (select count(*) from found)::int as total, ${facetCountsSql(facets, valuesPerFacet)} as counts`,
  );
  return { total: Math.min(total, bound), counts, exact: total <= bound };
}
