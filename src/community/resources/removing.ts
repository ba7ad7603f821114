import { DAY, later } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { LIMITS, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import type { ResourceRemoval } from "./forms.ts";
import { resourceToChange } from "./resource.ts";

/**
 * Takes a resource away: one's own, or with a reason what somebody else keeps. It can be brought back for thirty days. Throws
 * `not-found`, `gone`, `not-allowed`, `invalid` on `reason`.
 */
export async function removeResource(tx: Tx, viewer: Viewer, input: z.output<typeof ResourceRemoval>): Promise<void> {
  const me = signedIn(viewer);
  const it = await resourceToChange(tx, me, input.resourceId);
  if (it.state === "removed") return;
  if (!resourceRules.remove(me, it))
    throw new Refusal("not-allowed", "Only its keeper and those who look after its place can take it away.");
  const own = it.keeperId === me.id;
  if (!own && input.reason === "") throw needsReason();
  await takeAway(tx, me, { id: it.id, groupId: it.group?.id ?? null, reason: own ? null : input.reason });
}

const needsReason = () => invalid("reason", "Say why: its keeper will read it.");

/**
 * Takes away a resource about which a report was upheld; what is gone already stays as it is. Who may judge the report may do this, also where
 * they read nothing else of the place: whoever calls answers for that. Throws `invalid` on `reason`.
 */
export async function takeResourceDown(tx: Tx, me: SignedIn, { resourceId, reason }: z.output<typeof ResourceRemoval>): Promise<void> {
  if (reason.trim() === "") throw needsReason();
  const it = await maybeOne(
    tx,
    sql<{ id: string; groupId: string | null }>`
      select id, group_id as "groupId" from resources where id = ${resourceId} and state in ('published', 'hidden') for no key update`,
  );
  if (it) await takeAway(tx, me, { ...it, reason: reason.trim() });
}

/** `reason`: of somebody else's, which is written down; null of one's own. */
async function takeAway(tx: Tx, me: SignedIn, { id, groupId, reason }: { id: string; groupId: string | null; reason: string | null }) {
  await run(
    tx,
    sql`update resources set state = 'removed', removed_at = ${tx.now}, removed_by = ${me.id}, removed_reason = ${reason ?? ""},
          featured_at = null, featured_by = null where id = ${id}`,
  );
  if (reason !== null) await audit(tx, me, { act: "resource.removed", kind: "resource", id, reason, details: { groupId } });
  await announce(tx, { type: "resource.removed", resourceId: id, groupId, by: me.id });
}

/**
 * Puts back a resource about whose removal an appeal was upheld; what stands already stays as it is. Who may judge the appeal may do this, as
 * above.
 */
export async function putResourceBack(tx: Tx, me: SignedIn, { resourceId, reason }: z.output<typeof ResourceRemoval>): Promise<void> {
  const it = await maybeOne(
    tx,
    sql<{ id: string; groupId: string | null }>`
      select id, group_id as "groupId" from resources where id = ${resourceId} and state = 'removed' for no key update`,
  );
  if (it) await bringBack(tx, me, { ...it, reason: reason.trim() });
}

/** Brings back what was taken away. Throws `not-found`, `gone`, `not-allowed`. What stands already stays. */
export async function restoreResource(tx: Tx, viewer: Viewer, input: { resourceId: string }): Promise<void> {
  const me = signedIn(viewer);
  const it = await resourceToChange(tx, me, input.resourceId);
  if (it.state !== "removed") return;
  if (!resourceRules.restore(me, it)) throw new Refusal("not-allowed", "Only those who look after its place can bring it back.");
  await bringBack(tx, me, { id: it.id, groupId: it.group?.id ?? null, reason: it.keeperId === me.id ? null : "" });
}

/** `reason`: null of one's own, which is written down nowhere. */
async function bringBack(tx: Tx, me: SignedIn, { id, groupId, reason }: { id: string; groupId: string | null; reason: string | null }) {
  await run(tx, sql`update resources set state = 'published', removed_at = null, removed_by = null, removed_reason = '' where id = ${id}`);
  if (reason !== null)
    await audit(tx, me, { act: "resource.restored", kind: "resource", id, reason: reason || null, details: { groupId } });
  await announce(tx, { type: "resource.restored", resourceId: id, groupId, by: me.id });
}

const SHARE = 100;

/**
 * For the clock: what was taken away thirty days ago goes for good, with its comments; the files of both belong to nothing from then on. What
 * its keeper has asked for stays until somebody has answered.
 */
export async function purgeRemovedResources(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`with gone as (
          delete from resources where id in (
            select id from resources where state = 'removed' and removed_at < ${later(tx.now, -LIMITS.resources.restoreDays * DAY)}
              and not exists (select from reports r where r.resource_id = resources.id and r.appeal and r.resolved_at is null)
            order by removed_at ${limit(SHARE)} for update skip locked)
          returning id),
        holders as (
          select 'resource' as kind, id from gone
          union all select 'post', p.id from gone join posts p on p.resource_id = gone.id)
        update uploads u set attached_kind = null, attached_id = null from holders h where u.attached_kind = h.kind and u.attached_id = h.id`,
  );
}
