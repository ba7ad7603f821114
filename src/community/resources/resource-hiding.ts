import { addMilliseconds, MINUTE } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { resourceRules, SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import type { Resource } from "./resource-columns.ts";
import { getResourceForUpdate } from "./resource.ts";

type LockedResource = { id: string; groupId: string | null; state: "published" | "hidden" };

/** Locks a published or hidden resource; undefined if it is neither. The caller has checked permission. */
export const lockShownOrHidden = (tx: Tx, resourceId: string): Promise<LockedResource | undefined> =>
  maybeOne(
    tx,
    sql<LockedResource>`select id, group_id as "groupId", state from resources
      where id = ${resourceId} and state in ('published', 'hidden') for no key update`,
  );

/**
 * Locks a resource that a member reports, so that concurrent reports see each other. The caller has loaded it as
 * the reporter.
 * @throws `conflict` if other reports hid it meanwhile, `not-found` if it was removed
 */
export async function lockReportedResource(tx: Tx, resourceId: string): Promise<void> {
  const found = await lockShownOrHidden(tx, resourceId);
  if (!found) throw notFound();
  if (found.state === "hidden")
    throw new Refusal(
      "conflict",
      "Others have reported this too. It is hidden until a moderator has reviewed it.",
    );
}

/**
 * Hides a published resource until it is reviewed; does nothing otherwise. The caller has checked that enough
 * people reported it.
 */
export async function hideResource(tx: Tx, resourceId: string): Promise<void> {
  const found = await lockShownOrHidden(tx, resourceId);
  if (found?.state !== "published") return;
  await run(
    tx,
    sql`update resources set state = 'hidden', hidden_at = ${tx.now}, hidden_count = hidden_count + 1
      where id = ${resourceId}`,
  );
  await emit(tx, { type: "resource.hidden", resourceId, groupId: found.groupId, by: null });
}

/** Shows a reviewed resource to all readers again. Does nothing if it is not hidden. */
export async function unhideReviewedResource(tx: Tx, viewer: Viewer, resourceId: string): Promise<void> {
  const found = await lockShownOrHidden(tx, resourceId);
  if (found?.state === "hidden") await markResourceVisible(tx, requireSignedIn(viewer), found);
}

/**
 * Shows a hidden resource again without waiting for its reports to be closed.
 * @throws `not-found` for a resource that the viewer cannot see or that is not hidden, `gone`, `not-allowed` for
 * viewers who do not moderate it or own it
 */
export async function unhideResource(tx: Tx, viewer: Viewer, input: { resourceId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  if (it.state !== "hidden") throw notFound();
  if (!resourceRules.unhide(me, it))
    throw new Refusal("not-allowed", "Another moderator has to review this.");
  const groupId = it.group?.id ?? null;
  await writeAudit(tx, me, { act: "resource.unhidden", kind: "resource", id: it.id, details: { groupId } });
  await markResourceVisible(tx, me, { id: it.id, groupId });
}

/**
 * Asserts that the owner may edit a hidden resource now. The edit makes it visible again, or waits for approval if
 * a moderator asked for it.
 * @throws `not-allowed`
 */
export function assertCanEditHiddenResource(tx: Tx, me: SignedIn, it: Resource): void {
  if (!resourceRules.mend(me, it))
    throw new Refusal("not-allowed", "This resource is hidden until a moderator has reviewed it.");
  if (it.returnedAt === null && hiddenResourceEditableFrom(it.hiddenAt!) > tx.now)
    throw new Refusal("not-allowed", "You can edit this resource 10 minutes after it was hidden.");
}

/** Time from which the owner of a hidden resource may edit it. */
export const hiddenResourceEditableFrom = (hiddenAt: Date): Date =>
  addMilliseconds(hiddenAt, SERVER_LIMITS.reports.mendMinutes * MINUTE);

/** Statement that deletes the entry of a resource that was returned to its owner. */
export const deleteReturnedEntry = (resourceId: string) =>
  sql`delete from pending_posts where resource_id = ${resourceId} and said->'resource' is not null`;

/** Shows a hidden resource to all readers again. Earlier reports no longer count toward hiding it. */
export async function markResourceVisible(
  tx: Tx,
  me: SignedIn,
  { id, groupId }: Pick<LockedResource, "id" | "groupId">,
): Promise<void> {
  await run(
    tx,
    sql`with answered as (${deleteReturnedEntry(id)})
      update resources set state = 'published', hidden_at = null, returned_at = null, unhidden_at = ${tx.now}
      where id = ${id}`,
  );
  await emit(tx, { type: "resource.unhidden", resourceId: id, groupId, by: me.id });
}
