import { sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import {
  canModerateGroup,
  contentReadableSince,
  isDiscussionReadable,
  groupFactsJson,
  isGroupModerator,
  viewerMembership,
  viewerReadPositions,
} from "#community/groups";
import type { DiscussionFacts, GroupFacts, SignedIn, Viewer, Visibility } from "#community/rules";

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
  /** The discussion has unread posts, and the viewer has never opened it. */
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

export type DiscussionGroup = GroupFacts & {
  id: string;
  slug: string;
  name: string;
  membersCount: number;
  headerStyle: string;
  headerId: string | null;
};
/** A discussion as the viewer sees it, with the facts for `discussionRules`. */
export type Discussion = DiscussionFacts & {
  id: string;
  title: string;
  tags: string[];
  language: string;
  group: DiscussionGroup;
  author: PersonCard | null;
  createdAt: Date;
  replies: number;
  lastNumber: number;
  /** Posts up to this number are older than the viewer's membership and hidden; 0 if the viewer reads all. */
  lastHiddenNumber: number;
  pinnedAt: Date | null;
  pinnedUntil: Date | null;
  lockedAt: Date | null;
  lockedReason: string | null;
  resolvedAt: Date | null;
  /** The accepted answer, if the viewer can read it. */
  answer: { id: string; number: number } | null;
  deletedAt: Date | null;
  /** Seconds between two replies of one person; 0 without slow mode. */
  slowSeconds: number;
  /** End of slow mode; null if it has none. */
  slowUntil: Date | null;
  /** Change that is scheduled; null if there is none. */
  timer: "close" | "open" | null;
  /** Time of the scheduled change. */
  timerAt: Date | null;
  /** The discussion has activity entries. */
  hasEntries: boolean;
  level: FollowLevel;
  /** Number of the last post the viewer has read; null if they never opened it. */
  readUpTo: number | null;
  firstUnread: number | null;
};

/** Facts of a discussion that are needed before a reply is stored. */
export type ReplyTarget = DiscussionFacts &
  Pick<Discussion, "id" | "group" | "lastNumber" | "lastHiddenNumber" | "slowSeconds">;

/**
 * Condition: the viewer can read the discussion. Only the group's moderators can read a deleted discussion.
 */
export const isDiscussionVisible = (viewer: Viewer, discussion: string, group: string, membership: string) =>
  sql<boolean>`(${isDiscussionReadable(discussion, group, membership)}
    and (${sql.ref(discussion)}.state <> 'deleted' or ${canModerateGroup(viewer, group, membership)}))`;

/**
 * Joins the last post that is hidden from the viewer because it is older than their membership; no row if
 * they read all posts. Numbers grow with time, so all later posts are readable. The date is checked inside
 * the subquery, where PostgreSQL evaluates it once: outside, PostgreSQL would read all posts and find none.
 */
export const joinLastHiddenPost = (discussion: string, group: string, membership: string, hidden: string) => {
  const d = sql.ref(discussion);
  return sql`
  left join lateral (
    select p.number from posts p
    where ${d}.created_at < ${contentReadableSince(discussion, group, membership)} and p.discussion_id = ${d}.id
      and p.created_at < ${contentReadableSince(discussion, group, membership)} order by p.number desc limit 1
  ) ${sql.ref(hidden)} on true`;
};

/** Number of the last post hidden from the viewer, 0 if they read all. */
export const lastHiddenPostNumber = (hidden: string) => {
  const before = sql.ref(hidden);
  return sql<number>`coalesce(${before}.number, 0)`;
};

/**
 * Number of replies visible to the viewer. If earlier posts are hidden, the first visible post counts too.
 */
export const visibleReplies = (discussion: string, hidden: string) => {
  const [d, before] = [sql.ref(discussion), sql.ref(hidden)];
  return sql<number>`case
  when ${before}.number is null then greatest(${d}.posts_count - 1, 0)
  else ${d}.last_number - ${before}.number
  end`;
};

/** Number of the last post that is not new to the viewer. */
const readPosition = (position: string, hidden: string) => {
  const rs = sql.ref(position);
  return sql`greatest(coalesce(${rs}.last_read_number, 0), ${lastHiddenPostNumber(hidden)})`;
};

/**
 * Number of stubs of moved posts after the read position. The moved posts are unread in their new
 * discussion, not here. Not computed for discussions without stubs.
 */
const movedPostsAhead = (discussion: string, position: string, hidden: string) => {
  const d = sql.ref(discussion);
  return sql`
  case when ${d}.posts_count < ${d}.last_number
    then (select count(*)::int from posts gone
      where gone.discussion_id = ${d}.id and gone.state = 'moved'
        and gone.number > ${readPosition(position, hidden)}) else 0 end`;
};

/**
 * Number of unread posts, for discussions that the viewer has opened or that were active since they joined;
 * 0 for muted ones.
 */
export const unreadPosts = (discussion: string, membership: string, position: string, hidden: string) => {
  const [d, m, rs] = [sql.ref(discussion), sql.ref(membership), sql.ref(position)];
  return sql<number>`
  case when coalesce(${rs}.level, 'normal') <> 'muted'
    and (${rs}.person_id is not null or (${m}.state = 'member' and ${d}.last_post_at >= ${m}.joined_at))
    then greatest(${d}.last_number - ${readPosition(position, hidden)}
      - ${movedPostsAhead(discussion, position, hidden)}, 0) else 0 end`;
};

export const firstUnreadPost = (discussion: string, membership: string, position: string, hidden: string) =>
  sql<number | null>`case
    when ${unreadPosts(discussion, membership, position, hidden)} > 0 then ${readPosition(position, hidden)}
      + 1 end`;

/** Whether the discussion is pinned. A pin ends at its time, even before the job that removes it has run. */
export const isPinned = (discussion: string) => {
  const d = sql.ref(discussion);
  return sql<boolean>`(${d}.pinned_at is not null and coalesce(${d}.pinned_until > now(), true))`;
};

const replyTargetColumns = (viewer: Viewer) => sql`
  d.id, d.state, d.audience, d.locked_at is not null as locked, d.last_post_at as "lastPostAt",
  d.last_number as "lastNumber",
  case when d.author_id <> all(${blockerIds(viewer, isGroupModerator("m"))}) then d.author_id
    end as "authorId",
  ${groupFactsJson("g", "m")} as "group", d.slow_seconds as "slowSeconds",
  ${lastHiddenPostNumber("before_me")} as "lastHiddenNumber"`;

const discussionColumns = (viewer: Viewer) => sql`
  ${replyTargetColumns(viewer)}, d.slow_until as "slowUntil", d.title, d.tags, d.language,
  ${visiblePersonCard(viewer, "author", isGroupModerator("m"))} as author, d.created_at as "createdAt",
  ${visibleReplies("d", "before_me")} as replies, case when ${isPinned("d")} then d.pinned_at
    end as "pinnedAt", case
    when ${isPinned("d")} then d.pinned_until end as "pinnedUntil",
  d.locked_at as "lockedAt", d.locked_reason as "lockedReason", d.resolved_at as "resolvedAt",
  (select json_build_object('id', a.id, 'number', a.number) from posts a
    where a.id = d.answer_id and a.number > ${lastHiddenPostNumber("before_me")}) as answer,
      d.deleted_at as "deletedAt",
  d.timer, d.timer_at as "timerAt", exists (select from discussion_entries l
    where l.discussion_id = d.id) as "hasEntries",
  coalesce(rs.level, 'normal') as level, rs.last_read_number as "readUpTo",
  ${firstUnreadPost("d", "m", "rs", "before_me")} as "firstUnread"`;

/**
 * Statement that selects the discussion for the viewer. `more` are additional columns, each with a leading
 * comma.
 */
export const selectDiscussion = <Found = Discussion>(
  viewer: Viewer,
  id: string | ReturnType<typeof sql>,
  more = sql``,
) => sql<Found>`
  select ${discussionColumns(viewer)} ${more}
  from discussions d join groups g
    on g.id = d.group_id ${viewerMembership(viewer, "g", "m")} ${viewerReadPositions(viewer, "d", "rs")}
      ${joinLastHiddenPost("d", "g", "m", "before_me")}
  left join people author on author.id = d.author_id
  where d.id = ${id} and ${isDiscussionVisible(viewer, "d", "g", "m")}`;

/** Like `selectDiscussion`, with only the columns that a reply needs. Locks the row. */
export const selectReplyTarget = (viewer: SignedIn, id: string) => sql<ReplyTarget>`
  select ${replyTargetColumns(viewer)}
  from discussions d join groups g
    on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      ${joinLastHiddenPost("d", "g", "m", "before_me")}
  where d.id = ${id} and ${isDiscussionVisible(viewer, "d", "g", "m")} for no key update of d`;

const rowColumns = (viewer: Viewer) => sql`
  d.id, d.title, d.language, d.tags,
  json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility', g.visibility) as "group",
  ${visiblePersonCard(viewer, "author", isGroupModerator("m"))} as author,
  ${visiblePersonCard(viewer, "last_poster", isGroupModerator("m"))} as "lastPoster",
  d.created_at as "createdAt", d.last_post_at as "lastPostAt", ${visibleReplies("d", "before_me")} as replies,
  ${unreadPosts("d", "m", "rs", "before_me")} as unread,
  (rs.person_id is null and ${unreadPosts("d", "m", "rs", "before_me")} > 0) as "isNew",
  ${firstUnreadPost("d", "m", "rs", "before_me")} as "firstUnread",
  ${isPinned("d")} as pinned, d.locked_at is not null as locked, d.resolved_at is not null as resolved,
  d.state = 'archived' as archived,
  coalesce(rs.level, 'normal') as level, coalesce(d.author_id = ${viewer.id}::uuid, false) as mine`;

type Sql = ReturnType<typeof sql>;

/** Selects rows of the discussions that `picked` selects, in the given order. */
export const selectDiscussionRows = <More>(
  viewer: Viewer,
  picked: Sql,
  order: Sql,
  more: { columns: Sql; joins: Sql },
) => sql<DiscussionRow & More>`
      select ${rowColumns(viewer)} ${more.columns}
      from (${picked}) d
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      ${viewerReadPositions(viewer, "d", "rs")} ${joinLastHiddenPost("d", "g", "m", "before_me")}
      left join people author on author.id = d.author_id
      left join people last_poster on last_poster.id = d.last_post_by
      ${more.joins}
      order by ${order}`;
