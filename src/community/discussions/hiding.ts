import { later, MINUTE } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { discussionRules, LIMITS, postRules, type SignedIn, type Viewer } from "#community/rules";
import { type Changeable, postToChange } from "./changeable.ts";
import { type Ground, happening } from "./ground.ts";
import { lockedPlace } from "./locked-place.ts";

type Standing = { id: string; number: number; state: string };

/**
 * The post, or comment, locked with what it stands in, where everybody still reads it, or it is hidden; null where it is gone. For whoever
 * answers for having looked whether this may be done.
 */
async function standing(tx: Tx, postId: string): Promise<(Pick<Ground, "at"> & { post: Standing }) | null> {
  const place = await lockedPlace(tx, postId);
  const post =
    place &&
    (await maybeOne(
      tx,
      sql<Standing>`select id, number, state from posts where id = ${postId} and state in ('published', 'hidden') for no key update`,
    ));
  return post ? { at: place.at, post } : null;
}

/** Holds the post, so that of several who report it at once each sees what those before have said. */
export const holdPost = async (tx: Tx, postId: string): Promise<void> => void (await standing(tx, postId));

/** Hides a post that is open, until somebody has looked at it; nothing otherwise. Whether enough have reported it is known. */
export async function hidePost(tx: Tx, postId: string): Promise<void> {
  const found = await standing(tx, postId);
  if (found?.post.state !== "published") return;
  await run(tx, sql`update posts set state = 'hidden', hidden_at = ${tx.now}, hidden_times = hidden_times + 1 where id = ${postId}`);
  await announce(tx, { type: happening(found, "hidden"), ...found.at, postId, number: found.post.number, by: null });
}

/** A post that was reported and hidden has been looked at, and stays: everybody reads it again. Nothing for what is not hidden. */
export async function endHiding(tx: Tx, viewer: Viewer, postId: string): Promise<void> {
  const found = await standing(tx, postId);
  if (found?.post.state === "hidden") await open(tx, signedIn(viewer), found, found.post);
}

/**
 * Lets everybody read again what was hidden, without waiting for its reports to be ended. Throws `not-found` for who does not read it, or
 * where it is not hidden, and `not-allowed` for who does not look after the place.
 */
export async function showPost(tx: Tx, viewer: Viewer, input: { postId: string }): Promise<void> {
  const me = signedIn(viewer);
  const { post, ground } = await postToChange(tx, me, input.postId);
  if (discussionRules.stub(me, post, ground.may.moderate) === "hidden" || post.state !== "hidden") throw notFound();
  if (!ground.may.moderate || post.authorId === me.id)
    throw new Refusal("not-allowed", "Somebody else who looks after this place has to look at it.");
  await audit(tx, me, { act: "post.shown", kind: "post", id: post.id, details: ground.at });
  await open(tx, me, ground, post);
}

/** Throws `not-allowed` where the author of a post that is hidden cannot bring it back by changing it, or not yet. */
export function assertMayMend(tx: Tx, me: SignedIn, post: Changeable, { may }: Pick<Ground, "may">): void {
  if (!postRules.mend(me, post, may)) throw new Refusal("not-allowed", "This post is hidden until somebody has looked at it.");
  if (mendableFrom(post.hiddenAt!) > tx.now)
    throw new Refusal("not-allowed", "You can change this post ten minutes after it was hidden. Take your time.");
}

/** From when on its author may change what was hidden then. */
export const mendableFrom = (hiddenAt: Date): Date => later(hiddenAt, LIMITS.reports.mendMinutes * MINUTE);

/** Everybody reads it again; what was reported until now hides it no more. */
export async function open(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<Ground, "at">,
  { id, number }: { id: string; number: number },
): Promise<void> {
  await run(tx, sql`update posts set state = 'published', hidden_at = null, shown_at = ${tx.now} where id = ${id}`);
  await announce(tx, { type: happening({ at }, "shown"), ...at, postId: id, number, by: me.id });
}
