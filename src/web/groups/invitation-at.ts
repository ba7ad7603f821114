import { invitationFor, type InvitationFound } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";

/** The invitation token in a path. */
export const invitationIn = (path: string): string | undefined => /^\/invite\/([\w-]+)$/.exec(path)?.[1];

/**
 * The invitation that a path leads to; null if it is none to a group, since links to friends have the same
 * form.
 */
export async function invitationAt(db: Db, viewer: Viewer, path: string, now: Date): Promise<InvitationFound | null> {
  const token = invitationIn(path);
  if (!token) return null;
  try {
    return await invitationFor(db, viewer, token, now);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  }
}
