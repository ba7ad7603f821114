import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { lockPublishedPost, markPostVisible } from "../moderation/post-hiding.ts";
import { type PostContainer, postEventType } from "../posts/post-container.ts";
import { alreadyDecidedRefusal, getPendingForApproval } from "./pending-post-rows.ts";

/**
 * Hides a post or comment after an upheld report, and asks its author for changes. Their edit waits for
 * approval like a new post. Does nothing if the post was removed. The caller has checked that the viewer may
 * decide the report.
 * @throws `invalid` on `reason`
 */
export async function returnReportedPost(
  tx: Tx,
  me: SignedIn,
  input: { postId: string; reason: string },
): Promise<void> {
  const reason = input.reason.trim();
  if (reason === "") throw invalid("reason", "Enter what should be changed. The author will read it.");
  const found = await lockPublishedPost(tx, input.postId);
  if (!found) return;
  const { at, post } = found;
  await run(
    tx,
    sql`update posts set state = 'hidden', hidden_at = null, returned_at = ${tx.now} where id = ${post.id}`,
  );
  const { id: pendingPostId, personId } = await storeReturnedPost(tx, post.id, reason);
  if (post.state === "published")
    await emit(tx, {
      type: postEventType(found, "hidden"),
      ...at,
      postId: post.id,
      number: post.number,
      by: null,
    });
  await writeAudit(tx, me, {
    act: "post.returned",
    kind: "post",
    id: post.id,
    reason,
    details: { ...at, personId },
  });
  await emit(tx, { type: "post.returned", pendingPostId, ...at, personId, by: me.id });
}

/** Stores the returned text as it was published, with the reason. Returns the id of the entry and the author. */
const storeReturnedPost = (tx: Tx, postId: string, reason: string) =>
  one(
    tx,
    sql<{ id: string; personId: string }>`
      insert into pending_posts (id, author_id, discussion_id, resource_id, post_id, said, body_html, created_at,
        returned_at, answer)
      select ${tx.newId()}, author_id, discussion_id, resource_id, id, jsonb_build_object('body', body_md),
        body_html, created_at, ${tx.now}, ${reason}
      from posts where id = ${postId}
      on conflict (post_id) where post_id is not null do update set said = excluded.said,
        body_html = excluded.body_html, returned_at = excluded.returned_at, answer = excluded.answer
      returning id, author_id as "personId"`,
  );

/**
 * Lets the changes of a returned post wait for approval. The entry gets a new id, so that a moderator cannot
 * approve a text that has changed since they read it. The caller has stored the changes in the post.
 */
export async function resubmitReturnedPost(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  { id, body, html }: { id: string; body: string; html: string },
): Promise<void> {
  const pendingPostId = tx.newId();
  await run(
    tx,
    sql`update pending_posts set id = ${pendingPostId}, returned_at = null, answer = '', created_at = ${tx.now},
        said = jsonb_build_object('body', ${body}::text), body_html = ${html}
      where post_id = ${id}`,
  );
  await emit(tx, { type: "post.pending", pendingPostId, ...at, isResource: false, by: me.id });
}

/**
 * Shows a post again whose author has changed it.
 * @throws `not-found` for people who may not approve it, and after a later change; `conflict` if it was decided
 * already
 */
export async function approveReturnedPost(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { id, postId, authorId: personId } = await getPendingForApproval(tx, me, input.pendingPostId);
  const found = postId && (await lockPublishedPost(tx, postId));
  if (!found) throw notFound();
  const waits = await maybeOne(
    tx,
    sql`select from pending_posts where id = ${id} and returned_at is null for update`,
  );
  if (!waits) throw alreadyDecidedRefusal();
  await markPostVisible(tx, me, found, found.post);
  const details = { ...found.at, personId };
  await writeAudit(tx, me, { act: "post.approved", kind: "post", id: found.post.id, details });
  await emit(tx, { type: "post.approved", ...found.at, postId: found.post.id, personId, by: me.id });
}
