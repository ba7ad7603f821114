import { maybeOne, sql, type Tx } from "#platform/database";
import { later as doLater } from "#platform/jobs";
import type { AccountTx, House } from "./house.ts";
import { issueLink } from "./mail-links.ts";
import { links, write } from "./write.ts";

/**
 * An email requested for an address. A job looks the address up after the response: otherwise the response
 * time would reveal who has an account. The job stores the address and is deleted once done.
 */
export type AccountMail =
  | { kind: "reset"; email: string }
  | { kind: "sign-in"; email: string; browserHash: string }
  /** Registration: a confirmation, or a notice to the existing owner of the address. */
  | { kind: "registered"; email: string; personId: string; provider?: string }
  | { kind: "confirm"; personId: string }
  /** Address change: a confirmation, or a notice to the existing owner. */
  | { kind: "new-address"; email: string; personId: string };

export const ACCOUNT_MAIL_TASK = "account-mail";

/** Before other jobs, since the person is waiting. */
const PRIORITY = -1;

export const writeAccountMailLater = (tx: Tx, mail: AccountMail): Promise<void> =>
  doLater(tx, { task: ACCOUNT_MAIL_TASK, payload: mail, priority: PRIORITY });

/** Sends a requested email. Does nothing for an unknown address. */
export const writeAccountMail = (house: House, mail: AccountMail): Promise<void> =>
  house.inTransaction(async (tx) => {
    if (mail.kind === "reset") return writeReset(house, tx, mail.email);
    if (mail.kind === "sign-in") return writeSignIn(house, tx, mail.email, Buffer.from(mail.browserHash, "base64url"));
    if (mail.kind === "new-address") return writeNewAddress(house, tx, mail);
    const person = await unverified(tx, mail.personId);
    if (mail.kind === "registered" && person?.email?.toLowerCase() !== mail.email.toLowerCase())
      return writeToOwner(house, tx, mail.email, mail.provider);
    if (person?.email) await sendConfirmation(house, tx, mail.personId, person.email);
  });

type Owner = { id: string; state: string; email: string };

const ownerOfAddress = (tx: AccountTx, email: string) =>
  maybeOne(
    tx,
    sql<Owner>`
      select id, state, email from people where lower(email) = lower(${email}) and state not in ('erased', 'ghost', 'guest') for update`,
  );

const unverified = (tx: AccountTx, id: string) =>
  maybeOne(tx, sql<{ email: string | null }>`select email from people where id = ${id} and state = 'unverified' for update`);

async function writeReset(house: House, tx: AccountTx, email: string) {
  const owner = await ownerOfAddress(tx, email);
  if (!owner) return;
  const token = await issueLink(tx, { personId: owner.id, email: owner.email, purpose: "reset_password" });
  await write(tx, "resetPassword", owner.id, { link: links.reset(house, token) });
}

async function writeSignIn(house: House, tx: AccountTx, email: string, browserHash: Buffer) {
  const owner = await ownerOfAddress(tx, email);
  if (!owner) return;
  // A sign-in link would open a registration that a stranger made, with the stranger's password.
  if (owner.state === "unverified") return sendConfirmation(house, tx, owner.id, owner.email);
  const token = await issueLink(tx, { personId: owner.id, email: owner.email, purpose: "sign_in", browserHash });
  await write(tx, "signInLink", owner.id, { link: links.signIn(house, token) });
}

async function writeNewAddress(house: House, tx: AccountTx, { personId, email }: { personId: string; email: string }) {
  const owner = await ownerOfAddress(tx, email);
  if (owner && owner.state !== "unverified") return writeToOwner(house, tx, email);
  const token = await issueLink(tx, { personId, email, purpose: "change_email" });
  await write(tx, "confirmNewAddress", personId, { to: email, email, link: links.newAddress(house, token) });
}

/** Only the owner of an address learns that it has an account. */
async function writeToOwner(house: House, tx: AccountTx, email: string, provider?: string) {
  const owner = await ownerOfAddress(tx, email);
  if (!owner || owner.state === "unverified") return;
  if (provider) await write(tx, "connectProvider", owner.id, { provider, link: links.providers(house, owner.id) });
  else await write(tx, "alreadyHere", owner.id, { link: links.askForReset(house) });
}

async function sendConfirmation(house: House, tx: AccountTx, personId: string, email: string): Promise<void> {
  const token = await issueLink(tx, { personId, email, purpose: "confirm" });
  await write(tx, "confirm", personId, { to: email, link: links.confirm(house, token) });
}
