import { z } from "zod";
import { maybeOne, sql, type Tx } from "#platform/database";
import { enqueueJob as doLater } from "#platform/jobs";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { issueLink } from "./mail-links.ts";
import { accountMailLinks, sendAccountMail } from "./send-account-mail.ts";

/**
 * An email requested for an address. A job looks the address up after the response: otherwise the response
 * time would reveal who has an account. The job stores the address and is deleted once done.
 */
export const RequestedMail = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("reset"), email: z.string() }),
  z.object({ kind: z.literal("sign-in"), email: z.string(), browserHash: z.string() }),
  /** Registration: a confirmation, or a notice to the existing owner of the address. */
  z.object({
    kind: z.literal("registered"),
    email: z.string(),
    personId: z.string(),
    provider: z.string().optional(),
    returnTo: z.string().optional(),
  }),
  z.object({ kind: z.literal("confirm"), personId: z.string(), returnTo: z.string().optional() }),
  /** Address change: a confirmation, or a notice to the existing owner. */
  z.object({ kind: z.literal("new-address"), email: z.string(), personId: z.string() }),
]);
export type RequestedMail = z.output<typeof RequestedMail>;

export const ACCOUNT_MAIL_TASK = "account-mail";

/** Requested emails are sent before other jobs, since the person is waiting. */
const HIGH_PRIORITY = -1;

export const enqueueRequestedMail = (tx: Tx, mail: RequestedMail): Promise<void> =>
  doLater(tx, { task: ACCOUNT_MAIL_TASK, payload: mail, priority: HIGH_PRIORITY });

/** Sends a requested email. Does nothing for an unknown address. */
export const sendRequestedMail = (
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  mail: RequestedMail,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    if (mail.kind === "reset") return mailResetLink(app, tx, mail.email);
    if (mail.kind === "sign-in")
      return mailSignInLink(app, tx, mail.email, Buffer.from(mail.browserHash, "base64url"));
    if (mail.kind === "new-address") return mailAddressConfirmation(app, tx, mail);
    const person = await findUnverified(tx, mail.personId);
    if (mail.kind === "registered" && person?.email?.toLowerCase() !== mail.email.toLowerCase())
      return mailExistingOwner(app, tx, mail.email, mail.provider);
    if (person?.email) await sendConfirmation(app, tx, mail.personId, person.email, mail.returnTo);
  });

type AddressOwner = { id: string; state: string; email: string };

const findAddressOwner = (tx: AccountTx, email: string) =>
  maybeOne(
    tx,
    sql<AddressOwner>`
      select id, state, email from people
      where lower(email) = lower(${email}) and state not in ('erased', 'ghost', 'guest', 'bot') for update`,
  );

const findUnverified = (tx: AccountTx, id: string) =>
  maybeOne(
    tx,
    sql<{
      email: string | null;
      needsApproval: boolean;
    }>`select email, needs_approval as "needsApproval" from people where id = ${id} and state = 'unverified' for update`,
  );

async function mailResetLink(app: Pick<AccountsContext, "origin">, tx: AccountTx, email: string) {
  const owner = await findAddressOwner(tx, email);
  if (!owner) return;
  const token = await issueLink(tx, { personId: owner.id, email: owner.email, purpose: "reset_password" });
  await sendAccountMail(tx, "resetPassword", owner.id, { link: accountMailLinks.reset(app, token) });
}

async function mailSignInLink(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  email: string,
  browserHash: Buffer,
) {
  const owner = await findAddressOwner(tx, email);
  if (!owner) return;
  // An unconfirmed account gets a confirmation instead: a sign-in link would open an account that a stranger
  // may have registered with a password of their own.
  if (owner.state === "unverified") return sendConfirmation(app, tx, owner.id, owner.email);
  const token = await issueLink(tx, {
    personId: owner.id,
    email: owner.email,
    purpose: "sign_in",
    browserHash,
  });
  await sendAccountMail(tx, "signInLink", owner.id, { link: accountMailLinks.signIn(app, token) });
}

async function mailAddressConfirmation(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  { personId, email }: { personId: string; email: string },
) {
  const owner = await findAddressOwner(tx, email);
  if (owner && owner.state !== "unverified") return mailExistingOwner(app, tx, email);
  const token = await issueLink(tx, { personId, email, purpose: "change_email" });
  await sendAccountMail(tx, "confirmNewAddress", personId, {
    to: email,
    email,
    link: accountMailLinks.newAddress(app, token),
  });
}

/** Only the owner of an address learns that it has an account. */
async function mailExistingOwner(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  email: string,
  provider?: string,
) {
  const owner = await findAddressOwner(tx, email);
  if (!owner || owner.state === "unverified") return;
  if (provider)
    await sendAccountMail(tx, "connectProvider", owner.id, {
      provider,
      link: accountMailLinks.providers(app, owner.id),
    });
  else await sendAccountMail(tx, "alreadyHere", owner.id, { link: accountMailLinks.askForReset(app) });
}

async function sendConfirmation(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  personId: string,
  email: string,
  returnTo?: string,
): Promise<void> {
  const token = await issueLink(tx, { personId, email, purpose: "confirm" });
  const needsApproval =
    tx.site.registration === "approval" || (await findUnverified(tx, personId))?.needsApproval;
  const kind = needsApproval ? "confirmForApproval" : "confirm";
  await sendAccountMail(tx, kind, personId, {
    to: email,
    link: accountMailLinks.confirm(app, token, returnTo),
  });
}
