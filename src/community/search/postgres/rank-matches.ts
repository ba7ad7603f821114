import { type Db, limit, one, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Index } from "../search-engine.ts";
import { findableDocuments } from "../search-visibility.ts";
import { type FacetCounts, facetColumns, facetCountsSql } from "./facet-counts.ts";
import { filterSql } from "./filter-sql.ts";
import {
  type CandidateQuery,
  type CandidateList,
  type Sql,
  matchesSql,
  MAX_SCANNED_DOCUMENTS,
  findableDocumentsFrom,
  type RankingKey,
  MAX_COUNTED_DOCUMENTS,
} from "./candidate-query.ts";

/** Number of first candidates that are ranked by word positions. */
const MAX_RANKED = 200;

/** Ranks the best matches by score. If the viewer may see only few of these, ranks all matches. */
export async function rankBestMatches(
  db: Db,
  viewer: Viewer,
  asking: CandidateQuery,
): Promise<CandidateList> {
  const look = await rankAllMatches(db, viewer, asking, true);
  return look.rows.length < asking.most && !look.exact ? rankAllMatches(db, viewer, asking, false) : look;
}
const SORT_COLUMNS: Record<string, Sql> = {
  createdAt: sql`s.created_at`,
  updatedAt: sql`s.updated_at`,
  likes: sql`s.likes`,
  commentCount: sql`s.comments`,
  startsAt: sql`s.starts_at`,
};

/**
 * Columns of a matching document, without its text. People and events are an exception, because visibility of
 * their text is checked per document.
 */
const documentColumns = (
  index: Index,
) => sql`s.id, s.in_index, s.kind, s.group_id, s.author_id, s.place_id, s.audience, s.written_at,
  s.number, s.tags, s.language, s.states, s.has, s.likes, s.comments, s.members, s.created_at, s.updated_at,
  s.starts_at, s.ends_at, s.score,
  s.title_words ${index === "people" || index === "events" ? sql`, s.names, s.body` : sql``}`;

/**
 * Finds all matches up to a limit, then ranks the first by word positions. If there are very many, only the
 * best by the first sort key (`best`) are considered, and permissions are checked afterwards.
 */
async function rankAllMatches(
  db: Db,
  viewer: Viewer,
  asking: CandidateQuery,
  best: boolean,
): Promise<CandidateList> {
  const { wanted, sort, facets, valuesPerFacet, most, distinct } = asking;
  const by =
    sort === "relevance"
      ? null
      : { column: SORT_COLUMNS[sort.by]!, way: sort.descending ? sql`desc` : sql`asc` };
  const wished = asking.optionalFilters?.length ? sql`optional_filters desc, ` : sql``;
  const { index, filter, except } = asking;
  const bestFirst = by
    ? sql`order by ${by.column} ${by.way}, s.id desc`
    : sql`order by s.score desc, s.id desc`;
  const first = by ? sql`place ${by.way}, id desc` : sql`${wished}in_title desc, place desc, id desc`;
  const matching = sql`select ${documentColumns(index)} from search_documents s
    where s.in_index = ${sql.lit(index)} and ${matchesSql(sql`s.words`, wanted?.needed)}
    and ${filterSql(filter, index, viewer)} ${except ? sql`and s.id <> ${except}::uuid` : sql``} ${bestFirst}
      ${limit(MAX_SCANNED_DOCUMENTS + 1)}`;
  const among = best
    ? sql`from best s ${findableDocuments(index, viewer).joins}
      where ${findableDocuments(index, viewer).condition} ${bestFirst}`
    : findableDocumentsFrom(viewer, asking);
  const { matched, all, total, rows, counts } = await one(
    db,
    sql<{
      matched: number;
      all: number;
      total: number;
      rows: { id: string; fit: RankingKey }[];
      counts: FacetCounts[];
    }>`
      with ${best ? sql`best as materialized (${matching}),` : sql``} found as materialized (
        select s.id, ${by?.column ?? sql`s.score`} as place, s.score, ${
          wanted
            ? sql`coalesce(s.title_words @@
          ${wanted.needed}::tsquery, false)`
            : sql`false`
        } as in_title,
          ${optionalFilterCount(viewer, asking)} as optional_filters, ${
            distinct
              ? sql`coalesce(s.place_id,
            s.id)`
              : sql`s.id`
          } as apart ${facetColumns(facets)}
        ${among} ${limit(MAX_COUNTED_DOCUMENTS + 1)}),
      each as (${
        distinct
          ? sql`
        select * from (select *, row_number() over (partition by apart order by ${first}) as nth from found) f
        where nth = 1`
          : sql`select * from found`
      }),
      numbered as (select id, score, optional_filters, in_title, row_number() over (order by ${first}) as n from each
        order by n limit ${Math.max(MAX_RANKED, most)}),
      fitting as (select numbered.*, ${fitSql(asking)} as fit from numbered
        join search_documents s on s.id = numbered.id)
      select ${best ? sql`(select count(*) from best)::int` : sql`0`} as matched, (select count(*)
        from found)::int as all, (select count(*) from ${distinct ? sql`each` : sql`found`})::int as total,
          ${facetCountsSql(facets, valuesPerFacet)} as counts,
        (select coalesce(json_agg(json_build_object('id', page.id, 'fit', page.fit)), '[]')
          from (select id, fit from fitting order by fit desc nulls last, n limit ${most}) page) as rows`,
  );
  return {
    rows: rows.map(({ id, fit }) => ({ id, fit: fit ?? [0, 0, 0, 0, 0, 0] })),
    total: Math.min(total, MAX_COUNTED_DOCUMENTS),
    counts,
    // The total is not exact if there are more than `MAX_COUNTED_DOCUMENTS` hits, or if not all matches were
    // scanned.
    exact: all <= MAX_COUNTED_DOCUMENTS && matched <= MAX_SCANNED_DOCUMENTS,
  };
}

/** Proximity is graded in steps of factor four, so that likes decide between similar matches. */
function fitSql({ wanted, sort, optionalFilters }: CandidateQuery): Sql {
  if (sort !== "relevance") return sql`null::float8[]`;
  if (wanted === null)
    return optionalFilters?.length
      ? sql`array[0, optional_filters, 0, 0, 0, s.score]::float8[]`
      : sql`null::float8[]`;
  return sql`case when n <= ${MAX_RANKED} then array[(s.words @@ ${wanted.plain}::tsquery)::int, optional_filters,
    in_title::int, (s.words @@ ${wanted.exact}::tsquery)::int,
        floor(ln(ts_rank_cd(s.words, ${wanted.needed}::tsquery, 1) + 0.000001) / ln(4.0)), s.score]::float8[]
          end`;
}

/** SQL: number of optional filters that a document meets. */
const optionalFilterCount = (viewer: Viewer, { optionalFilters = [], index }: CandidateQuery): Sql =>
  optionalFilters.length === 0
    ? sql`0`
    : sql`(${sql.join(
        optionalFilters.map((it) => sql`coalesce(${filterSql(it, index, viewer)}, false)::int`),
        sql` + `,
      )})`;
