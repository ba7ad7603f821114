import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import type { PersonCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import {
  discussionReadable,
  groupFactsJson,
  canModerateGroup,
  isGroupModerator,
  viewerReadPositions,
  viewerMembership,
} from "#community/groups";
import {
  type DiscussionFacts,
  type GroupFacts,
  groupRules,
  isSignedIn,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import {
  type FollowLevel,
  firstUnreadPost,
  hiddenUpTo,
  isPinned,
  visibleReplies,
  joinFirstReadable,
} from "./lists/discussion-row-queries.ts";

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
  /** Posts up to this number predate the viewer's membership and are hidden; 0 if they read all. */
  hiddenUpTo: number;
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
  /** Scheduled change and its time. */
  timer: "close" | "open" | null;
  timerAt: Date | null;
  /** Whether it has activity entries. */
  hasEntries: boolean;
  level: FollowLevel;
  /** Number of the last post the viewer has read; null if they never opened it. */
  readUpTo: number | null;
  firstUnread: number | null;
};

/** Facts of a discussion needed before a reply. */
export type ReplyTarget = DiscussionFacts &
  Pick<Discussion, "id" | "group" | "lastNumber" | "hiddenUpTo" | "slowSeconds">;

const replyTargetColumns = (viewer: Viewer) => sql`
  d.id, d.state, d.audience, d.locked_at is not null as locked, d.last_post_at as "lastPostAt",
  d.last_number as "lastNumber",
  case when d.author_id <> all(${blockerIds(viewer, isGroupModerator("m"))}) then d.author_id
    end as "authorId",
  ${groupFactsJson("g", "m")} as "group", d.slow_seconds as "slowSeconds", ${hiddenUpTo} as "hiddenUpTo"`;

const discussionColumns = (viewer: Viewer) => sql`
  ${replyTargetColumns(viewer)}, d.title, d.tags, d.language,
  ${visiblePersonCard(viewer, "author", isGroupModerator("m"))} as author, d.created_at as "createdAt",
  ${visibleReplies} as replies, case when ${isPinned} then d.pinned_at end as "pinnedAt", case
    when ${isPinned} then d.pinned_until end as "pinnedUntil",
  d.locked_at as "lockedAt", d.locked_reason as "lockedReason", d.resolved_at as "resolvedAt",
  (select json_build_object('id', a.id, 'number', a.number) from posts a
    where a.id = d.answer_id and a.number > ${hiddenUpTo}) as answer, d.deleted_at as "deletedAt",
  d.timer, d.timer_at as "timerAt", exists (select from discussion_entries l
    where l.discussion_id = d.id) as "hasEntries",
  coalesce(rs.level, 'normal') as level, rs.last_read_number as "readUpTo",
  ${firstUnreadPost} as "firstUnread"`;

/** @throws `not-found` for a missing discussion and for one the viewer may not read */
export async function getDiscussion(db: Db, viewer: Viewer, id: string): Promise<Discussion> {
  const found = isId(id) ? await maybeOne(db, selectDiscussion(viewer, id)) : undefined;
  if (!found) throw notFound();
  return found;
}

/** Like `getDiscussion`, for commands that write: the row is locked, and its numbers are current. */
export async function getDiscussionForUpdate(db: Db, viewer: Viewer, id: string): Promise<Discussion> {
  const found =
    isId(id) && isSignedIn(viewer)
      ? await maybeOne(db, sql<Discussion>`${selectDiscussion(viewer, id)} for no key update of d`)
      : undefined;
  if (!found) throw notFound();
  return found;
}

/** Why a reader of a discussion cannot reply. */
export function cannotReplyRefusal(viewer: Viewer, discussion: DiscussionFacts): Refusal {
  if (discussion.state !== "open" || discussion.group.state !== "active")
    return new Refusal("not-allowed", "This is archived and read-only.");
  if (discussion.locked && groupRules.answer(viewer, discussion.group))
    return new Refusal("not-allowed", "This discussion is closed for replies.");
  return viewer.limited ? limitedRefusal() : new Refusal("not-allowed", "Join the group to reply.");
}

/** Limited accounts cannot write anywhere, so that joining would not help. */
export const limitedRefusal = () => new Refusal("not-allowed", "Your account cannot post at the moment.");

/**
 * Statement that selects the discussion for the viewer; `more` are further columns, each with a leading
 * comma.
 */
export const selectDiscussion = <Found = Discussion>(viewer: Viewer, id: string, more = sql``) => sql<Found>`
  select ${discussionColumns(viewer)} ${more}
  from discussions d join groups g
    on g.id = d.group_id ${viewerMembership(viewer, "g", "m")} ${viewerReadPositions(viewer, "d", "rs")}
      ${joinFirstReadable}
  left join people author on author.id = d.author_id
  where d.id = ${id} and ${isDiscussionVisible(viewer)}`;

/** Like `selectDiscussion`, with only the columns a reply needs; locks the row. */
export const selectReplyTarget = (viewer: SignedIn, id: string) => sql<ReplyTarget>`
  select ${replyTargetColumns(viewer)}
  from discussions d join groups g
    on g.id = d.group_id ${viewerMembership(viewer, "g", "m")} ${joinFirstReadable}
  where d.id = ${id} and ${isDiscussionVisible(viewer)} for no key update of d`;

const isDiscussionVisible = (viewer: Viewer) =>
  sql`${discussionReadable("d", "g", "m")}
    and (d.state <> 'deleted' or ${canModerateGroup(viewer, "g", "m")})`;
