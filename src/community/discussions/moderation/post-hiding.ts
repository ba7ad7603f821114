import { addMilliseconds, MINUTE } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { discussionRules, SERVER_LIMITS, postRules, type SignedIn, type Viewer } from "#community/rules";
import { type EditablePost, getPostForUpdate } from "../posts/editable-post.ts";
import { type PostContainer, postEventType } from "../posts/post-container.ts";
import { lockPostContainer } from "../posts/container-lock.ts";

type PublishedPost = { id: string; number: number; state: string };

/**
 * Locks a published or hidden post with its container; null if it no longer exists. The caller has checked
 * permission.
 */
export async function lockPublishedPost(
  tx: Tx,
  postId: string,
): Promise<(Pick<PostContainer, "at"> & { post: PublishedPost }) | null> {
  const container = await lockPostContainer(tx, postId);
  const post =
    container &&
    (await maybeOne(
      tx,
      sql<PublishedPost>`select id, number, state from posts
        where id = ${postId} and state in ('published', 'hidden') for no key update`,
    ));
  return post ? { at: container.at, post } : null;
}

/** Locks the post, so that concurrent reports see each other. */
export const lockReportedPost = async (tx: Tx, postId: string): Promise<void> =>
  void (await lockPublishedPost(tx, postId));

/**
 * Hides a published post until it is reviewed; does nothing otherwise. The caller has checked that enough
 * people reported it.
 */
export async function hidePost(tx: Tx, postId: string): Promise<void> {
  const found = await lockPublishedPost(tx, postId);
  if (found?.post.state !== "published") return;
  await run(
    tx,
    sql`update posts set state = 'hidden', hidden_at = ${tx.now}, hidden_count = hidden_count + 1
      where id = ${postId}`,
  );
  await emit(tx, {
    type: postEventType(found, "hidden"),
    ...found.at,
    postId,
    number: found.post.number,
    by: null,
  });
}

/** Unhides a reviewed post for all readers. Does nothing if it is not hidden. */
export async function unhideReviewedPost(tx: Tx, viewer: Viewer, postId: string): Promise<void> {
  const found = await lockPublishedPost(tx, postId);
  if (found?.post.state === "hidden") await markPostVisible(tx, requireSignedIn(viewer), found, found.post);
}

/**
 * Unhides a post without waiting for its reports to be closed.
 * @throws `not-found` for a post that the viewer cannot read or that is not hidden, `not-allowed` for
 * viewers who do not moderate the post or have written it
 */
export async function unhidePost(tx: Tx, viewer: Viewer, input: { postId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const { post, container } = await getPostForUpdate(tx, me, input.postId);
  if (discussionRules.stub(me, post, container.can.moderate) === "hidden" || post.state !== "hidden")
    throw notFound();
  if (!container.can.moderate || post.authorId === me.id)
    throw new Refusal("not-allowed", "Another moderator has to review this.");
  await writeAudit(tx, me, { act: "post.unhidden", kind: "post", id: post.id, details: container.at });
  await markPostVisible(tx, me, container, post);
}

/**
 * Asserts that the author may edit a hidden post now.
 * @throws `not-allowed`
 */
export function assertCanEditHiddenPost(
  tx: Tx,
  me: SignedIn,
  post: EditablePost,
  { can }: Pick<PostContainer, "can">,
): void {
  if (!postRules.mend(me, post, can))
    throw new Refusal("not-allowed", "This post is hidden until a moderator has reviewed it.");
  if (post.returnedAt === null && hiddenPostEditableFrom(post.hiddenAt!) > tx.now)
    throw new Refusal("not-allowed", "You can edit this post 10 minutes after it was hidden.");
}

/** Time from which the author of a hidden post may edit it. */
export const hiddenPostEditableFrom = (hiddenAt: Date): Date =>
  addMilliseconds(hiddenAt, SERVER_LIMITS.reports.mendMinutes * MINUTE);

/** Makes a hidden post readable again. Earlier reports no longer count toward hiding it. */
export async function markPostVisible(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<PostContainer, "at">,
  { id, number }: { id: string; number: number },
): Promise<void> {
  await run(
    tx,
    sql`with answered as (delete from pending_posts where post_id = ${id})
      update posts set state = 'published', hidden_at = null, returned_at = null, unhidden_at = ${tx.now}
      where id = ${id}`,
  );
  await emit(tx, { type: postEventType({ at }, "unhidden"), ...at, postId: id, number, by: me.id });
}
