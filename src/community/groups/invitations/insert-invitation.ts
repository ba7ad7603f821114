import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { isStaff, LIMITS, type SignedIn } from "#community/rules";

type NewInvitation = {
  groupId: string;
  kind: "person" | "address" | "link";
  personId?: string;
  email?: string;
  token?: string;
  entry: "join" | "ask";
  mostUses?: number;
};

/**
 * Limits invitations to ten a day; staff are exempt.
 * @throws `too-many`
 */
export async function assertInvitationLimit(tx: Tx, me: SignedIn, wanted: number): Promise<void> {
  // The lock serializes a person's invitations, so that two concurrent ones are both counted.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('invitations:' || ${me.id}::text, 0))`);
  const { made } = await one(
    tx,
    sql<{
      made: number;
    }>`select count(*)::int as made from group_invitations
      where created_by = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  const left = LIMITS.invitation.perDay - made;
  if (wanted <= left || isStaff(me)) return;
  throw left > 0
    ? new Refusal("too-many", "You have fewer invitations left today than you selected. Select fewer people.")
    : new Refusal("too-many", "You have reached the limit of ten invitations a day. Come back tomorrow.", {
        retryAfter: DAY / 1000,
      });
}

/**
 * Inserts an invitation with only the hash of its token. Neither token nor address is written to the log.
 * @throws `too-many` for the eleventh invitation in a day
 */
export async function insertInvitation(tx: Tx, me: SignedIn, invitation: NewInvitation): Promise<void> {
  await assertInvitationLimit(tx, me, 1);
  await run(
    tx,
    sql`insert into group_invitations (id, group_id, kind, person_id, email, token_hash, entry, most_uses,
      created_by, created_at, expires_at)
        values (${tx.newId()}, ${invitation.groupId}, ${invitation.kind}, ${invitation.personId ?? null},
          ${invitation.email ?? null}, ${invitation.token ? hashSecret(invitation.token) : null},
          ${invitation.entry}, ${invitation.mostUses ?? 1}, ${me.id}, ${tx.now},
          ${addMilliseconds(tx.now, LIMITS.invitation.days * DAY)})`,
  );
  const details = { kind: invitation.kind, ...(invitation.personId && { personId: invitation.personId }) };
  await writeAudit(tx, me, {
    act: "group.invitation_created",
    kind: "group",
    id: invitation.groupId,
    details,
  });
}
