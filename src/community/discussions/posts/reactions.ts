import { maybeOne, one, sql, type Tx } from "#platform/database";
import { emitInStatement, publishAfterCommit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { getPostForUpdate } from "./editable-post.ts";
import type { NewReaction } from "../discussion-inputs.ts";
import { type PostContainer, postEventType } from "./post-container.ts";
import { lockWriter, assertReactionLimit, recentReactionCount } from "./post-limits.ts";

/**
 * Adds a reaction; adding it twice counts once.
 * @throws `not-found`, `not-allowed`, `too-many` above fifty in a day
 */
export async function addReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const [{ container }] = await Promise.all([getPostToReactTo(tx, me, input.postId), lockWriter(tx, me)]);
  const domainEvent = reactionEvent(me, container, "reacted", input);
  const { id, before } = await one(
    tx,
    sql<{ id: string | null; before: number }>`
      with added as (
        insert into reactions (post_id, person_id, emoji, created_at)
        values (${input.postId}, ${me.id}, ${input.emoji}, ${tx.now}) on conflict do nothing
        returning post_id),
      event as (${emitInStatement(tx, domainEvent, "added")})
      select (select id from event) as id, ${recentReactionCount(tx, me)} as before`,
  );
  if (id === null) return;
  assertReactionLimit(me, before);
  publishAfterCommit(tx, domainEvent, id);
}

export async function removeReaction(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReaction>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const { container } = await getPostToReactTo(tx, me, input.postId);
  const domainEvent = reactionEvent(me, container, "unreacted", input);
  const stored = await maybeOne(
    tx,
    sql<{ id: string }>`
      with gone as (
        delete from reactions
        where post_id = ${input.postId} and person_id = ${me.id} and emoji = ${input.emoji} returning post_id)
      ${emitInStatement(tx, domainEvent, "gone")}`,
  );
  if (stored) publishAfterCommit(tx, domainEvent, stored.id);
}

const reactionEvent = (
  me: SignedIn,
  container: PostContainer,
  what: string,
  { postId, emoji }: z.output<typeof NewReaction>,
) => ({ type: postEventType(container, what), ...container.at, postId, emoji, by: me.id });

async function getPostToReactTo(tx: Tx, me: SignedIn, postId: string) {
  const { post, container } = await getPostForUpdate(tx, me, postId);
  if (!container.can.react) throw new Refusal("not-allowed", "Only members can react here.");
  if (post.blockedEitherWay || discussionRules.stub(me, post, false))
    throw new Refusal("not-allowed", "You cannot react to this post.");
  return { container };
}
