import { DAY, addMilliseconds } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { SERVER_LIMITS, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import type { ResourceRemoval } from "./resource-inputs.ts";
import { deleteReturnedEntry } from "./resource-hiding.ts";
import { getResourceForUpdate } from "./resource.ts";

/**
 * Removes the viewer's own resource, or another owner's resource with a reason. It can be restored for
 * thirty days.
 * @throws `not-found`, `gone`, `not-allowed`, `invalid` on `reason`
 */
export async function removeResource(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ResourceRemoval>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  if (it.state === "removed") return;
  if (!resourceRules.remove(me, it))
    throw new Refusal("not-allowed", "Only the owner and moderators can remove this resource.");
  const own = it.ownerId === me.id;
  if (!own && input.reason === "") throw reasonRequiredRefusal();
  await markRemoved(tx, me, { id: it.id, groupId: it.group?.id ?? null, reason: own ? null : input.reason });
}

const reasonRequiredRefusal = () => invalid("reason", "Enter a reason. The owner will read it.");

/**
 * Removes a resource after an upheld report. Does nothing if it no longer exists. The caller has checked
 * that the viewer may decide the report; the viewer needs no other access to the resource.
 * @throws `invalid` on `reason`
 */
export async function removeReportedResource(
  tx: Tx,
  me: SignedIn,
  { resourceId, reason }: z.output<typeof ResourceRemoval>,
): Promise<void> {
  if (reason.trim() === "") throw reasonRequiredRefusal();
  const it = await maybeOne(
    tx,
    sql<{ id: string; groupId: string | null }>`
      select id, group_id as "groupId" from resources
      where id = ${resourceId} and state in ('published', 'hidden') for no key update`,
  );
  if (it) await markRemoved(tx, me, { ...it, reason: reason.trim() });
}

/** `reason`: stored in the audit log for another owner's resource; null for the viewer's own. */
async function markRemoved(
  tx: Tx,
  me: SignedIn,
  { id, groupId, reason }: { id: string; groupId: string | null; reason: string | null },
) {
  await run(
    tx,
    sql`with answered as (${deleteReturnedEntry(id)})
      update resources set state = 'removed', removed_at = ${tx.now}, removed_by = ${me.id},
        removed_reason = ${reason ?? ""}, returned_at = null, featured_at = null, featured_by = null where id = ${id}`,
  );
  if (reason !== null)
    await writeAudit(tx, me, { act: "resource.removed", kind: "resource", id, reason, details: { groupId } });
  await emit(tx, { type: "resource.removed", resourceId: id, groupId, by: me.id });
}

/**
 * Restores a resource after an upheld appeal. Does nothing if it is published. The caller has checked that
 * the viewer may decide.
 */
export async function restoreReportedResource(
  tx: Tx,
  me: SignedIn,
  { resourceId, reason }: z.output<typeof ResourceRemoval>,
): Promise<void> {
  const it = await maybeOne(
    tx,
    sql<{ id: string; groupId: string | null }>`
      select id, group_id as "groupId" from resources
      where id = ${resourceId} and state = 'removed' for no key update`,
  );
  if (it) await unmarkRemoved(tx, me, { ...it, reason: reason.trim() });
}

/**
 * Restores a removed resource; does nothing if it is published.
 * @throws `not-found`, `gone`, `not-allowed`
 */
export async function restoreResource(tx: Tx, viewer: Viewer, input: { resourceId: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  if (it.state !== "removed") return;
  if (!resourceRules.restore(me, it))
    throw new Refusal("not-allowed", "Only moderators can restore this resource.");
  await unmarkRemoved(tx, me, {
    id: it.id,
    groupId: it.group?.id ?? null,
    reason: it.ownerId === me.id ? null : "",
  });
}

/** `reason`: null for the viewer's own resource, whose restoration is not audited. */
async function unmarkRemoved(
  tx: Tx,
  me: SignedIn,
  { id, groupId, reason }: { id: string; groupId: string | null; reason: string | null },
) {
  await run(
    tx,
    sql`update resources set state = 'published', removed_at = null, removed_by = null, removed_reason = '',
      hidden_at = null, unhidden_at = ${tx.now} where id = ${id}`,
  );
  if (reason !== null)
    await writeAudit(tx, me, {
      act: "resource.restored",
      kind: "resource",
      id,
      reason: reason || null,
      details: { groupId },
    });
  await emit(tx, { type: "resource.restored", resourceId: id, groupId, by: me.id });
}

const BATCH_SIZE = 100;

/**
 * For jobs: deletes resources that were removed thirty days ago, with their comments, and detaches the files
 * of both. A resource with an open appeal is kept until the appeal is decided.
 */
export async function purgeRemovedResources(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`with gone as (
          delete from resources where id in (
            select id from resources where state = 'removed'
              and removed_at < ${addMilliseconds(tx.now, -SERVER_LIMITS.resources.restoreDays * DAY)}
              and not exists (select from reports r
                where r.resource_id = resources.id and r.appeal and r.resolved_at is null)
            order by removed_at ${limit(BATCH_SIZE)} for update skip locked)
          returning id),
        holders as (
          select 'resource' as kind, id from gone
          union all select 'post', p.id from gone join posts p on p.resource_id = gone.id)
        update uploads u set attached_kind = null, attached_id = null from holders h
        where u.attached_kind = h.kind and u.attached_id = h.id`,
  );
}
