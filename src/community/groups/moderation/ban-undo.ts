import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { isAccountUnlisted } from "#community/common";
import type { SignedIn } from "#community/rules";

/** A membership before a ban: the row as JSON. */
export type MembershipBefore = { group_id: string; person_id: string; state: string };

/** Reads a membership, so that the undo of a ban can restore it; undefined without one. */
export const readMembershipBefore = async (
  tx: Tx,
  { groupId, personId }: { groupId: string; personId: string },
): Promise<MembershipBefore | undefined> =>
  (
    await maybeOne(
      tx,
      sql<{ row: MembershipBefore }>`select to_jsonb(m) as row from memberships m
        where m.group_id = ${groupId} and m.person_id = ${personId} for update`,
    )
  )?.row;

/**
 * Undoes the viewer's ban: membership, role, join request and invitations are as before. The caller has checked that
 * the viewer may undo the decision, and restores answers to events.
 * @throws `conflict` if the ban was appealed, lifted or changed since
 */
export async function undoGroupBan(
  tx: Tx,
  me: SignedIn,
  { before, decidedAt, reason }: { before: MembershipBefore; decidedAt: Date; reason: string },
): Promise<void> {
  const { group_id: groupId, person_id: personId } = before;
  await run(tx, sql`select from groups where id = ${groupId} for no key update`);
  const restored = await run(
    tx,
    sql`update memberships m set (state, role, answers, invited_by, banned_until, joined_at, changed_at, reason,
        pinned_at, banned_by, export_requested_at) =
        (select state, role, answers, invited_by, banned_until, joined_at, changed_at, reason,
          pinned_at, banned_by, export_requested_at
        from jsonb_populate_record(null::memberships, ${JSON.stringify(before)}::jsonb))
      where m.group_id = ${groupId} and m.person_id = ${personId} and m.state = 'banned'
        and m.changed_at = ${decidedAt} and m.banned_by = ${me.id} and m.appealed_at is null`,
  );
  if (restored === 0)
    throw new Refusal(
      "conflict",
      "The ban was appealed or changed after your decision. You can still lift it in the group.",
    );
  await restoreInvitations(tx, me, { groupId, personId, decidedAt });
  if (before.state === "member")
    await run(
      tx,
      sql`update groups set members_count = members_count + (
          select count(*)::int from people p where p.id = ${personId} and not ${isAccountUnlisted("p")})
        where id = ${groupId}`,
    );
  await writeAudit(tx, me, {
    act: "group.ban_undone",
    kind: "group",
    id: groupId,
    reason,
    details: { personId },
  });
  await emit(tx, { type: "group.ban_undone", groupId, personId, by: me.id });
}

/** Invitations to and of the person that the ban revoked, and the request that it decided. */
async function restoreInvitations(
  tx: Tx,
  me: SignedIn,
  { groupId, personId, decidedAt }: { groupId: string; personId: string; decidedAt: Date },
): Promise<void> {
  await run(
    tx,
    sql`with request as (
        delete from decided_join_requests
        where group_id = ${groupId} and person_id = ${personId} and decided_at = ${decidedAt}),
      invited as (
        update memberships set state = 'invited'
        where group_id = ${groupId} and invited_by = ${personId} and state = 'expired'
          and changed_at = ${decidedAt})
      update group_invitations set revoked_at = null, revoked_by = null
      where group_id = ${groupId} and ${personId} in (person_id, created_by) and revoked_at = ${decidedAt}
        and revoked_by = ${me.id}`,
  );
}
