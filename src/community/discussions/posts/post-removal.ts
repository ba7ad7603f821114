import { addMilliseconds, HOUR } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { toStorableText } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { LIMITS, postRules, type SignedIn, type Viewer } from "#community/rules";
import { type EditablePost, getPostForUpdate } from "./editable-post.ts";
import { type PostContainer, postEventType } from "./post-container.ts";
import { addActivityEntry } from "../moderation/activity-entries.ts";
import { RESTORED_STATE_COLUMNS, CLEARED_PIN_COLUMNS } from "../moderation/discussion-moderation.ts";

/**
 * Deletes the viewer's own post, or removes another person's post as a moderator with a reason. A tombstone
 * keeps the post's number; a discussion without replies is deleted with its only post.
 * @throws `not-found`, `not-allowed`, `invalid` on `reason`
 */
export async function deletePost(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; reason?: string | undefined },
): Promise<{ discussionGone: boolean }> {
  const me = requireSignedIn(viewer);
  const { post, container } = await getPostForUpdate(tx, me, input.postId);
  if (post.state !== "published" && post.state !== "hidden") throw notFound();
  const own = post.authorId === me.id;
  if (!postRules.take(me, post, container.can))
    throw new Refusal("not-allowed", "Only the author and the moderators can remove this post.");
  const reason = own
    ? ""
    : toStorableText(input.reason ?? "")
        .trim()
        .slice(0, LIMITS.reason);
  if (!own && reason === "") throw invalid("reason", "Enter a reason. The author will read it.");
  await removePost(tx, me, container, post, reason);
  return { discussionGone: post.isOnly };
}

type RemovablePost = Pick<EditablePost, "id" | "number" | "authorId" | "isOnly">;

/**
 * Removes a published post and emits the event. The removal of another person's post is audited. The caller
 * has checked permission.
 */
export async function removePost(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  post: RemovablePost,
  reason: string,
): Promise<void> {
  const own = post.authorId === me.id;
  await run(
    tx,
    sql`with answered as (delete from pending_posts where post_id = ${post.id})
      update posts set state = ${own ? "deleted_by_author" : "removed"}, removed_at = ${tx.now},
        removed_by = ${me.id}, removed_reason = ${reason}, returned_at = null where id = ${post.id}`,
  );
  if ("discussionId" in at && post.isOnly) {
    await run(
      tx,
      sql`update discussions set state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id},
          ${CLEARED_PIN_COLUMNS}
        where id = ${at.discussionId}`,
    );
    await emit(tx, { type: "discussion.deleted", ...at, by: me.id });
  } else await adjustCount(tx, at, post, -1);
  if ("discussionId" in at) await clearAnswer(tx, me, at, [post.id]);
  if (!own) await writeAudit(tx, me, { act: "post.removed", kind: "post", id: post.id, reason, details: at });
  const type = postEventType({ at }, own ? "deleted" : "removed");
  await emit(tx, { type, ...at, postId: post.id, number: post.number, by: me.id });
}

/**
 * Clears the accepted answer if it is one of these posts. Restoring the post does not mark it as the answer
 * again.
 */
export async function clearAnswer(
  tx: Tx,
  me: { id: string },
  at: { discussionId: string; groupId: string },
  postIds: string[],
): Promise<void> {
  const reopened = await run(
    tx,
    sql`update discussions set resolved_at = null, resolved_by = null, answer_id = null
      where id = ${at.discussionId} and answer_id = any(${postIds}::uuid[])`,
  );
  if (reopened === 0) return;
  await addActivityEntry(tx, me, { discussionId: at.discussionId, kind: "reopened" });
  await emit(tx, { type: "discussion.reopened", ...at, by: me.id });
}

/** Adjusts the number of replies or comments. The first post of a discussion does not count. */
async function adjustCount(tx: Tx, at: PostContainer["at"], post: Pick<RemovablePost, "number">, by: 1 | -1) {
  if ("resourceId" in at)
    await run(
      tx,
      sql`update resources set comments_count = greatest(comments_count + ${by}, 0)
        where id = ${at.resourceId}`,
    );
  else if (post.number > 1)
    await run(
      tx,
      sql`update discussions set posts_count = posts_count + ${by} where id = ${at.discussionId}`,
    );
}

/**
 * Restores a removed post within 30 days.
 * @throws `not-found` for a post that is not removed, `not-allowed`, `invalid` on `reason`, `gone` when its
 * text is purged
 */
export async function restorePost(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; reason: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { post, container } = await getPostForUpdate(tx, me, input.postId);
  if (!container.can.moderate) throw new Refusal("not-allowed", "Only moderators of the group can do this.");
  if (post.state !== "removed") throw notFound();
  if (!input.reason.trim()) throw invalid("reason", "Enter a reason. The author will read it.");
  if (post.body === "") throw new Refusal("gone", "The text of this post is no longer stored.");
  await reinstatePost(tx, me, container, post, input.reason.trim().slice(0, LIMITS.reason));
}

/**
 * Restores a removed post, and its discussion if it is the only post; emits the event and audits it with the
 * reason. The caller has checked permission.
 */
export async function reinstatePost(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  post: Pick<RemovablePost, "id" | "number" | "isOnly">,
  reason: string,
): Promise<void> {
  if ("discussionId" in at && post.isOnly) await restoreDiscussionOfPost(tx, me, at);
  await run(tx, sql`update posts set hidden_at = null, unhidden_at = ${tx.now} where id = ${post.id}`);
  await publishAgain(tx, me, { at }, post);
  await writeAudit(tx, me, {
    act: "post.restored",
    kind: "post",
    id: post.id,
    reason: reason || null,
    details: at,
  });
}

/** Publishes a removed or deleted post again, counts it and emits the event. */
async function publishAgain(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  post: Pick<RemovablePost, "id" | "number">,
): Promise<void> {
  await run(
    tx,
    sql`update posts set state = 'published', removed_at = null, removed_by = null, removed_reason = ''
      where id = ${post.id}`,
  );
  await adjustCount(tx, at, post, 1);
  const type = postEventType({ at }, "restored");
  await emit(tx, { type, ...at, postId: post.id, number: post.number, by: me.id });
}

/** Time in which authors can take back the deletion of a post of theirs. */
const UNDO_TIME = HOUR;

/**
 * Restores a post that the viewer deleted within the last hour, and its discussion if it was deleted with it. A
 * post that reports had hidden, or that was an accepted answer, does not become that again.
 * @throws `not-found` for another's post, one that was removed, or after the hour; `not-allowed` where the
 * viewer can no longer write; `gone` for a post that was hidden
 */
export async function restoreOwnPost(tx: Tx, viewer: Viewer, input: { postId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const deleted = await maybeOne(
    tx,
    sql<{ discussionId: string | null }>`
      select discussion_id as "discussionId" from posts where id = ${input.postId} and author_id = ${me.id}
        and state = 'deleted_by_author' and removed_by = author_id
        and removed_at > ${addMilliseconds(tx.now, -UNDO_TIME)}`,
  );
  if (!deleted) throw notFound();
  if (deleted.discussionId) await restoreOwnDiscussion(tx, me, deleted.discussionId);
  const { post, container } = await getPostForUpdate(tx, me, input.postId);
  if (post.state !== "deleted_by_author") throw notFound();
  if (!container.can.react) throw new Refusal("not-allowed", "You can no longer write here.");
  if (post.hiddenAt !== null || post.body === "")
    throw new Refusal("gone", "Reports had hidden this post. It stays deleted.");
  await publishAgain(tx, me, container, post);
}

/** Restores a discussion that its author deleted with its only post. */
async function restoreOwnDiscussion(tx: Tx, me: SignedIn, discussionId: string): Promise<void> {
  const back = await maybeOne(
    tx,
    sql<{ groupId: string }>`
      update discussions set ${RESTORED_STATE_COLUMNS}
      where id = ${discussionId} and state = 'deleted' and deleted_by = ${me.id} and author_id = ${me.id}
        and last_number = 1
      returning group_id as "groupId"`,
  );
  if (back) await emit(tx, { type: "discussion.restored", discussionId, groupId: back.groupId, by: me.id });
}

/** A discussion deleted with its only post returns in its former state. */
async function restoreDiscussionOfPost(
  tx: Tx,
  me: SignedIn,
  at: { discussionId: string; groupId: string },
): Promise<void> {
  const back = await run(
    tx,
    sql`update discussions set ${RESTORED_STATE_COLUMNS} where id = ${at.discussionId} and state = 'deleted'`,
  );
  if (back > 0) await emit(tx, { type: "discussion.restored", ...at, by: me.id });
}
