import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, sql } from "#platform/database";
import { blockedIds, blockerIds, mutedIds } from "#community/friends";
import {
  isDiscussionReadable,
  isGroupReadable,
  isDiscussionUnread,
  viewerReadPositions,
  viewerMembership,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import { type Discussion, type DiscussionRow } from "../discussion-columns.ts";
import { listDiscussionRows } from "../lists/discussion-row-queries.ts";

const MAX_SUGGESTIONS = 5;
const FOLLOWED_WINDOW = 90 * DAY;
const RECENT_WINDOW = 365 * DAY;
/**
 * Number of latest discussions examined for each source. More are examined for the last source, since the
 * viewer may not be allowed to read all of its discussions.
 */
const CANDIDATES = 100;
const CANDIDATES_ELSEWHERE = 1000;

/**
 * Suggests at most five discussions to read after another one: followed unread discussions of 90 days, then
 * discussions of the same group, then other discussions of the last year. Discussions of muted authors
 * appear only if they are followed. Periods end at `now`.
 */
export async function listReadNext(
  db: Db,
  viewer: Viewer,
  from: Discussion,
  now: Date,
): Promise<DiscussionRow[]> {
  return listDiscussionRows<{ rank: number }>(
    db,
    viewer,
    sql`select d.*, n.rank from (
          with followed as materialized (${followedDiscussions(viewer, from, now)}),
          neighbours as materialized (${discussionsInGroup(viewer, from, now)}),
          others as materialized (${discussionsElsewhere(viewer, from, now)})
          select id, min(rank) as rank from (
            select id, last_post_at, 1 as rank from followed union all
            select id, last_post_at, 2 from neighbours union all
            select id, last_post_at, 3 from others) found
          group by id order by min(rank), max(last_post_at) desc, id desc ${limit(MAX_SUGGESTIONS)}) n
        join discussions d on d.id = n.id`,
    sql`d.rank, d.last_post_at desc, d.id desc`,
    { columns: sql`, d.rank`, joins: sql`` },
  );
}

type Sql = ReturnType<typeof sql>;

/**
 * Followed unread discussions. The query starts from followed discussions, because they are fewer than
 * unread ones.
 */
const followedDiscussions = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from read_positions rs join discussions d on d.id = rs.discussion_id
        where rs.person_id = ${viewer.id}::uuid and rs.level in ('watching', 'tracking')
          and ${isDiscussionUnread("d", "rs")}
          and ${isOtherOpenDiscussion(from, addMilliseconds(now, -FOLLOWED_WINDOW))}
          order by d.last_post_at desc, d.id desc ${limit(CANDIDATES)}`,
    { joins: sql``, where: sql`true` },
  );

const discussionsInGroup = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from discussions d
      where d.group_id = ${from.group.id}
        and ${isOtherOpenDiscussion(from, addMilliseconds(now, -RECENT_WINDOW))}
          and ${needsMore("followed")} order by d.last_post_at desc, d.id desc ${limit(CANDIDATES)}`,
    { joins: sql``, where: isAuthorNotMuted(viewer) },
  );

const discussionsElsewhere = (viewer: Viewer, from: Discussion, now: Date) =>
  latestReadable(
    viewer,
    sql`select d.* from discussions d
      where ${isOtherOpenDiscussion(from, addMilliseconds(now, -RECENT_WINDOW))}
          and ${isInReadableGroup(viewer)} and ${needsMore("followed", "neighbours")}
          order by d.last_post_at desc, d.id desc ${limit(CANDIDATES_ELSEWHERE)}`,
    {
      joins: viewerReadPositions(viewer, "d", "rs"),
      where: sql`coalesce(rs.level, 'normal') <> 'muted' and ${isAuthorNotMuted(viewer)}`,
    },
  );

/**
 * Condition that uses an `in` list, which PostgreSQL evaluates once: with a join, it would scan every
 * discussion of such groups.
 */
const isInReadableGroup = (viewer: Viewer) =>
  sql`(d.group_id in (select g.id from groups g ${viewerMembership(viewer, "g", "m")}
    where ${isGroupReadable("g", "m")})) is true`;

const isOtherOpenDiscussion = (from: Discussion, since: Date) =>
  sql`d.id <> ${from.id} and d.state = 'open' and d.last_post_at > ${since}`;
const isAuthorNotMuted = (viewer: Viewer) => sql`d.author_id <> all(${mutedIds(viewer)})`;

/**
 * Whether the sources so far have found too few. PostgreSQL evaluates this once and then skips the later
 * sources.
 */
const needsMore = (...found: string[]) =>
  sql`(select count(distinct id) from (${sql.join(
    found.map((it) => sql`select id from ${sql.ref(it)}`),
    sql` union all `,
  )}) so_far) < ${MAX_SUGGESTIONS}`;

/**
 * The latest readable discussions of a source. The candidates are ordered, so that PostgreSQL stops early:
 * it expects few readable discussions and would otherwise read all candidates.
 */
const latestReadable = (viewer: Viewer, candidates: Sql, more: { joins: Sql; where: Sql }) => sql`
  select d.id, d.last_post_at from (${candidates}) d
  join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")} ${more.joins}
  where ${more.where} and d.author_id <> all(${blockerIds(viewer)})
    and d.author_id <> all(${blockedIds(viewer)}) and ${isDiscussionReadable("d", "g", "m")}
  order by d.last_post_at desc, d.id desc ${limit(MAX_SUGGESTIONS)}`;
