import { type Db, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import type { ProfileTexts } from "#community/accounts";
import {
  isContentReadable,
  isDiscussionReadable,
  groupFactsJson,
  isGroupModerator,
  isGroupReadable,
  viewerMembership,
} from "#community/groups";
import { firstPostRules, type GroupFacts, type SignedIn, type Visibility } from "#community/rules";
import type { DescribedEvent, PendingPostContainer, PendingResource } from "./pending-post-storage.ts";

export type PendingRow = {
  id: string;
  authorId: string;
  author: SignedIn & { state: string };
  groupId: string | null;
  discussionId: string | null;
  resourceId: string | null;
  /** The hidden post that was returned to its author; null for a text that was never published. */
  postId: string | null;
  said: Record<string, unknown> &
    DescribedEvent &
    (PendingResource | { resource?: undefined }) & { body: string; profile?: ProfileTexts };
  clientId: string | null;
  group: GroupFacts | null;
  visibility: Visibility | null;
  sees: boolean;
  sentBack: boolean;
  /** Changes of a hidden post or resource, which its author edits itself. */
  isChange: boolean;
};

/** Joins the container of the pending post, and its group, if any. */
export const joinPendingPostContainer = (
  pending: string,
  discussion: string,
  resource: string,
  group: string,
) => {
  const [h, d, s, g] = [sql.ref(pending), sql.ref(discussion), sql.ref(resource), sql.ref(group)];
  return sql`
  left join discussions ${d} on ${d}.id = ${h}.discussion_id
  left join resources ${s} on ${s}.id = ${h}.resource_id
  left join groups ${g} on ${g}.id = coalesce(${h}.group_id, ${d}.group_id, ${s}.group_id)`;
};

/**
 * Whether the viewer can read the container of the pending post. For a new discussion or resource: whether
 * they could read one that was added when the text was written. Everyone reads the site-wide library.
 */
export const canSeeContainer = (
  pending: string,
  discussion: string,
  resource: string,
  group: string,
  membership: string,
) => {
  const [h, d, s] = [sql.ref(pending), sql.ref(discussion), sql.ref(resource)];
  return sql<boolean>`
  (case when ${d}.id is not null then ${isDiscussionReadable(discussion, group, membership)}
    when ${s}.id is not null then ${s}.group_id is null
    or ${isContentReadable(resource, "created_at", group, membership)}
    when ${h}.group_id is null then true
    else ${isGroupModerator(membership)}
    or (${h}.visibility = 'public' and ${isGroupReadable(group, membership)}) end)`;
};

/**
 * Whether the entry has the changes of a hidden resource that was returned to its owner. Entries of new resources
 * have no container but the group.
 */
export const isResourceChange = (pending: string) => {
  const h = sql.ref(pending);
  return sql<boolean>`(${h}.resource_id is not null and ${h}.said->'resource' is not null)`;
};

/** Whether the entry has the changes of hidden content that was returned to its author. */
export const isChangeOfContent = (pending: string) =>
  sql<boolean>`(${sql.ref(pending)}.post_id is not null or ${isResourceChange(pending)})`;

export const alreadyDecidedRefusal = () => new Refusal("conflict", "Someone else has already decided this.");

export function toContainer(row: PendingRow): PendingPostContainer {
  const { authorId, groupId, discussionId, resourceId, said } = row;
  if (said.profile) return { profileOf: authorId };
  if (said.resource) return resourceId ? { resourceId } : { libraryOf: groupId };
  if (groupId) return { groupId };
  return discussionId ? { discussionId } : { resourceId: resourceId! };
}

/**
 * The pending post, for a person who may approve it.
 * @throws `not-found` otherwise, `conflict` if it was returned
 */
export async function getPendingForApproval(
  tx: Tx,
  me: SignedIn,
  pendingPostId: string,
): Promise<PendingRow> {
  const pendingPost = await selectPending(tx, me, pendingPostId);
  if (!pendingPost || !firstPostRules.judge(me, pendingPost)) throw notFound();
  if (pendingPost.sentBack) throw alreadyDecidedRefusal();
  return pendingPost;
}

/**
 * The row is not locked: the write detects concurrent decisions. A lock could deadlock with the container's
 * lock.
 */
export const selectPending = (tx: Tx, me: SignedIn, pendingPostId: string) =>
  isId(pendingPostId)
    ? maybeOne(
        tx,
        sql<PendingRow>`
          select h.id, h.author_id as "authorId", h.group_id as "groupId", h.discussion_id as "discussionId",
            h.resource_id as "resourceId", h.post_id as "postId",
            h.said, h.client_id as "clientId", h.returned_at is not null as "sentBack", h.visibility,
            ${isChangeOfContent("h")} as "isChange",
            ${canSeeContainer("h", "d", "s", "g", "m")} as sees,
            case when g.id is not null then ${groupFactsJson("g", "m")}
              end as "group",
            json_build_object('id', a.id, 'role', a.site_role, 'trust', a.trust, 'limited',
              a.state = 'limited', 'state', a.state) as author
          from pending_posts h join people a
            on a.id = h.author_id ${joinPendingPostContainer("h", "d", "s", "g")}
            ${viewerMembership(me, "g", "m")}
            where h.id = ${pendingPostId}`,
      )
    : undefined;

/** `returned` and `returned resource`: changes of hidden content that was returned to its author. */
type PendingKind = "post" | "resource" | "profile" | "returned" | "returned resource";

/** Content that is published once the entry is approved. It says nothing about who may know of it. */
export const getPendingKind = async (db: Db, pendingPostId: string): Promise<PendingKind> => {
  const found = isId(pendingPostId)
    ? await maybeOne(
        db,
        sql<{ kind: PendingKind }>`
          select case when post_id is not null then 'returned'
            when ${isResourceChange("pending_posts")} then 'returned resource' when said->'resource' is not null then 'resource'
            when said->'profile' is not null then 'profile' else 'post' end as kind
          from pending_posts where id = ${pendingPostId}`,
      )
    : undefined;
  return found?.kind ?? "post";
};
