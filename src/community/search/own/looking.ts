import { type Db, limit, many, one, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { Index, Query, Sort } from "../engine.ts";
import { candidates } from "../sight.ts";
import type { Wanted } from "../words/question.ts";
import { type Counted, facetColumns, facetCounts } from "./facets.ts";
import { filterSql } from "./filters.ts";

/**
 * Ranking key of a document, larger is better, compared in order: without typos, optional filters, in the
 * title, exact, proximity, score.
 */
type Fit = [plain: number, rather: number, inTitle: number, exact: number, nearness: number, score: number];
export type Candidate = { id: string; fit: Fit };
/** Candidates in order, with counts. */
export type Look = { rows: Candidate[]; total: number; counts: Counted[]; exact: boolean; /** The statement timed out. */ cut?: true };
export type Asking = Pick<Query, "filter" | "rather" | "distinct" | "except"> & {
  index: Index;
  wanted: Wanted | null;
  sort: Sort;
  /** Maximum number of candidates. */
  most: number;
  facets: readonly string[];
  valuesPerFacet: number;
};

/** Documents that are counted and faceted at most; beyond, the total is a lower bound. */
const MOST_COUNTED = 10_000;
/** With more expected matches than this, candidates are searched in score order. */
const MANY = 5_000;
/** For many matches: documents counted, and how far the score order is followed. */
const FEW_COUNTED = 1_000;
const WALK = 20_000;
/** First candidates that are ranked by word positions. */
const RANKED = 200;

/** PostgreSQL's error code of a statement that timed out. */
const TOO_LONG = "57014";
export const isTooLong = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === TOO_LONG;

/** Number of documents with these words, ignoring filters; `most` when there are more. */
export async function countUpTo(db: Db, viewer: Viewer, index: Index, wanted: Wanted | null, most: number): Promise<number> {
  const { count } = await one(
    db,
    sql<{ count: number }>`
      select count(*)::int as count from (select ${amongDocuments(viewer, { index, wanted } as Asking)} ${limit(most)}) found`,
  );
  return count;
}

/** The best documents of an index that this viewer may find. */
export const lookFor = (db: Db, viewer: Viewer, asking: Asking): Promise<Look> =>
  (asking.wanted === null || asking.wanted.estimate > MANY) && inOrder(asking.sort) && !asking.distinct
    ? ratherAmongMany(db, viewer, asking)
    : amongBest(db, viewer, asking);

/** Ranks the best matches, or, when the viewer may see few of these, all the others. */
async function amongBest(db: Db, viewer: Viewer, asking: Asking): Promise<Look> {
  const look = await amongAll(db, viewer, asking, true);
  return look.rows.length < asking.most && !look.exact ? amongAll(db, viewer, asking, false) : look;
}

type Sql = ReturnType<typeof sql>;
const COLUMNS: Record<string, Sql> = {
  createdAt: sql`s.created_at`,
  updatedAt: sql`s.updated_at`,
  likes: sql`s.likes`,
  commentCount: sql`s.comments`,
};
/** Sort orders with a database index. */
const inOrder = (sort: Sort) => sort === "relevance" || sort.by === "createdAt";

const matches = (column: Sql, query: string | undefined) => (query === undefined ? sql`true` : sql`${column} @@ ${query}::tsquery`);

/** The findable documents `s` as `from … where …`, with or without the text condition. */
function amongDocuments(viewer: Viewer, { index, wanted, filter, except }: Asking, from: Sql = sql`search_documents s`, text = true): Sql {
  const { joins, condition } = candidates(index, viewer);
  return sql`from ${from} ${joins} where s.in_index = ${sql.lit(index)} and ${text ? matches(sql`s.words`, wanted?.needed) : sql`true`}
    and ${condition} and ${filterSql(filter, index, viewer)} ${except ? sql`and s.id <> ${except}::uuid` : sql``}`;
}

/**
 * Columns of a matching document, without its text, except for people, whose text carries its own visibility.
 */
const asked = (index: Index) => sql`s.id, s.in_index, s.kind, s.group_id, s.author_id, s.place_id, s.audience, s.said_at,
  s.number, s.tags, s.language, s.states, s.has, s.likes, s.comments, s.members, s.created_at, s.updated_at, s.score,
  s.title_words ${index === "people" ? sql`, s.body` : sql``}`;

/**
 * Finds all matches up to a limit, then ranks the first by word positions. Of very many, only the best by the
 * first sort key (`best`) are considered, and permissions are checked after that.
 */
async function amongAll(db: Db, viewer: Viewer, asking: Asking, best: boolean): Promise<Look> {
  const { wanted, sort, facets, valuesPerFacet, most, distinct } = asking;
  const by = sort === "relevance" ? null : { column: COLUMNS[sort.by]!, way: sort.descending ? sql`desc` : sql`asc` };
  const wished = asking.rather?.length ? sql`rather desc, ` : sql``;
  const { index, filter, except } = asking;
  const bestFirst = by ? sql`order by ${by.column} ${by.way}, s.id desc` : sql`order by s.score desc, s.id desc`;
  const first = by ? sql`place ${by.way}, id desc` : sql`${wished}in_title desc, place desc, id desc`;
  const matching = sql`select ${asked(index)} from search_documents s where s.in_index = ${sql.lit(index)} and ${matches(sql`s.words`, wanted?.needed)}
    and ${filterSql(filter, index, viewer)} ${except ? sql`and s.id <> ${except}::uuid` : sql``} ${bestFirst} ${limit(WALK + 1)}`;
  const among = best
    ? sql`from best s ${candidates(index, viewer).joins} where ${candidates(index, viewer).condition} ${bestFirst}`
    : amongDocuments(viewer, asking);
  const { matched, all, total, rows, counts } = await one(
    db,
    sql<{ matched: number; all: number; total: number; rows: { id: string; fit: Fit }[]; counts: Counted[] }>`
      with ${best ? sql`best as materialized (${matching}),` : sql``} found as materialized (
        select s.id, ${by?.column ?? sql`s.score`} as place, s.score, ${wanted ? sql`coalesce(s.title_words @@ ${wanted.needed}::tsquery, false)` : sql`false`} as in_title,
          ${ratherSql(viewer, asking)} as rather, ${distinct ? sql`coalesce(s.place_id, s.id)` : sql`s.id`} as apart ${facetColumns(facets)}
        ${among} ${limit(MOST_COUNTED + 1)}),
      each as (${distinct ? sql`select * from (select *, row_number() over (partition by apart order by ${first}) as nth from found) f where nth = 1` : sql`select * from found`}),
      numbered as (select id, score, rather, in_title, row_number() over (order by ${first}) as n from each order by n limit ${Math.max(RANKED, most)}),
      fitting as (select numbered.*, ${fitOf(asking)} as fit from numbered join search_documents s on s.id = numbered.id)
      select ${best ? sql`(select count(*) from best)::int` : sql`0`} as matched, (select count(*) from found)::int as all, (select count(*) from ${distinct ? sql`each` : sql`found`})::int as total, ${facetCounts(facets, valuesPerFacet)} as counts,
        (select coalesce(json_agg(json_build_object('id', page.id, 'fit', page.fit)), '[]') from (select id, fit from fitting order by fit desc nulls last, n limit ${most}) page) as rows`,
  );
  return {
    rows: rows.map(({ id, fit }) => ({ id, fit: fit ?? [0, 0, 0, 0, 0, 0] })),
    total: Math.min(total, MOST_COUNTED),
    counts,
    // Only one per container is counted, and of very many not all were scanned.
    exact: all <= MOST_COUNTED && matched <= WALK,
  };
}

/** Proximity counts in steps of factor four, so that likes decide between similar matches. */
function fitOf({ wanted, sort, rather }: Asking): Sql {
  if (sort !== "relevance") return sql`null::float8[]`;
  if (wanted === null) return rather?.length ? sql`array[0, rather, 0, 0, 0, s.score]::float8[]` : sql`null::float8[]`;
  return sql`case when n <= ${RANKED} then array[(s.words @@ ${wanted.plain}::tsquery)::int, rather, in_title::int, (s.words @@ ${wanted.exact}::tsquery)::int,
        floor(ln(ts_rank_cd(s.words, ${wanted.needed}::tsquery, 1) + 0.000001) / ln(4.0)), s.score]::float8[] end`;
}

/** Number of optional filters a document meets. */
const ratherSql = (viewer: Viewer, { rather = [], index }: Asking): Sql =>
  rather.length === 0
    ? sql`0`
    : sql`(${sql.join(
        rather.map((it) => sql`coalesce(${filterSql(it, index, viewer)}, false)::int`),
        sql` + `,
      )})`;

/**
 * Optional filters may match only documents far down among many: those are searched separately and come
 * first.
 */
async function ratherAmongMany(db: Db, viewer: Viewer, asking: Asking): Promise<Look> {
  const { rather = [], filter, most, sort } = asking;
  if (rather.length === 0 || sort !== "relevance") return amongMany(db, viewer, asking);
  const some: Asking["filter"] = { and: [...(filter ? [filter] : []), { or: [...rather] }] };
  const [wanted, all] = await Promise.all([amongBest(db, viewer, { ...asking, filter: some, facets: [] }), amongMany(db, viewer, asking)]);
  const known = new Set(wanted.rows.map(({ id }) => id));
  const others = all.rows.filter(({ id }) => !known.has(id));
  return { ...all, rows: [...wanted.rows, ...others].sort((a, b) => inOrderOf(b.fit, a.fit)).slice(0, most) };
}

/** Compares by the first differing component. */
export const inOrderOf = (one: readonly number[], other: readonly number[]): number => {
  const i = one.findIndex((value, at) => value !== other[at]);
  return i === -1 ? 0 : one[i]! - other[i]!;
};

/** For many matches: title matches first, then the most liked and latest. Not all of them are counted. */
async function amongMany(db: Db, viewer: Viewer, asking: Asking): Promise<Look> {
  const { wanted, sort, most } = asking;
  const { column, way, from } = wayOf(asking);
  const best = sql`(select * from search_documents where in_index = ${sql.lit(asking.index)} and ${from} order by ${column} ${way}, id ${way} ${limit(WALK)}) s`;
  // Run in parallel, since counting takes as long as the rest.
  const [titled, walked, sums] = await Promise.all([
    wanted && wanted.titled !== null && sort === "relevance" ? many(db, titledWith(viewer, asking, wanted.titled, wanted.narrowed)) : [],
    many(
      db,
      sql<{
        id: string;
        score: number;
      }>`select s.id, s.score ${amongDocuments(viewer, asking, best)} order by s.${column} ${way}, s.id desc limit ${most}`,
    ),
    counted(db, viewer, asking),
  ]);
  const known = new Set(titled.map(({ id }) => id));
  const rows: Candidate[] = [
    ...titled.map(({ id, score }) => ({ id, fit: [1, 0, 1, 0, 0, score] as Fit })),
    ...walked.filter(({ id }) => !known.has(id)).map(({ id, score }) => ({ id, fit: [1, 0, 0, 0, 0, score] as Fit })),
  ];
  // Too few matches on the way: documents this viewer may find are rare, so all are searched.
  if (rows.length < most) return amongBest(db, viewer, asking);
  return { rows: rows.slice(0, most), ...sums };
}

/** Scan order for the best candidates, and its start: paging continues from the end of the last page. */
function wayOf({ sort, filter }: Asking): { column: Sql; way: Sql; from: Sql } {
  if (sort === "relevance") return { column: sql`score`, way: sql`desc`, from: sql`true` };
  const bounds = boundsIn(filter);
  const column = sql`created_at`;
  if (sort.descending) return { column, way: sql`desc`, from: within(sql`<`, Math.min(...bounds.map(({ to }) => to))) };
  return { column, way: sql`asc`, from: within(sql`>=`, Math.max(...bounds.map(({ from }) => from))) };
}

const within = (sign: Sql, at: number): Sql => (Number.isFinite(at) ? sql`created_at ${sign} to_timestamp(${at})` : sql`true`);

/** Seconds beyond PostgreSQL's timestamp range. */
const FARTHEST = 100_000_000_000;

/** Time bounds (seconds) implied by a filter. */
function boundsIn(filter: Query["filter"]): { from: number; to: number }[] {
  if (!filter) return [];
  if ("and" in filter) return filter.and.flatMap(boundsIn);
  if (!("number" in filter) || filter.number !== "createdAt" || Math.abs(filter.to) > FARTHEST) return [];
  const { is, to } = filter;
  const [next, same] = [Math.floor(to) + 1, Math.ceil(to)];
  if (is === "<" || is === "<=") return [{ from: -Infinity, to: is === "<=" ? next : same }];
  return is === ">" || is === ">=" ? [{ from: is === ">" ? next : same, to: Infinity }] : [];
}

/** Documents with the words in their title; other conditions check the text. */
const titledWith = (viewer: Viewer, asking: Asking, titled: string, narrowed: boolean) => sql<{ id: string; score: number }>`
  select s.id, s.score ${amongDocuments(viewer, asking, undefined, narrowed)} and s.title_words @@ ${titled}::tsquery order by s.score desc, s.id desc limit ${asking.most}`;

/** Counts up to a limit; facets cover somewhat more documents. */
async function counted(db: Db, viewer: Viewer, asking: Asking): Promise<Omit<Look, "rows">> {
  const { facets, valuesPerFacet } = asking;
  const bound = facets.length > 0 ? MOST_COUNTED : FEW_COUNTED;
  const { total, counts } = await one(
    db,
    sql<{ total: number; counts: Counted[] }>`
      with found as materialized (select s.id ${facetColumns(facets)} ${amongDocuments(viewer, asking)} limit ${bound + 1})
      select (select count(*) from found)::int as total, ${facetCounts(facets, valuesPerFacet)} as counts`,
  );
  return { total: Math.min(total, bound), counts, exact: total <= bound };
}
