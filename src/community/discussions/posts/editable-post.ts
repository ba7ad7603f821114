import { maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { blockedIds, blockerIds, blockedEitherWayIds } from "#community/friends";
import type { HiddenFacts, PostFacts, SignedIn } from "#community/rules";
import { type PostContainer, lockContainerOfPost } from "./post-container.ts";

/** A post with the facts needed to change it. */
export type EditablePost = PostFacts &
  HiddenFacts & {
    /** A block separates the viewer and the author, even if the viewer sees the post as a moderator. */
    blockedEitherWay: boolean;
    id: string;
    number: number;
    version: number;
    body: string;
    createdAt: Date;
    edited: boolean;
    isOnly: boolean;
  };

/**
 * A post and its container, both locked.
 * @throws `not-found` for a post the viewer may not read
 */
export async function getPostForUpdate(
  tx: Tx,
  me: SignedIn,
  postId: string,
): Promise<{ post: EditablePost; container: PostContainer }> {
  if (!isId(postId)) throw notFound();
  const [container, post] = await Promise.all([
    lockContainerOfPost(tx, me, postId),
    maybeOne(
      tx,
      sql<Omit<EditablePost, "isOnly">>`
        select id, number, version, body_md as body, author_id as "authorId", state, created_at as "createdAt",
          edited_at is not null as edited, hidden_at as "hiddenAt", hidden_count as "hiddenTimes",
          returned_at as "returnedAt",
          author_id = any(${blockerIds(me)}) as "blocksViewer",
          author_id = any(${blockedIds(me)}) as "viewerBlocks",
          author_id = any(${blockedEitherWayIds(me)}) as "blockedEitherWay"
        from posts where id = ${postId} for no key update`,
    ),
  ]);
  if (!post || post.number <= container.lastHiddenNumber) throw notFound();
  const blocksViewer = post.blocksViewer && !container.pastBlocks;
  return {
    post: { ...post, blocksViewer, isOnly: container.discussion?.lastNumber === 1 },
    container,
  };
}
