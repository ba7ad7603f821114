import { many, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { SignedIn } from "#community/rules";

/**
 * Revokes the unused invitations of a person who is removed or banned; they stay revoked if the person
 * returns. When a person leaves, their invitations by name stay valid: other members see them in the list.
 */
export async function revokeInvitationsBy(
  tx: Tx,
  me: SignedIn,
  { groupId, personId }: { groupId: string; personId: string },
): Promise<void> {
  const invited = await many(
    tx,
    sql<{ id: string }>`
      with revoked as (
        update group_invitations set revoked_at = ${tx.now}, revoked_by = ${me.id}
        where group_id = ${groupId} and created_by = ${personId} and revoked_at is null and uses < most_uses)
      update memberships set state = 'expired', changed_at = ${tx.now}
      where group_id = ${groupId} and invited_by = ${personId} and state = 'invited'
      returning person_id as id`,
  );
  for (const { id } of invited)
    await emit(tx, { type: "group.invitation_expired", groupId, personId: id, by: null });
}
