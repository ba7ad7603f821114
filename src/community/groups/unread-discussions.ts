import { limit, sql } from "#platform/database";
import type { Viewer } from "#community/rules";

/**
 * Joins the viewer's read position in the discussions. It is a lateral join with limit 1, because people
 * differ much in what they read: without it, PostgreSQL chose a plan that scanned all positions for each
 * discussion.
 */
export const viewerReadPositions = (viewer: Viewer, discussion: string, position: string) => {
  const d = sql.ref(discussion);
  return sql`
  left join lateral (
    select r.person_id, r.last_read_number, r.level from read_positions r
    where r.person_id = ${viewer.id}::uuid and r.discussion_id = ${d}.id limit 1
  ) ${sql.ref(position)} on true`;
};

/**
 * Condition: the discussion is not muted and has posts after the viewer's read position. Without a read
 * position, all posts are unread.
 */
export const isDiscussionUnread = (discussion: string, position: string) => {
  const [d, rs] = [sql.ref(discussion), sql.ref(position)];
  return sql<boolean>`(${d}.last_number > coalesce(${rs}.last_read_number, 0)
  and coalesce(${rs}.level, 'normal') <> 'muted')`;
};

/**
 * Number of latest discussions among which unread ones are counted. The count is for a badge and need not be
 * exact.
 */
export const UNREAD_LOOK_BACK = 100;

/**
 * The latest discussions of the group since the viewer joined. Only columns of the index
 * discussions_of_group are used.
 */
export const latestGroupDiscussions = (group: string, membership: string) => {
  const [g, m] = [sql.ref(group), sql.ref(membership)];
  return sql`(
  select id, group_id, last_number, last_post_at from discussions
  where group_id = ${g}.id and state = 'open' and last_post_at >= ${m}.joined_at
  order by last_post_at desc, id desc ${limit(UNREAD_LOOK_BACK)})`;
};

/**
 * Number of unread discussions among the latest of the group `g`, where `m` is the viewer's membership: all
 * but read, muted and empty ones. Read positions are found in one index scan for all discussions, since each
 * page counts them for each of the viewer's groups. They are joined with the table: PostgreSQL expects one
 * read position, and would compare each with all of `latest`, ten thousand pairs per group.
 */
export const unreadDiscussionsCount = (viewer: Viewer, group: string, membership: string) => sql`
  (with latest as materialized ${latestGroupDiscussions(group, membership)}
   select (count(*) filter (where last_number > 0))::int - (select count(*)::int from read_positions rs
     join discussions d on d.id = rs.discussion_id and d.last_number > 0
     where rs.person_id = ${viewer.id}::uuid and rs.discussion_id = any(array(select id from latest))
       and not ${isDiscussionUnread("d", "rs")})
   from latest)`;
