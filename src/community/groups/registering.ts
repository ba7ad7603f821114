import { maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { GUEST } from "#community/rules";
import { type InvitationRow, invitationRow, lockInvitation, refusalOf, whyNot } from "./invited.ts";

/** Somebody who registers by an invitation: `who` tells them from others who do, `personId` is what their account is to be. */
export type Registering = { token: string; email: string | null; who: string; personId: string };

/**
 * Lets somebody register where only invited people may, and takes a place for them: an invitation to an address lets in that
 * address, a link that lets in at once as many as it has places. One with questions waits for an answer, and lets nobody in before.
 * False where it is none of these; throws `gone` for what is over, `not-allowed` for another address.
 */
export async function registerInvited(tx: Tx, it: Registering): Promise<boolean> {
  await lockInvitation(tx, it.token);
  const mark = hashOf(`${it.token} ${it.who.toLowerCase()}`);
  // Who comes again, or corrects their address, does not stand in their own way.
  await run(tx, sql`delete from invited_registrations where who_hash = ${mark} or person_id = ${it.personId}`);
  const row = await maybeOne(tx, invitationRow(GUEST, it.token, tx.now));
  if (!row) return false;
  const over = whyNot(row) ?? (isFull(row) ? "used" : null);
  if (over) throw refusalOf(over);
  if (!row.registers) return false;
  if (row.email && row.email.toLowerCase() !== it.email?.toLowerCase())
    throw new Refusal("not-allowed", "This invitation went to another mail address. Register with that one.");
  await run(
    tx,
    sql`insert into invited_registrations (invitation_id, who_hash, person_id, at) values (${row.invitationId}, ${mark}, ${it.personId}, ${tx.now})`,
  );
  return true;
}

const isFull = (row: InvitationRow) => row.kind === "link" && row.entry === "join" && !row.registers;
