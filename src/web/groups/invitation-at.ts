import { invitationFor, type InvitationFound } from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";

/** The token of the invitation that a path leads to. */
export const invitationIn = (path: string): string | undefined => /^\/invite\/([\w-]+)$/.exec(path)?.[1];

/** What somebody will find who goes on to this path; null where it leads to no group: the same addresses lead to friends. */
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
