import { MINUTE, SECOND } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import { tooMany } from "#platform/limits";
import { invalid, Refusal } from "#platform/refusal";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import type { From } from "./door.ts";
import { Email } from "./forms.ts";
import { passGate } from "./gate.ts";
import type { AccountTx, House } from "./house.ts";
import { spendLink } from "./mail-links.ts";
import { noteConfirmed } from "./open-account.ts";
import { type Pending, readPending, sealPending } from "./pending.ts";
import { beginIn, sendConfirmation } from "./register.ts";
import { spentLink } from "./states.ts";
import { suggestUsername, takenOf } from "./usernames.ts";
import { links, write } from "./write.ts";

export const confirmEmail = (house: House, token: string) =>
  house.inTransaction(async (tx) => {
    const link = await spendLink(tx, token, "confirm");
    const person =
      link && (await maybeOne(tx, sql<{ email: string | null }>`select email from people where id = ${link.personId} for update`));
    // The address may have been corrected since the mail was written.
    if (!person || person.email?.toLowerCase() !== link.email.toLowerCase()) throw spentLink();
    await noteConfirmed(tx, link.personId);
    const { state } = (await maybeOne(tx, sql<{ state: string }>`select state from people where id = ${link.personId}`))!;
    return { personId: link.personId, state: state === "pending_approval" ? ("pending_approval" as const) : ("active" as const) };
  });

type Waiting = { email: string | null };

/** An owner of the address who had an account before is not written to again: nothing waits under that id. */
export async function resendConfirmation(house: House, sealed: string, from: From): Promise<void> {
  const pending = readPending(house, sealed);
  const sinceWritten = house.now().getTime() - (pending.writtenAt ?? 0);
  if (sinceWritten < MINUTE) throw tooMany(Math.ceil((MINUTE - sinceWritten) / SECOND));
  await house.limits.take("resend", ALLOWANCES.resend, pending.id);
  await house.limits.take("resend-address", ALLOWANCES.resendAddress, placeOf(from.address));
  await house.inTransaction(async (tx) => {
    const person = await maybeOne(tx, sql<Waiting>`select email from people where id = ${pending.id} and state = 'unverified' for update`);
    if (person?.email) await sendConfirmation(house, tx, pending.id, person.email);
  });
}

export async function changePendingAddress(house: House, sealed: string, given: string, from: From): Promise<{ pending: string }> {
  const pending = readPending(house, sealed);
  const read = Email.safeParse(given);
  if (!read.success) throw invalid("email", read.error.issues[0]!.message);
  const email = read.data;
  await house.limits.take("resend-address", ALLOWANCES.resendAddress, placeOf(from.address));
  await house.limits.take("mail-link", ALLOWANCES.mailLink, pending.id);
  const suggested = await suggestUsername(house.database.db, pending.name);
  return house.inTransaction(async (tx) => {
    // Asked whether or not the address before has an account: the answer is the same.
    if (pending.invitation) await passGate(tx, { invitation: pending.invitation, email, who: email, personId: pending.id });
    const mine = await maybeOne(tx, sql<{ state: string }>`select state from people where id = ${pending.id} for update`);
    if (!mine) return beginAgain(house, tx, { ...pending, email }, suggested);
    if (mine.state !== "unverified") throw new Refusal("conflict", "This account is open already. Its address is changed in the settings.");
    await moveAddress(house, tx, pending.id, email);
    return { pending: sealPending(house, { ...pending, email, writtenAt: tx.now.getTime() }) };
  });
}

/** The address before belonged to somebody: only now is there an account to begin. */
async function beginAgain(house: House, tx: AccountTx, { writtenAt: _, username, ...pending }: Pending, suggested: string) {
  const taken = (await takenOf(tx, [username])).has(username);
  return beginIn(house, tx, { ...pending, username: taken ? suggested : username });
}

async function moveAddress(house: House, tx: AccountTx, personId: string, email: string): Promise<void> {
  const owner = await maybeOne(
    tx,
    sql<{ id: string; state: string }>`
    select id, state from people where lower(email) = lower(${email}) and id <> ${personId} for update`,
  );
  if (owner && owner.state !== "unverified") {
    await write(tx, "alreadyHere", owner.id, { link: links.askForReset(house) });
    // The first address stops working too: what is on the screen is what holds.
    await run(tx, sql`update people set email = null where id = ${personId}`);
    return;
  }
  if (owner) await run(tx, sql`delete from people where id = ${owner.id}`);
  await run(tx, sql`update people set email = ${email} where id = ${personId}`);
  await sendConfirmation(house, tx, personId, email);
}
