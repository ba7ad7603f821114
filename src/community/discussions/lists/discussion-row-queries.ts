import { type Db, many, sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { visiblePersonCard } from "#community/friends";
import { isGroupModerator, contentReadsFrom, viewerReadPositions, viewerMembership } from "#community/groups";
import type { Viewer, Visibility } from "#community/rules";

export type FollowLevel = "watching" | "tracking" | "normal" | "muted";
/** A discussion as a list row. */
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
  /** Unread posts; 0 for guests and for posts older than the membership. */
  unread: number;
  /** Has unread posts, and the viewer has never opened it. */
  isNew: boolean;
  /** First unread post, if there is one. */
  firstUnread: number | null;
  pinned: boolean;
  locked: boolean;
  resolved: boolean;
  archived: boolean;
  level: FollowLevel;
  mine: boolean;
};

type Sql = ReturnType<typeof sql>;

// In these fragments `d` is the discussion, `g` its group, `m` the viewer's membership and `rs` the read
// state.

/**
 * Joins the last post of `d` hidden from the viewer because it predates their membership, as `before_me`;
 * nothing if they read all. Numbers grow with time, so all later ones are readable. The date check is inside,
 * where PostgreSQL evaluates it once: outside, it would read all posts to find none.
 */
export const joinFirstReadable = sql`
  left join lateral (
    select p.number from posts p
    where d.created_at < ${contentReadsFrom("d", "g", "m")} and p.discussion_id = d.id
      and p.created_at < ${contentReadsFrom("d", "g", "m")} order by p.number desc limit 1
  ) before_me on true`;

/** Number of the last post hidden from the viewer, 0 if they read all. */
export const hiddenUpTo = sql<number>`coalesce(before_me.number, 0)`;

/** Replies visible to the viewer; if earlier posts are hidden, the first visible one counts too. */
export const visibleReplies = sql<number>`case
  when before_me.number is null then greatest(d.posts_count - 1, 0) else d.last_number - before_me.number
  end`;

/** Number of the last post that is not new to the viewer. */
const readPosition = sql`greatest(coalesce(rs.last_read_number, 0), ${hiddenUpTo})`;

/**
 * Stubs of moved posts ahead of the read position: they are unread in their new discussion, not here. Skipped
 * for discussions without stubs.
 */
const movedPostsAhead = sql`
  case when d.posts_count < d.last_number
    then (select count(*)::int from posts gone
      where gone.discussion_id = d.id and gone.state = 'moved' and gone.number > ${readPosition}) else 0 end`;

/** Number of unread posts in opened discussions, and since the membership began. */
export const unreadPosts = sql<number>`
  case when coalesce(rs.level, 'normal') <> 'muted'
    and (rs.person_id is not null or (m.state = 'member' and d.last_post_at >= m.joined_at))
    then greatest(d.last_number - ${readPosition} - ${movedPostsAhead}, 0) else 0 end`;

export const firstUnreadPost = sql<number | null>`case when ${unreadPosts} > 0 then ${readPosition} + 1 end`;

/**
 * Read position for a reader at `number` of the discussion `d`: skips stubs of moved posts, so that the next
 * post is readable.
 */
export const readPositionAfterMove = (number: Sql) => sql<number>`
  coalesce((select min(next.number) - 1 from posts next
    where next.discussion_id = d.id and next.number > ${number} and next.state <> 'moved'), d.last_number)`;

/** A pin ends at its time, even before the job that removes it has run. */
export const isPinned = sql<boolean>`(d.pinned_at is not null and coalesce(d.pinned_until > now(), true))`;

const rowColumns = (viewer: Viewer) => sql`
  d.id, d.title, d.language, d.tags,
  json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility', g.visibility) as "group",
  ${visiblePersonCard(viewer, "author", isGroupModerator("m"))} as author,
  ${visiblePersonCard(viewer, "last_poster", isGroupModerator("m"))} as "lastPoster",
  d.created_at as "createdAt", d.last_post_at as "lastPostAt", ${visibleReplies} as replies,
  ${unreadPosts} as unread, (rs.person_id is null and ${unreadPosts} > 0) as "isNew",
  ${firstUnreadPost} as "firstUnread",
  ${isPinned} as pinned, d.locked_at is not null as locked, d.resolved_at is not null as resolved,
  d.state = 'archived' as archived,
  coalesce(rs.level, 'normal') as level, coalesce(d.author_id = ${viewer.id}::uuid, false) as mine`;

/**
 * Rows of the discussions that `picked` selects (`select d.* … limit n`), in the given order. Selecting
 * before joining keeps the index of a long list in use.
 */
export const listRows = <More = unknown>(
  db: Db,
  viewer: Viewer,
  picked: Sql,
  order: Sql,
  more: { columns: Sql; joins: Sql } = { columns: sql``, joins: sql`` },
) =>
  many(
    db,
    sql<DiscussionRow & More>`
      select ${rowColumns(viewer)} ${more.columns}
      from (${picked}) d
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      ${viewerReadPositions(viewer, "d", "rs")} ${joinFirstReadable}
      left join people author on author.id = d.author_id
      left join people last_poster on last_poster.id = d.last_post_by
      ${more.joins}
      order by ${order}`,
  );
