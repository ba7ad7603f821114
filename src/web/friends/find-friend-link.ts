import { acceptFriendLink, getFriendLink, type FriendLinkView } from "#community/friends";
import type { Viewer } from "#community/rules";
import type { Db, Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { urls } from "../urls.ts";

/**
 * Finds the friend link with this token; null for other tokens, since group invitations have the same URL
 * form.
 */
export async function findFriendLinkByToken(
  db: Db,
  viewer: Viewer,
  token: string,
  now: Date,
): Promise<FriendLinkView | null> {
  try {
    return await getFriendLink(db, viewer, token, now);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  }
}

/** Accepts the link and returns the URL of the new friend. */
export const acceptFriendLinkAndGetUrl = async (tx: Tx, viewer: Viewer, token: string): Promise<string> =>
  urls.person((await acceptFriendLink(tx, viewer, { token })).personId);
