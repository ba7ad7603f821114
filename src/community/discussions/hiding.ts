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
 * Locks a published or hidden post with its container; null if it is gone. The caller has checked permission.
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

/** Locks the post, so that concurrent reports see each other. */
export const holdPost = async (tx: Tx, postId: string): Promise<void> => void (await standing(tx, postId));

/**
 * Hides a published post until it is reviewed; does nothing otherwise. The caller has checked that enough
 * people reported it.
 */
export async function hidePost(tx: Tx, postId: string): Promise<void> {
  const found = await standing(tx, postId);
  if (found?.post.state !== "published") return;
  await run(tx, sql`update posts set state = 'hidden', hidden_at = ${tx.now}, hidden_times = hidden_times + 1 where id = ${postId}`);
  await announce(tx, { type: happening(found, "hidden"), ...found.at, postId, number: found.post.number, by: null });
}

/** Unhides a reviewed post for all readers. Does nothing if it is not hidden. */
export async function endHiding(tx: Tx, viewer: Viewer, postId: string): Promise<void> {
  const found = await standing(tx, postId);
  if (found?.post.state === "hidden") await open(tx, signedIn(viewer), found, found.post);
}

/**
 * Unhides a post without waiting for its reports to be closed.
 * @throws `not-found` if the viewer does not read it or it is not hidden, `not-allowed` if they do not
 * moderate it, or wrote it
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

/**
 * Asserts that the author may bring a hidden post back by editing it now.
 * @throws `not-allowed`
 */
export function assertMayMend(tx: Tx, me: SignedIn, post: Changeable, { may }: Pick<Ground, "may">): void {
  if (!postRules.mend(me, post, may)) throw new Refusal("not-allowed", "This post is hidden until somebody has looked at it.");
  if (mendableFrom(post.hiddenAt!) > tx.now)
    throw new Refusal("not-allowed", "You can change this post ten minutes after it was hidden. Take your time.");
}

/** When the author of a hidden post may edit it. */
export const mendableFrom = (hiddenAt: Date): Date => later(hiddenAt, LIMITS.reports.mendMinutes * MINUTE);

/** Makes the post readable again; earlier reports no longer hide it. */
export async function open(
  tx: Tx,
  me: SignedIn,
  { at }: Pick<Ground, "at">,
  { id, number }: { id: string; number: number },
): Promise<void> {
  await run(tx, sql`update posts set state = 'published', hidden_at = null, shown_at = ${tx.now} where id = ${id}`);
  await announce(tx, { type: happening({ at }, "shown"), ...at, postId: id, number, by: me.id });
}
