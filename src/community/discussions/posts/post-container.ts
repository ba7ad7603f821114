import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { blockerIds } from "#community/friends";
import { groupFactsJson, viewerMembership } from "#community/groups";
import {
  type ContentFacts,
  discussionRules,
  type GroupFacts,
  groupRules,
  type ResourceFacts,
  resourceRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import {
  cannotReplyRefusal,
  getDiscussion,
  limitedAccountRefusal,
  selectLockedDiscussion,
} from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";

/** The container of posts, a discussion or a resource with comments, with the viewer's permissions. */
export type PostContainer = {
  /** Ids as used in domain events and the audit log. */
  at: { discussionId: string; groupId: string } | { resourceId: string; groupId: string | null };
  group: (GroupFacts & { id: string }) | null;
  audience: ContentFacts["audience"];
  /** Posts up to this number are hidden from the viewer; 0 if the viewer reads all. */
  lastHiddenNumber: number;
  lastNumber: number;
  /** The viewer sees even posts of people who block the viewer. */
  pastBlocks: boolean;
  can: { see: boolean; reply: boolean; react: boolean; moderate: boolean; amend: boolean };
  /** Null for comments. */
  discussion: Discussion | null;
};

/** Type of a domain event about a post or comment in this container: `post.edited`, `comment.edited`. */
export const postEventType = (container: Pick<PostContainer, "at">, what: string) =>
  `${"discussionId" in container.at ? "post" : "comment"}.${what}`;

export const readersFor = ({ at, audience }: Pick<PostContainer, "at" | "audience">) => ({
  groupId: at.groupId,
  audience,
});

export const discussionContainer = (viewer: Viewer, discussion: Discussion): PostContainer => ({
  at: { discussionId: discussion.id, groupId: discussion.group.id },
  group: discussion.group,
  audience: discussion.audience,
  lastHiddenNumber: discussion.lastHiddenNumber,
  lastNumber: discussion.lastNumber,
  pastBlocks: groupRules.pastBlocks(viewer, discussion.group),
  can: {
    see: discussionRules.see(viewer, discussion),
    reply: discussionRules.reply(viewer, discussion),
    react: discussionRules.react(viewer, discussion),
    moderate: discussionRules.moderate(viewer, discussion),
    amend: discussionRules.amend(viewer, discussion),
  },
  discussion: discussion,
});

export type CommentTarget = Omit<ResourceFacts, "group"> & {
  id: string;
  group: (GroupFacts & { id: string }) | null;
};

/** Container for the comments on a loaded resource, with the viewer's permissions. */
export function resourceContainer(
  viewer: Viewer,
  commentTarget: CommentTarget,
  lastNumber: number,
): PostContainer {
  const see = resourceRules.see(viewer, commentTarget);
  const write = resourceRules.comment(viewer, commentTarget);
  return {
    at: { resourceId: commentTarget.id, groupId: commentTarget.group?.id ?? null },
    group: commentTarget.group,
    audience: commentTarget.audience,
    lastHiddenNumber: 0,
    lastNumber,
    pastBlocks: commentTarget.group !== null && groupRules.pastBlocks(viewer, commentTarget.group),
    can: {
      see,
      reply: write,
      react: write,
      moderate: see && resourceRules.moderate(viewer, commentTarget),
      // Staff remove comments on site-wide resources but do not edit them.
      amend: write && commentTarget.group !== null && groupRules.amend(viewer, commentTarget.group),
    },
    discussion: null,
  };
}

type LockMode = "lock" | "read";
/** An id, or an SQL subquery that selects it. */
type ContainerId = string | ReturnType<typeof sql>;
type CommentTargetRow = CommentTarget & { lastNumber: number };

/**
 * The resource `id` as a container of comments. With a lock, no concurrent comment gets the next number.
 * @throws `not-found` for a resource the viewer may not see
 */
export async function getContainer(
  db: Db,
  viewer: Viewer,
  id: string,
  lock: LockMode,
): Promise<PostContainer> {
  if (!isId(id)) throw notFound();
  const find = lock === "lock" ? lockCommentTarget : findCommentTarget;
  return visibleCommentContainer(viewer, await find(db, viewer, id));
}

const findCommentTarget = (db: Db, viewer: Viewer, id: ContainerId) =>
  maybeOne(
    db,
    sql<CommentTargetRow>`
      select r.id, r.state, r.audience, r.created_at as "createdAt", case
        when r.owner_id <> all(${blockerIds(viewer)}) then r.owner_id end as "ownerId",
        case when g.id is not null then ${groupFactsJson("g", "m")} end as "group",
        coalesce((select max(p.number) from posts p where p.resource_id = r.id), 0) as "lastNumber"
      from resources r left join groups g on g.id = r.group_id ${viewerMembership(viewer, "g", "m")}
      where r.id = ${id}`,
  );

/**
 * The lock is taken before the number is read: a statement that waits for a row continues with its older
 * snapshot of other rows.
 */
async function lockCommentTarget(db: Db, viewer: Viewer, id: ContainerId) {
  const [, target] = await Promise.all([
    run(db, sql`select from resources where id = ${id} for no key update`),
    findCommentTarget(db, viewer, id),
  ]);
  return target;
}

function visibleCommentContainer(
  viewer: Viewer,
  commentTargetRow: CommentTargetRow | undefined,
): PostContainer {
  if (!commentTargetRow || !resourceRules.see(viewer, commentTargetRow)) throw notFound();
  return resourceContainer(viewer, commentTargetRow, commentTargetRow.lastNumber);
}

/**
 * The container of the post `id`.
 * @throws `not-found` for a post the viewer may not read
 */
export async function getPostContainer(db: Db, viewer: Viewer, id: string): Promise<PostContainer> {
  const place = isId(id)
    ? await maybeOne(
        db,
        sql<{ discussionId: string | null; resourceId: string | null }>`
          select discussion_id as "discussionId", resource_id as "resourceId" from posts where id = ${id}`,
      )
    : undefined;
  if (place?.resourceId) return getContainer(db, viewer, place.resourceId, "read");
  if (!place?.discussionId) throw notFound();
  return discussionContainer(viewer, await getDiscussion(db, viewer, place.discussionId));
}

/**
 * Like `getPostContainer`, with a lock, in one round trip. A post belongs to a discussion or to a resource;
 * one of the two statements finds nothing.
 */
export async function lockContainerOfPost(tx: Tx, me: SignedIn, postId: string): Promise<PostContainer> {
  const [discussion, target] = await Promise.all([
    maybeOne(tx, selectLockedDiscussion(me, sql`(select discussion_id from posts where id = ${postId})`)),
    lockCommentTarget(tx, me, sql`(select resource_id from posts where id = ${postId})`),
  ]);
  return discussion ? discussionContainer(me, discussion) : visibleCommentContainer(me, target);
}

/** Refusal with the reason why a reader of this container cannot write in it. */
export function cannotPostRefusal(viewer: Viewer, { discussion }: PostContainer): Refusal {
  if (discussion) return cannotReplyRefusal(viewer, discussion);
  return viewer.limited
    ? limitedAccountRefusal()
    : new Refusal("not-allowed", "Join the group to comment here.");
}
