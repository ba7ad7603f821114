import type { Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { getPendingForApproval, publishAndDelete } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { assertCanAdd, insertResource, lockUnusedUpload } from "./new-resources.ts";
import { assertCanSavePost } from "./saved-posts.ts";

/**
 * Adds a pending resource with the present time, as if its author had just sent it.
 * @throws `not-found` for people who may not approve it and for a pending post, `conflict` if it was decided
 * already or its author could no longer add it
 */
export async function approvePendingResource(
  tx: Tx,
  viewer: Viewer,
  input: { pendingPostId: string },
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const pending = await getPendingForApproval(tx, me, input.pendingPostId);
  const { author, authorId, groupId, said } = pending;
  if (!said.resource) throw notFound();
  const { title, tags, resource } = said;
  const added = await publishAndDelete(tx, pending, async () => {
    const fields = { ...resource, title, tags, groupId: groupId ?? undefined };
    await assertCanAdd(tx, author, fields.groupId, resource.kind);
    await assertCanSavePost(tx, author, fields, resource.kind);
    if (resource.uploadId) await lockUnusedUpload(tx, author, resource.uploadId);
    return insertResource(tx, author, fields, resource);
  });
  const at = { resourceId: added.id, groupId };
  await writeAudit(tx, me, {
    act: "resource.approved",
    kind: "resource",
    id: added.id,
    details: { groupId, personId: authorId },
  });
  await emit(tx, { type: "resource.approved", ...at, personId: authorId, by: me.id });
  return added;
}
