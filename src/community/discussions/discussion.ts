import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { type DiscussionFacts, groupRules, isSignedIn, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, selectDiscussion } from "./discussion-columns.ts";

/**
 * A discussion as the viewer sees it.
 * @throws `not-found` for a discussion that is missing or that the viewer may not read
 */
export async function getDiscussion(db: Db, viewer: Viewer, id: string): Promise<Discussion> {
  const found = isId(id) ? await maybeOne(db, selectDiscussion(viewer, id)) : undefined;
  if (!found) throw notFound();
  return found;
}

/** Like `getDiscussion`, for commands that write: locks the row, so that its numbers are current. */
export async function getDiscussionForUpdate(db: Db, viewer: Viewer, id: string): Promise<Discussion> {
  const found =
    isId(id) && isSignedIn(viewer) ? await maybeOne(db, selectLockedDiscussion(viewer, id)) : undefined;
  if (!found) throw notFound();
  return found;
}

/** Statement of `getDiscussionForUpdate`. */
export const selectLockedDiscussion = (me: SignedIn, id: string | ReturnType<typeof sql>) =>
  sql<Discussion>`${selectDiscussion(me, id)} for no key update of d`;

/** Refusal with the reason why a reader of a discussion cannot reply. */
export function cannotReplyRefusal(viewer: Viewer, discussion: DiscussionFacts): Refusal {
  if (discussion.state !== "open" || discussion.group.state !== "active")
    return new Refusal("not-allowed", "This is archived and read-only.");
  if (discussion.locked && groupRules.answer(viewer, discussion.group))
    return new Refusal("not-allowed", "This discussion is closed for replies.");
  return viewer.limited ? limitedAccountRefusal() : new Refusal("not-allowed", "Join the group to reply.");
}

/** Limited accounts cannot write anywhere: the message must not suggest joining the group. */
export const limitedAccountRefusal = () =>
  new Refusal("not-allowed", "Your account cannot post at the moment.");
