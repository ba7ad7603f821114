import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { groupRules, isSignedIn, isStaff, type SignedIn, type Viewer } from "#community/rules";
import type { GroupStatusChange } from "../group-forms.ts";
import { getGroupToChange } from "../group.ts";
import { clearScheduledOpening } from "./scheduled-visibility.ts";
import { hasOtherOwner } from "../ownership/owner-candidates.ts";

/** Days within which a deleted group can be restored. */
export const RESTORE_DAYS = 30;

type StateChange = {
  from: string;
  to: "active" | "archived" | "deleted";
  act: string;
  set: ReturnType<typeof sql>;
};

/**
 * Archives a group: it stays readable but closed for writing. A scheduled visibility change is cancelled,
 * since no one could stop it in an archived group.
 * @throws `not-found`, `not-allowed`, `conflict` for the wrong state, as do all commands in this file
 */
export async function archiveGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupStatusChange>,
): Promise<void> {
  const set = sql`archived_at = ${tx.now}, archived_by = ${viewer.id}`;
  await changeGroupState(tx, viewer, input, { from: "active", to: "archived", act: "group.archived", set });
  await clearScheduledOpening(tx, requireSignedIn(viewer), input.groupId);
}

/**
 * Unarchives a group.
 * @throws `not-allowed` also for owners if staff who do not moderate the group archived it, `conflict` also
 * if it has no owner
 */
export async function unarchiveGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupStatusChange>,
): Promise<void> {
  const byStaff = isId(input.groupId) && (await maybeOne(tx, archivedByStaff(input.groupId)));
  await changeGroupState(tx, viewer, input, {
    from: "archived",
    to: "active",
    act: "group.unarchived",
    set: sql`archived_at = null, archived_by = null`,
  });
  if (byStaff && !isStaff(viewer))
    throw new Refusal("not-allowed", "Staff archived this group. Only staff can reopen it.");
  const owned = await maybeOne(
    tx,
    sql`select from groups g where g.id = ${input.groupId} and ${hasOtherOwner(null, "g")}`,
  );
  if (!owned)
    throw new Refusal(
      "conflict",
      "This group has no owner. It can be reopened once a member has become its owner.",
    );
}

const archivedByStaff = (groupId: string) => sql`
  select from groups g join people p on p.id = g.archived_by and p.site_role <> 'member'
  where g.id = ${groupId} and not exists (select from memberships m
    where m.group_id = g.id and m.person_id = p.id and m.state = 'member')`;

async function changeGroupState(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupStatusChange>,
  { from, to, act, set }: StateChange,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.close(me, group)) throw new Refusal("not-allowed", "Only owners can do this.");
  if (group.state !== from) throw new Refusal("conflict", "This has already been done.");
  await run(tx, sql`update groups set state = ${to}, ${set} where id = ${group.id}`);
  await writeAudit(tx, me, { act, kind: "group", id: group.id, reason: input.reason || null });
  await emit(tx, { type: act, groupId: group.id, by: me.id });
}

/**
 * Deletes a group for everyone; it can be restored within 30 days.
 * @throws like `archiveGroup`
 */
export async function deleteGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof GroupStatusChange>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const group = await getGroupToChange(tx, me, input.groupId);
  if (!groupRules.close(me, group)) throw new Refusal("not-allowed", "Only owners can do this.");
  if (group.state === "pending") return withdrawPendingGroup(tx, me, group.id);
  await run(
    tx,
    sql`update groups set state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id},
          wider_visibility = null, wider_join_policy = null, wider_at = null, wider_by = null
          where id = ${group.id}`,
  );
  await writeAudit(tx, me, {
    act: "group.deleted",
    kind: "group",
    id: group.id,
    reason: input.reason || null,
  });
  await emit(tx, { type: "group.deleted", groupId: group.id, by: me.id });
}

/** A pending group has no content: it is deleted at once, and its pictures are detached. */
export async function withdrawPendingGroup(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  await run(
    tx,
    sql`update uploads set attached_kind = null, attached_id = null
      where attached_kind = 'group' and attached_id = ${groupId}`,
  );
  await run(tx, sql`delete from groups where id = ${groupId}`);
  await emit(tx, { type: "group.purged", groupId, by: me.id });
}

export type DeletedGroup = {
  id: string;
  name: string;
  deletedAt: Date;
  /** Last day on which the group can be restored. */ until: Date;
};

/**
 * Deleted groups that the viewer may restore, at most 50. Owners can restore their own, admins those that
 * are not secret.
 */
export async function listDeletedGroups(db: Db, viewer: Viewer): Promise<DeletedGroup[]> {
  if (!isSignedIn(viewer)) return [];
  const rows = await many(
    db,
    sql<Omit<DeletedGroup, "until">>`
      select g.id, g.name, g.deleted_at as "deletedAt" from groups g ${joinOwnership(viewer)}
      where g.deleted_at is not null and ${canRestore(viewer)} order by g.deleted_at desc, g.id limit 50`,
  );
  return rows.map((row) => ({ ...row, until: addMilliseconds(row.deletedAt, RESTORE_DAYS * DAY) }));
}

const joinOwnership = (viewer: Viewer) =>
  sql`left join memberships m on m.group_id = g.id and m.person_id = ${viewer.id}::uuid
    and m.state = 'member'`;
const canRestore = (viewer: Viewer) =>
  sql`(coalesce(m.role = 'owner', false)
    or (${viewer.role === "admin"}::boolean and g.visibility <> 'secret'))`;

/**
 * Restores a deleted group in its former state, or archived if it has no owner now.
 * @throws `not-found` for groups the viewer did not own and for purged ones
 */
export async function restoreGroup(
  tx: Tx,
  viewer: Viewer,
  input: { groupId: string },
): Promise<{ slug: string }> {
  const me = requireSignedIn(viewer);
  const group = isId(input.groupId)
    ? await maybeOne(
        tx,
        sql<{
          slug: string;
        }>`select g.slug from groups g ${joinOwnership(me)}
          where g.id = ${input.groupId} and g.deleted_at is not null and ${canRestore(me)} for update of g`,
      )
    : undefined;
  if (!group) throw notFound();
  await run(
    tx,
    // The owner may have closed their account meanwhile: a group without an owner is restored as archived.
    sql`update groups g set archived_at = coalesce(archived_at, case
      when not ${hasOtherOwner(null, "g")} then ${tx.now}::timestamptz end), deleted_at = null,
          deleted_by = null,
          state = case when archived_at is null and ${hasOtherOwner(null, "g")} then 'active'
            else 'archived' end
          where id = ${input.groupId}`,
  );
  await writeAudit(tx, me, { act: "group.restored", kind: "group", id: input.groupId });
  await emit(tx, { type: "group.restored", groupId: input.groupId, by: me.id });
  return group;
}

/**
 * Purges groups deleted 30 days ago with all their content, and detaches their files; for jobs. Returns how
 * many.
 */
export async function purgeDeletedGroups(tx: Tx): Promise<number> {
  const gone = await many(
    tx,
    sql<{ id: string }>`
      with gone as (
        delete from groups where id in (
          select id from groups where deleted_at < ${addMilliseconds(tx.now, -RESTORE_DAYS * DAY)}
          order by deleted_at limit 5 for update skip locked)
        returning id),
      holders as (
        select 'group' as kind, id from gone
        union all select 'resource', r.id from gone join resources r on r.group_id = gone.id
        union all select 'post', p.id from gone join resources r on r.group_id = gone.id
        join posts p on p.resource_id = r.id
        union all select 'post', p.id from gone join discussions d on d.group_id = gone.id
        join posts p on p.discussion_id = d.id),
      freed as (
        update uploads u set attached_kind = null, attached_id = null from holders h
        where u.attached_kind = h.kind and u.attached_id = h.id)
      select id from gone`,
  );
  for (const { id } of gone) await emit(tx, { type: "group.purged", groupId: id, by: null });
  return gone.length;
}
