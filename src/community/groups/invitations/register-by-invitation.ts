import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { GUEST } from "#community/rules";
import {
  type InvitationRow,
  invitationQuery,
  lockInvitation,
  invitationRefusal,
  findInvitationFault,
} from "./accept-invitation.ts";

/**
 * A registration by invitation. `who` identifies it, so that a retry uses no second place; `personId` is the
 * id of the future account.
 */
export type InvitedRegistrant = { token: string; email: string | null; who: string; personId: string };

/**
 * Reserves a place of an invitation for a registration, where registration is by invitation only. An
 * invitation by email allows that address to register; a link that joins at once allows as many people as it
 * has places. A link that only requests to join allows no one. Returns false if the invitation does not
 * allow a registration.
 * @throws `gone` when it has ended, `not-allowed` for another address
 */
export async function registerByInvitation(tx: Tx, invitedRegistrant: InvitedRegistrant): Promise<boolean> {
  await lockInvitation(tx, invitedRegistrant.token);
  const mark = hashSecret(`${invitedRegistrant.token} ${invitedRegistrant.who.toLowerCase()}`);
  // A repeated registration, or one with a corrected address, must not use up a second place.
  await run(
    tx,
    sql`delete from invited_registrations where who_hash = ${mark} or person_id = ${invitedRegistrant.personId}`,
  );
  const row = await maybeOne(tx, invitationQuery(GUEST, invitedRegistrant.token, tx.now));
  if (!row) return false;
  const over = findInvitationFault(row) ?? (isFull(row) ? "used" : null);
  if (over) throw invitationRefusal(over);
  if (!row.registers) return false;
  if (row.email && row.email.toLowerCase() !== invitedRegistrant.email?.toLowerCase())
    throw new Refusal(
      "not-allowed",
      "This invitation was sent to another email address. Register with that one.",
    );
  await run(
    tx,
    sql`insert into invited_registrations (invitation_id, who_hash, person_id, at)
      values (${row.invitationId}, ${mark}, ${invitedRegistrant.personId}, ${tx.now})`,
  );
  return true;
}

const isFull = (row: InvitationRow) => row.kind === "link" && row.entry === "join" && !row.registers;
