import { type Db, many, sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { cardFor } from "#community/friends";
import { pastBlocks, readsFrom, viewersReading, viewersTie } from "#community/groups";
import type { Viewer, Visibility } from "#community/rules";

export type FollowLevel = "watching" | "tracking" | "normal" | "muted";
/** A discussion as a line in a list. */
export type DiscussionRow = {
  id: string;
  title: string;
  language: string;
  tags: string[];
  group: { id: string; slug: string; name: string; visibility: Visibility };
  author: PersonCard | null;
  lastPoster: PersonCard | null;
  createdAt: Date;
  lastPostAt: Date;
  replies: number;
  /** Posts the viewer has not read; 0 for guests, and for what is older than one's membership. */
  unread: number;
  /** There is something unread, and the viewer has never opened it. */
  isNew: boolean;
  /** The post to open at, when there is something unread. */
  firstUnread: number | null;
  pinned: boolean;
  locked: boolean;
  resolved: boolean;
  archived: boolean;
  level: FollowLevel;
  mine: boolean;
};

type Sql = ReturnType<typeof sql>;

// In these fragments `d` is the discussion, `g` its group, `m` the viewer's membership and `rs` what they have read.

/**
 * Joins the last post of `d` that the viewer does not read because it is older than their membership, as `before_me`:
 * nothing where they read all. Numbers grow with time, so what follows it is what they read. That the discussion began before
 * then is asked within, where PostgreSQL asks it once: outside, it would read all posts of a discussion to find none.
 */
export const whatWentBefore = sql`
  left join lateral (
    select p.number from posts p
    where d.created_at < ${readsFrom("d")} and p.discussion_id = d.id and p.created_at < ${readsFrom("d")} order by p.number desc limit 1
  ) before_me on true`;

/** The number of the last post that the viewer does not read, 0 where they read all. */
export const hiddenUpTo = sql<number>`coalesce(before_me.number, 0)`;

/** Answers that the viewer reads; among what went on before them, the first one counts too. */
export const repliesSeen = sql<number>`case when before_me.number is null then greatest(d.posts_count - 1, 0) else d.last_number - before_me.number end`;

/** The number of the last post that is not new to the viewer. */
const behind = sql`greatest(coalesce(rs.last_read_number, 0), ${hiddenUpTo})`;

/** Places of posts that were split off: these are unread where they stand now, not here. Most discussions have none, and are not asked. */
const movedAhead = sql`
  case when d.posts_count < d.last_number
    then (select count(*)::int from posts gone where gone.discussion_id = d.id and gone.state = 'moved' and gone.number > ${behind}) else 0 end`;

/** How many posts are new: of what one has opened before, and of what was said since one is a member. */
export const unreadPosts = sql<number>`
  case when coalesce(rs.level, 'normal') <> 'muted' and (rs.person_id is not null or (m.state = 'member' and d.last_post_at >= m.joined_at))
    then greatest(d.last_number - ${behind} - ${movedAhead}, 0) else 0 end`;

export const firstUnreadPost = sql<number | null>`case when ${unreadPosts} > 0 then ${behind} + 1 end`;

/**
 * How far somebody has read who has read up to `number` of the discussion `d`: on past places whose posts stand elsewhere by now, so that the
 * next is one that can be read.
 */
export const readPast = (number: Sql) => sql<number>`
  coalesce((select min(next.number) - 1 from posts next where next.discussion_id = d.id and next.number > ${number} and next.state <> 'moved'), d.last_number)`;

/** It stands on top of its group. A pin is over at its end: the job that takes it away then may come a moment later. */
export const isPinned = sql<boolean>`(d.pinned_at is not null and coalesce(d.pinned_until > now(), true))`;

const columns = (viewer: Viewer) => sql`
  d.id, d.title, d.language, d.tags, json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility', g.visibility) as "group",
  ${cardFor(viewer, "author", pastBlocks)} as author, ${cardFor(viewer, "last_poster", pastBlocks)} as "lastPoster",
  d.created_at as "createdAt", d.last_post_at as "lastPostAt", ${repliesSeen} as replies,
  ${unreadPosts} as unread, (rs.person_id is null and ${unreadPosts} > 0) as "isNew", ${firstUnreadPost} as "firstUnread",
  ${isPinned} as pinned, d.locked_at is not null as locked, d.resolved_at is not null as resolved, d.state = 'archived' as archived,
  coalesce(rs.level, 'normal') as level, coalesce(d.author_id = ${viewer.id}::uuid, false) as mine`;

/**
 * The rows of the discussions that `picked` selects (`select d.* … limit n`), in the given order. Choosing first and
 * joining afterwards keeps a long list's index in use: only what is shown is looked up.
 */
export const rowsOf = <More = unknown>(
  db: Db,
  viewer: Viewer,
  picked: Sql,
  order: Sql,
  more: { columns: Sql; joins: Sql } = { columns: sql``, joins: sql`` },
) =>
  many(
    db,
    sql<DiscussionRow & More>`
      select ${columns(viewer)} ${more.columns}
      from (${picked}) d
      join groups g on g.id = d.group_id ${viewersTie(viewer)}
      ${viewersReading(viewer)} ${whatWentBefore}
      left join people author on author.id = d.author_id
      left join people last_poster on last_poster.id = d.last_post_by
      ${more.joins}
      order by ${order}`,
  );
