import { maybeOne, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import { reinstatePost, removePost } from "../posts/post-removal.ts";
import { lockPostContainer } from "../posts/container-lock.ts";
import {
  applyDiscussionChange,
  RESTORED_STATE_COLUMNS,
  auditDiscussionChange,
  trimReason,
} from "./discussion-moderation.ts";

/** Joins the container of the post, a discussion or a resource, and its group, if any. */
export const joinContentContainer = (post: string, discussion: string, resource: string, group: string) => {
  const [x, d, s, g] = [sql.ref(post), sql.ref(discussion), sql.ref(resource), sql.ref(group)];
  return sql`
  left join discussions ${d} on ${d}.id = ${x}.discussion_id
  left join resources ${s} on ${s}.id = ${x}.resource_id
  left join groups ${g} on ${g}.id = coalesce(${d}.group_id, ${s}.group_id)`;
};

/**
 * Whether the first post was last removed by the deletion of its discussion, by someone other than the
 * author: the post itself was not removed, or was removed earlier.
 */
export const wasDeletedWithDiscussion = (post: string, discussion: string) => {
  const [x, d] = [sql.ref(post), sql.ref(discussion)];
  return sql<boolean>`
  (${d}.state = 'deleted' and ${x}.number = 1 and ${d}.author_id = ${x}.author_id
    and ${d}.deleted_by is distinct from ${d}.author_id
    and (${x}.state in ('published', 'hidden')
      or (${x}.state = 'removed' and ${x}.removed_at < ${d}.deleted_at)))`;
};

// The queries below call the rows of a report's content `x` (post), `d` (discussion), `s` (resource), `g` (group)
// and `put` (sanction).

/**
 * Joins the content of the report `r` with its container: post, resource, group, or the sanction of an appeal.
 */
export const joinReportedContent = sql`
  left join posts x on x.id = r.post_id
  left join discussions d on d.id = x.discussion_id
  left join resources s on s.id = coalesce(x.resource_id, r.resource_id)
  left join groups g on g.id = coalesce(d.group_id, s.group_id, r.group_id)
  left join sanctions put on r.appeal and put.person_id = r.person_id`;

/**
 * The person who removed the post (alone or with its discussion) or the resource, or who imposed the
 * sanction.
 */
export const removerId = sql`case when x.id is null and s.id is null then put.given_by
  when x.id is null then s.removed_by
  when ${wasDeletedWithDiscussion("x", "d")} then d.deleted_by else x.removed_by end`;

/**
 * Whether there is a moderator other than `who` and the author of the post (or owner of the resource, or
 * sanctioned person). Such a moderator decides the appeal. For site-wide content, staff count as moderators.
 */
export const otherModeratorExists = (who: ReturnType<typeof sql>) => {
  const decides = sql`other.id <> ${who} and other.state = 'active' and other.id is distinct from case
    when x.id is not null then x.author_id when s.id is not null then s.owner_id else put.person_id end`;
  return sql<boolean>`case
    when g.id is null then exists (
      select from people other where other.site_role <> 'member' and ${decides})
    else exists (
      select from memberships lead join people other on other.id = lead.person_id
      where lead.group_id = g.id and lead.state = 'member' and lead.role <> 'member'
        and ${decides}) end`;
};

/**
 * Removes a post or comment after an upheld report; does nothing if it was removed already. The caller has
 * checked that the viewer may decide the report; they may have no other access to the container.
 * @throws `invalid` on `reason`
 */
export async function removeReportedPost(
  tx: Tx,
  me: SignedIn,
  { postId, reason }: { postId: string; reason: string },
): Promise<void> {
  if (reason.trim() === "") throw invalid("reason", "Enter a reason. The author will read it.");
  const at = await lockPostContainer(tx, postId);
  const post =
    at &&
    (await maybeOne(
      tx,
      sql<{ id: string; number: number; authorId: string }>`
        select id, number, author_id as "authorId" from posts
        where id = ${postId} and state in ('published', 'hidden') for no key update`,
    ));
  if (post) await removePost(tx, me, at, { ...post, isOnly: at.isOnly }, reason.trim());
}

/**
 * Restores a post or comment after an upheld appeal, with the discussion deleted together with it. Does
 * nothing if the post is published. The caller has checked that the viewer may decide.
 * @throws `invalid` on `reason`, `gone` when its text is purged
 */
export async function restoreReportedPost(
  tx: Tx,
  me: SignedIn,
  { postId, reason }: { postId: string; reason: string },
): Promise<void> {
  if (reason.trim() === "") throw invalid("reason", "Enter a reason. The author will read it.");
  const container = await lockPostContainer(tx, postId);
  if (container && "discussionId" in container.at)
    await restoreDeletedDiscussion(tx, me, { postId, ...container.at }, reason.trim());
  const post =
    container &&
    (await maybeOne(
      tx,
      sql<{ id: string; number: number; body: string }>`
        select id, number, body_md as body from posts
        where id = ${postId} and state = 'removed' for no key update`,
    ));
  if (!post) return;
  if (post.body === "") throw new Refusal("gone", "The text of this post is no longer stored.");
  await reinstatePost(tx, me, container, { ...post, isOnly: container.isOnly }, reason.trim());
}

async function restoreDeletedDiscussion(
  tx: Tx,
  me: SignedIn,
  it: { postId: string; discussionId: string; groupId: string },
  reason: string,
) {
  const went = await maybeOne(
    tx,
    sql`select from posts x join discussions d on d.id = x.discussion_id
      where x.id = ${it.postId} and ${wasDeletedWithDiscussion("x", "d")}`,
  );
  if (!went) return;
  const [discussion, change] = [
    { id: it.discussionId, group: { id: it.groupId } },
    { kind: "restored" as const, reason: trimReason({ reason }) },
  ];
  await applyDiscussionChange(tx, me, discussion, { ...change, set: RESTORED_STATE_COLUMNS });
  await auditDiscussionChange(tx, me, discussion, change);
}
