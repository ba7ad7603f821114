import { run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { discussionRules, type Viewer } from "#community/rules";
import { getPostForUpdate } from "./editable-post.ts";
import type { NewReaction } from "../discussion-inputs.ts";
import { postEventType } from "./post-container.ts";
import { lockWriter, assertReactionLimit } from "./post-limits.ts";

/**
 * Adds a reaction; adding it twice counts once.
 * @throws `not-found`, `not-allowed`, `too-many` above fifty in a day
 */
export async function addReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const { me, post, ground } = await getPostToReactTo(tx, viewer, input.postId);
  await lockWriter(tx, me);
  const added = await run(
    tx,
    sql`insert into reactions (post_id, person_id, emoji, created_at)
      values (${post.id}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing`,
  );
  if (added === 0) return;
  await assertReactionLimit(tx, me);
  await emit(tx, {
    type: postEventType(ground, "reacted"),
    ...ground.at,
    postId: post.id,
    emoji: input.emoji,
    by: me.id,
  });
}

export async function removeReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const { me, post, ground } = await getPostToReactTo(tx, viewer, input.postId);
  const gone = await run(
    tx,
    sql`delete from reactions where post_id = ${post.id} and person_id = ${me.id} and emoji = ${input.emoji}`,
  );
  if (gone > 0)
    await emit(tx, {
      type: postEventType(ground, "unreacted"),
      ...ground.at,
      postId: post.id,
      emoji: input.emoji,
      by: me.id,
    });
}

async function getPostToReactTo(tx: Tx, viewer: Viewer, postId: string) {
  const me = requireSignedIn(viewer);
  const { post, ground } = await getPostForUpdate(tx, me, postId);
  if (!ground.can.react) throw new Refusal("not-allowed", "Only members can react here.");
  if (post.blockedEitherWay || discussionRules.stub(me, post, false))
    throw new Refusal("not-allowed", "You cannot react to this post.");
  return { me, post, ground };
}
