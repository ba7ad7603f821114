import { type Db, limit, many, one, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Index, Query, Sort } from "../search-engine.ts";
import { findableDocuments } from "../search-visibility.ts";
import type { TextQuery } from "../text/text-query.ts";
import { type FacetCounts, facetColumns, facetCountsSql } from "./facet-counts.ts";
import { filterSql } from "./filter-sql.ts";

/**
 * Ranking key of a document. The components are compared in order, and larger is better: no typos, optional
 * filters met, match in the title, exact words, proximity, score.
 */
type Fit = [
  plain: number,
  optionalFilters: number,
  inTitle: number,
  exact: number,
  nearness: number,
  score: number,
];
export type Candidate = { id: string; fit: Fit };
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
  facets: readonly string[];
  valuesPerFacet: number;
};

/** Maximum number of documents that are counted and faceted. Above it, the total is a lower bound. */
const MAX_COUNTED = 10_000;
/** If more matches than this are expected, candidates are read in score order. */
const MANY_MATCHES = 5_000;
/** Limits for many matches: the number of documents counted, and the number read in score order. */
const SCAN_COUNTED = 1_000;
const SCAN_LENGTH = 20_000;
/** Number of first candidates that are ranked by word positions. */
const MAX_RANKED = 200;

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
      from (select ${findableDocumentsFrom(viewer, { index, wanted: textQuery } as CandidateQuery)} ${limit(most)})
        found`,
  );
  return count;
}

/** Finds the best documents of an index among those that this viewer may find. */
export const findCandidates = (db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> =>
  (asking.wanted === null || asking.wanted.estimate > MANY_MATCHES) &&
  hasSortIndex(asking.sort) &&
  !asking.distinct
    ? findOptionalMatches(db, viewer, asking)
    : rankBestMatches(db, viewer, asking);

/** Ranks the best matches by score. If the viewer may see only few of these, ranks all matches. */
async function rankBestMatches(db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> {
  const look = await rankAllMatches(db, viewer, asking, true);
  return look.rows.length < asking.most && !look.exact ? rankAllMatches(db, viewer, asking, false) : look;
}

type Sql = ReturnType<typeof sql>;
const SORT_COLUMNS: Record<string, Sql> = {
  createdAt: sql`s.created_at`,
  updatedAt: sql`s.updated_at`,
  likes: sql`s.likes`,
  commentCount: sql`s.comments`,
};
/** Whether a database index supports the sort order. */
const hasSortIndex = (sort: Sort) => sort === "relevance" || sort.by === "createdAt";

const matchesSql = (column: Sql, query: string | undefined) =>
  query === undefined ? sql`true` : sql`${column} @@ ${query}::tsquery`;

/**
 * SQL for the documents `s` that the viewer may find, as `from … where …`. `text`: whether to include the
 * text condition.
 */
function findableDocumentsFrom(
  viewer: Viewer,
  { index, wanted, filter, except }: CandidateQuery,
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

/**
 * Columns of a matching document, without its text. People are an exception, because visibility of their
 * text is checked per person.
 */
const documentColumns = (
  index: Index,
) => sql`s.id, s.in_index, s.kind, s.group_id, s.author_id, s.place_id, s.audience, s.written_at,
  s.number, s.tags, s.language, s.states, s.has, s.likes, s.comments, s.members, s.created_at, s.updated_at,
  s.score,
  s.title_words ${index === "people" ? sql`, s.body` : sql``}`;

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
      ${limit(SCAN_LENGTH + 1)}`;
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
      rows: { id: string; fit: Fit }[];
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
        ${among} ${limit(MAX_COUNTED + 1)}),
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
    total: Math.min(total, MAX_COUNTED),
    counts,
    // The total is not exact if there are more than `MAX_COUNTED` hits, or if not all matches were scanned.
    exact: all <= MAX_COUNTED && matched <= SCAN_LENGTH,
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

/**
 * Searches for documents that meet optional filters separately and lists them first: in a long list of
 * matches they may be too far down to be found otherwise.
 */
async function findOptionalMatches(db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> {
  const { optionalFilters = [], filter, most, sort } = asking;
  if (optionalFilters.length === 0 || sort !== "relevance") return scanManyMatches(db, viewer, asking);
  const some: CandidateQuery["filter"] = { and: [...(filter ? [filter] : []), { or: [...optionalFilters] }] };
  const [wanted, all] = await Promise.all([
    rankBestMatches(db, viewer, { ...asking, filter: some, facets: [] }),
    scanManyMatches(db, viewer, asking),
  ]);
  const known = new Set(wanted.rows.map(({ id }) => id));
  const others = all.rows.filter(({ id }) => !known.has(id));
  return {
    ...all,
    rows: [...wanted.rows, ...others].sort((a, b) => compareFit(b.fit, a.fit)).slice(0, most),
  };
}

/** Compares by the first differing component. */
export const compareFit = (left: readonly number[], right: readonly number[]): number => {
  const i = left.findIndex((value, at) => value !== right[at]);
  return i === -1 ? 0 : left[i]! - right[i]!;
};

/**
 * Finds candidates if there are many matches: title matches first, then other matches by score. Not all
 * matches are counted.
 */
async function scanManyMatches(db: Db, viewer: Viewer, asking: CandidateQuery): Promise<CandidateList> {
  const { wanted, sort, most } = asking;
  const { column, direction, from } = scanOrder(asking);
  const best = sql`(select * from search_documents where in_index = ${sql.lit(asking.index)} and ${from}
    order by ${column} ${direction}, id ${direction} ${limit(SCAN_LENGTH)}) s`;
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
    ...titled.map(({ id, score }) => ({ id, fit: [1, 0, 1, 0, 0, score] as Fit })),
    ...walked
      .filter(({ id }) => !known.has(id))
      .map(({ id, score }) => ({ id, fit: [1, 0, 0, 0, 0, score] as Fit })),
  ];
  // Too few matches were found in score order, so the viewer may find only a small part of the documents.
  // All are searched.
  if (rows.length < most) return rankBestMatches(db, viewer, asking);
  return { rows: rows.slice(0, most), ...sums };
}

/**
 * Column and direction in which the best candidates are read, and the start of the scan: for a later page,
 * the end of the last one.
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
  const bound = facets.length > 0 ? MAX_COUNTED : SCAN_COUNTED;
  const { total, counts } = await one(
    db,
    sql<{ total: number; counts: FacetCounts[] }>`
      with found as materialized (select s.id ${facetColumns(facets)} ${findableDocumentsFrom(viewer, asking)}
        limit ${bound + 1})
      select (select count(*) from found)::int as total, ${facetCountsSql(facets, valuesPerFacet)} as counts`,
  );
  return { total: Math.min(total, bound), counts, exact: total <= bound };
}
