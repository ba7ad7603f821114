import type { Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { getPendingForApproval, type PendingResource, publishAndDelete } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { assertCanAdd, type CommonInput, insertResource, lockUnusedUpload } from "./new-resources.ts";
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
  const { resource } = said;
  if (!resource) throw notFound();
  const added = await publishAndDelete(tx, pending, async () => {
    const fields = toCommonInput(groupId, { ...(said as unknown as PendingResource), resource });
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

const toCommonInput = (groupId: string | null, { title, tags, resource }: PendingResource) =>
  ({ ...resource, title, tags, groupId: groupId ?? undefined }) as CommonInput & typeof resource;
