import type { Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { publishProfileTexts } from "#community/accounts";
import { writeAudit } from "#community/audit";
import { getPendingForApproval, publishAndDelete } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";

/**
 * Publishes the pending texts of a profile in place of the previous ones.
 * @throws `not-found` for people who are not staff, for the author, and for another kind of entry, `conflict` if
 * it was decided already, the author has changed it since, or their account is not active
 */
export async function approvePendingProfile(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const pending = await getPendingForApproval(tx, me, input.pendingPostId);
  const { authorId, said } = pending;
  const { profile } = said;
  if (!profile) throw notFound();
  await publishAndDelete(tx, pending, () => publishProfileTexts(tx, authorId, profile));
  await writeAudit(tx, me, {
    act: "profile.approved",
    kind: "person",
    id: authorId,
    details: { personId: authorId },
  });
  await emit(tx, { type: "profile.approved", groupId: null, personId: authorId, by: me.id });
}
