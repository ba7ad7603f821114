import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";
import { firstPostExcerpts } from "./discussion-lists.ts";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow } from "../discussion-columns.ts";

const TIME_SPANS = { week: 7 * DAY, month: 30 * DAY, year: 365 * DAY };
export type TopQuery = { span: keyof typeof TIME_SPANS; now: Date };
export type TopRow = DiscussionRow & { excerpt: string };

export const TOP_COUNT = 10;
/** Number of longest discussions examined first. More are examined if many long ones were inactive. */
const LONG_DISCUSSIONS = 200;
const MAX_LONG_DISCUSSIONS = 5000;

/**
 * The most active discussions of the week, month or year before `now`, with excerpts; ten unless `most` is
 * given.
 */
export async function listTopDiscussions(
  db: Db,
  viewer: Viewer,
  { span, now, most = TOP_COUNT }: TopQuery & { most?: number },
): Promise<TopRow[]> {
  const wanted = { since: addMilliseconds(now, -TIME_SPANS[span]), most };
  const first = await listCandidates(db, viewer, { ...wanted, longest: LONG_DISCUSSIONS, longerThan: 0 });
  // A discussion that was not examined cannot be among the results if all its posts together are fewer than
  // the recent posts of the last candidate.
  const [last] = first.slice(-1);
  const mayMissSome = last?.looked === "some" && last.said < last.shortest;
  const rows = mayMissSome
    ? await listCandidates(db, viewer, {
        ...wanted,
        longest: MAX_LONG_DISCUSSIONS,
        longerThan: last.said - 1,
      })
    : first;
  return rows.map(({ beginning, said: _said, shortest: _shortest, looked: _looked, ...row }) => ({
    ...row,
    excerpt: createExcerpt(beginning ?? "", 200),
  }));
}

type TopCandidate = {
  beginning: string | null;
  /** Number of posts since the beginning of the period. */
  said: number;
  /** Total posts of the shortest discussion examined; `looked` is `some` if shorter ones may exist. */
  shortest: number;
  looked: "all" | "some";
};

type CandidateQuery = { since: Date; most: number; longest: number; longerThan: number };

/** The longest discussions, with the number of posts since a time. */
const listCandidates = (db: Db, viewer: Viewer, { since, most, longest, longerThan }: CandidateQuery) =>
  listDiscussionRows<TopCandidate>(
    db,
    viewer,
    sql`select d.*, ${postsSince} as said, min(d.posts_count) over () as shortest,
          case when count(*) over () < ${longest} then 'all' else 'some' end as looked
        from (
          select d.* from discussions d
          join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
          where d.state = 'open' and d.last_post_at > ${since} and d.posts_count > ${longerThan}
            and ${isDiscussionReadable("d", "g", "m")}
          order by d.posts_count desc, d.last_post_at desc, d.id desc ${limit(longest)}) d
        left join lateral (${lastNumberBefore(since)}) before on d.created_at <= ${since}
        order by said desc, d.last_post_at desc, d.id desc ${limit(most)}`,
    sql`d.said desc, d.last_post_at desc, d.id desc`,
    {
      columns: sql`, d.said, d.shortest, d.looked ${firstPostExcerpts(viewer).columns}`,
      joins: firstPostExcerpts(viewer).joins,
    },
  );

/** Number of posts since the period began, at most the present number of posts. */
const postsSince = sql<number>`least(d.posts_count, d.last_number - coalesce(before.number, 0))`;

/**
 * Number of the last post of `d` before a time. Numbers grow with time and have no gaps, so that a binary
 * search reads a dozen posts instead of thousands.
 */
const lastNumberBefore = (since: Date) => sql`
  with recursive halves as (
    select 0 as low, d.last_number as high
    union all
    select case when was_there then middle else low end, case when was_there then high else middle - 1 end
    from (select low, high, (low + high + 1) / 2 as middle from halves where low < high) h
    cross join lateral (
      select exists (select from posts p
        where p.discussion_id = d.id and p.number = middle and p.created_at <= ${since}) as was_there) p)
  select low as number from halves where low = high`;
