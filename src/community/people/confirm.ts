import { MINUTE, SECOND } from "#platform/clock";
import { maybeOne, one, run, sql } from "#platform/database";
import { tooMany } from "#platform/limits";
import { invalid, Refusal } from "#platform/refusal";
import { writeAccountMailLater } from "./account-mail.ts";
import { ALLOWANCES, placeOf } from "./allowances.ts";
import type { Confirmed, Confirming, From } from "./door.ts";
import { Email } from "./forms.ts";
import { passGate } from "./gate.ts";
import type { AccountTx, House } from "./house.ts";
import { dropCredentials } from "./credentials.ts";
import { lookAtLink, spendLink } from "./mail-links.ts";
import { noteConfirmed } from "./open-account.ts";
import { checkPassword } from "./password-rules.ts";
import { hashPassword, passwordFits } from "./passwords.ts";
import { type Pending, PENDING_LASTS, readPending, sealPending } from "./pending.ts";
import { setPassword } from "./reset.ts";
import { beginIn } from "./register.ts";
import { spentLink } from "./states.ts";
import { suggestUsername, takenOf } from "./usernames.ts";

/**
 * Opens the account of a confirmation link for the person who made it: a link proves the address, but another
 * person may have registered with it. The registering browser shows its sealed registration; others give the
 * password, or set a new one, which replaces every credential set up before.
 */
export async function confirmEmail(house: House, token: string, by: Confirming): Promise<Confirmed> {
  const registered = await registrationOf(house, token);
  const proof = await proofOf(house, registered, by);
  if (!proof) return { kind: "password", username: registered.username, hasPassword: registered.passwordHash !== null };
  return house.inTransaction(async (tx) => {
    if (!(await spendLink(tx, token, "confirm"))) throw spentLink();
    const { id: personId, username } = registered;
    const person = await maybeOne(tx, sql<{ email: string | null }>`select email from people where id = ${personId} for update`);
    if (person?.email !== registered.email) throw spentLink();
    if (proof.newHash !== null) {
      await dropCredentials(tx, personId);
      await setPassword(tx, personId, proof.newHash, null);
    }
    await noteConfirmed(tx, personId);
    const { state } = await one(tx, sql<{ state: string }>`select state from people where id = ${personId}`);
    return { kind: "confirmed", personId, username, state: state === "pending_approval" ? state : "active" };
  });
}

/** The password is checked outside of the transaction, since hashing is slow. */
async function proofOf(house: House, registered: Registration, { pending, password, newPassword }: Confirming) {
  if (pending && house.sealer.unseal<Pending>("pending", pending, house.now(), PENDING_LASTS)?.id === registered.id)
    return { newHash: null };
  if (newPassword !== undefined) {
    await checkPassword(newPassword, registered);
    return { newHash: await hashPassword(newPassword) };
  }
  if (password === undefined) return null;
  await house.limits.take("own-password", ALLOWANCES.ownPassword, registered.id);
  if (!(await passwordFits(password.slice(0, 1_000), registered.passwordHash)))
    throw invalid("password", "That is not the password of this registration.");
  return { newHash: null };
}

/** @throws `gone` for a used link, and for one to an address corrected since */
async function registrationOf(house: House, token: string): Promise<Registration> {
  const link = await lookAtLink(house.database.db, token, "confirm", house.now());
  const registered =
    link &&
    (await maybeOne(
      house.database.db,
      sql<Registration>`select id, username, email, password_hash as "passwordHash" from people
        where id = ${link.personId} and lower(email) = lower(${link.email})`,
    ));
  if (!registered) throw spentLink();
  return registered;
}

type Registration = { id: string; username: string; email: string; passwordHash: string | null };

/** An existing owner of the address gets no second email: there is no pending account under that id. */
export async function resendConfirmation(house: House, sealed: string, from: From): Promise<void> {
  const pending = readPending(house, sealed);
  const sinceWritten = house.now().getTime() - (pending.writtenAt ?? 0);
  if (sinceWritten < MINUTE) throw tooMany(Math.ceil((MINUTE - sinceWritten) / SECOND));
  await house.limits.take("resend", ALLOWANCES.resend, pending.id);
  await house.limits.take("resend-address", ALLOWANCES.resendAddress, placeOf(from.address));
  await house.inTransaction((tx) => writeAccountMailLater(tx, { kind: "confirm", personId: pending.id }));
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
    // Checked whether or not the previous address has an account, so that the response is the same.
    if (pending.invitation) await passGate(tx, { invitation: pending.invitation, email, who: email, personId: pending.id });
    const mine = await maybeOne(tx, sql<{ state: string }>`select state from people where id = ${pending.id} for update`);
    if (!mine) return beginAgain(house, tx, { ...pending, email }, suggested);
    if (mine.state !== "unverified") throw new Refusal("conflict", "This account is open already. Its address is changed in the settings.");
    await moveAddress(tx, pending.id, email);
    return { pending: sealPending(house, { ...pending, email, writtenAt: tx.now.getTime() }) };
  });
}

/** The previous address belonged to someone else, so that no account exists yet. */
async function beginAgain(house: House, tx: AccountTx, { writtenAt: _, username, ...pending }: Pending, suggested: string) {
  const taken = (await takenOf(tx, [username])).has(username);
  return beginIn(house, tx, { ...pending, username: taken ? suggested : username });
}

async function moveAddress(tx: AccountTx, personId: string, email: string): Promise<void> {
  const owner = await maybeOne(
    tx,
    sql<{ state: string }>`select state from people where lower(email) = lower(${email}) and id <> ${personId} for update`,
  );
  const taken = owner !== undefined && owner.state !== "unverified";
  await run(tx, sql`delete from people where lower(email) = lower(${email}) and id <> ${personId} and state = 'unverified'`);
  // The first address stops working even where the new one is taken: only the one on the screen counts.
  await run(tx, sql`update people set email = ${taken ? null : email} where id = ${personId}`);
  await writeAccountMailLater(tx, { kind: "registered", email, personId });
}
