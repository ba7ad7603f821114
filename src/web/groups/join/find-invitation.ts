import { getInvitation, type InvitationView } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";

/** The invitation token in a path. */
export const invitationToken = (path: string): string | undefined => /^\/invite\/([\w-]+)$/.exec(path)?.[1];

/**
 * Finds the group invitation that a path leads to; null for other paths, and for friend links, whose paths
 * look the same.
 */
export async function findInvitationAt(
  db: Db,
  viewer: Viewer,
  path: string,
  now: Date,
): Promise<InvitationView | null> {
  const token = invitationToken(path);
  if (!token) return null;
  try {
    return await getInvitation(db, viewer, token, now);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  }
}
