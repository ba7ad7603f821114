import { clientNetwork } from "#platform/client-address";
import { MINUTE, SECOND } from "#platform/clock";
import { maybeOne, one, run, sql } from "#platform/database";
import { tooManyRequests } from "#platform/limits";
import { issueMessage } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { assertAddressAllowed } from "#community/prevention";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import type { ConfirmationResult, ConfirmationProof, ClientInfo, SignInResult } from "../types.ts";
import { Email } from "../account-forms.ts";
import { assertCanRegister } from "./registration-gate.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { dropCredentials } from "./credentials.ts";
import { findValidLink, consumeLink } from "../emails/mail-links.ts";
import { markEmailConfirmed } from "./open-account.ts";
import { assertPasswordAllowed } from "../sign-in/password-rules.ts";
import { hashPassword, isPasswordCorrect } from "../sign-in/password-hashing.ts";
import {
  type PendingRegistration,
  PENDING_LIFETIME,
  readPendingRegistration,
  sealPendingRegistration,
} from "./pending-registration.ts";
import { setPassword } from "../sign-in/password-reset.ts";
import {
  type AccountOwner,
  accountOwnerColumns,
  assertCanSignIn,
  continueSignInWithin,
} from "../sign-in/complete-sign-in.ts";
import { createAccountOrNotifyAddressOwner } from "./register.ts";
import { usedLinkRefusal } from "../lifecycle/account-states.ts";
import { suggestUsername, filterTakenUsernames } from "./usernames.ts";

/**
 * Opens the account of a confirmation link for a person who proves that the registration is theirs. If the
 * client `from` is given, the person is signed in on it, unless the account now waits for approval.
 * @throws `gone` for a link that was used, replaced or is older than 48 hours, `invalid` on `password` for a
 * wrong or unsuitable one
 */
export async function confirmEmail(
  app: Pick<
    AccountsContext,
    "database" | "limits" | "settings" | "now" | "origin" | "sealer" | "accountHooks"
  >,
  token: string,
  by: ConfirmationProof,
  from?: ClientInfo,
): Promise<ConfirmationResult> {
  const registered = await getRegistration(app, token);
  const proof = await verifyRegistrationProof(app, registered, by);
  if (!proof)
    return { kind: "password", username: registered.username, hasPassword: registered.passwordHash !== null };
  return inAccountTransaction(app, async (tx) => {
    if (!(await consumeLink(tx, token, "confirm"))) throw usedLinkRefusal();
    const { id: personId, username } = registered;
    const person = await maybeOne(
      tx,
      sql<{ email: string | null }>`select email from people where id = ${personId} for update`,
    );
    if (person?.email !== registered.email) throw usedLinkRefusal();
    if (proof.dropsCredentials) await dropCredentials(tx, personId);
    if (proof.newHash !== null) await setPassword(tx, personId, proof.newHash, null);
    await markEmailConfirmed(app, tx, personId);
    const owner = await one(
      tx,
      sql<AccountOwner>`select ${accountOwnerColumns} from people where id = ${personId}`,
    );
    const state = owner.state === "pending_approval" ? owner.state : "active";
    const signIn = from && state === "active" ? await signInOwner(app, tx, owner, from) : null;
    return { kind: "confirmed", personId, username, state, signIn };
  });
}

function signInOwner(
  app: Pick<AccountsContext, "now" | "origin" | "sealer">,
  tx: AccountTx,
  owner: AccountOwner,
  from: ClientInfo,
): Promise<SignInResult> {
  assertCanSignIn(app, owner);
  return continueSignInWithin(app, tx, owner, { stay: true, from, sessionKind: "web" });
}

/** Data of a confirmation link's page before the link is used. */
export type PendingConfirmation = {
  username: string;
  hasPassword: boolean;
  /** Whether the browser that sent `pending` made the registration. */
  isOwn: boolean;
};

/** Reads a confirmation link without using it; null for one that no longer works. */
export async function findConfirmation(
  app: Pick<AccountsContext, "database" | "now" | "sealer">,
  token: string,
  pending: string | undefined,
): Promise<PendingConfirmation | null> {
  try {
    const registered = await getRegistration(app, token);
    return {
      username: registered.username,
      hasPassword: registered.passwordHash !== null,
      isOwn: isOwnRegistration(app, registered, pending),
    };
  } catch (error) {
    if (error instanceof Refusal && error.reason === "gone") return null;
    throw error;
  }
}

const isOwnRegistration = (
  app: Pick<AccountsContext, "now" | "sealer">,
  registered: UnconfirmedAccount,
  pending: string | undefined,
): boolean =>
  Boolean(pending) &&
  app.sealer.unseal<PendingRegistration>("pending", pending!, app.now(), PENDING_LIFETIME)?.id ===
    registered.id;

/** The password is checked outside of the transaction, since hashing is slow. */
async function verifyRegistrationProof(
  app: Pick<AccountsContext, "limits" | "now" | "sealer">,
  registered: UnconfirmedAccount,
  { pending, password, newPassword, withoutPassword }: ConfirmationProof,
) {
  if (isOwnRegistration(app, registered, pending)) return { newHash: null, dropsCredentials: false };
  if (newPassword !== undefined) {
    await assertPasswordAllowed(newPassword, registered);
    return { newHash: await hashPassword(newPassword), dropsCredentials: true };
  }
  if (withoutPassword) return { newHash: null, dropsCredentials: true };
  if (password === undefined) return null;
  await app.limits.take("own-password", ACCOUNT_LIMITS.ownPassword, registered.id);
  if (!(await isPasswordCorrect(password.slice(0, 1_000), registered.passwordHash)))
    throw invalid("password", "That is not the password of this registration.");
  return { newHash: null, dropsCredentials: false };
}

/**
 * The registration behind a confirmation link.
 * @throws `gone` for a used link, and for a link to an address that was corrected since
 */
async function getRegistration(
  app: Pick<AccountsContext, "database" | "now">,
  token: string,
): Promise<UnconfirmedAccount> {
  const link = await findValidLink(app.database.db, token, "confirm", app.now());
  const registered =
    link &&
    (await maybeOne(
      app.database.db,
      sql<UnconfirmedAccount>`select id, username, email, password_hash as "passwordHash" from people
        where id = ${link.personId} and lower(email) = lower(${link.email})`,
    ));
  if (!registered) throw usedLinkRefusal();
  return registered;
}

type UnconfirmedAccount = { id: string; username: string; email: string; passwordHash: string | null };

/**
 * Sends the confirmation again, at most once a minute.
 * @throws `gone` when the registration is no longer open
 */
export async function resendConfirmation(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer">,
  sealed: string,
  from: ClientInfo,
  returnTo?: string,
): Promise<void> {
  const pending = readPendingRegistration(app, sealed);
  const sinceWritten = app.now().getTime() - (pending.writtenAt ?? 0);
  if (sinceWritten < MINUTE) throw tooManyRequests(Math.ceil((MINUTE - sinceWritten) / SECOND));
  await app.limits.take("resend", ACCOUNT_LIMITS.resend, pending.id);
  await app.limits.take("resend-address", ACCOUNT_LIMITS.resendAddress, clientNetwork(from.address));
  await inAccountTransaction(app, (tx) =>
    enqueueRequestedMail(tx, { kind: "confirm", personId: pending.id, returnTo }),
  );
}

/** Changes the address before confirmation; the result is the same for a taken address. */
export async function changePendingAddress(
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer" | "accountHooks">,
  sealed: string,
  given: string,
  from: ClientInfo,
  returnTo?: string,
): Promise<{ pending: string }> {
  const pending = readPendingRegistration(app, sealed);
  const parsed = Email.safeParse(given);
  if (!parsed.success) throw invalid("email", issueMessage(parsed.error.issues[0]!));
  const email = parsed.data;
  await app.limits.take("resend-address", ACCOUNT_LIMITS.resendAddress, clientNetwork(from.address));
  await app.limits.take("mail-link", ACCOUNT_LIMITS.mailLink, pending.id);
  const suggested = await suggestUsername(app.database.db, pending.name);
  return inAccountTransaction(app, async (tx) => {
    // The check runs whether or not the previous address has an account, so that the response is the same.
    if (pending.invitation)
      await assertCanRegister(app, tx, {
        invitation: pending.invitation,
        email,
        who: email,
        personId: pending.id,
        address: from.address,
      });
    else
      await assertAddressAllowed(
        tx,
        { email, address: from.address },
        { contact: tx.site.contact, now: tx.now },
      );
    const mine = await maybeOne(
      tx,
      sql<{ state: string }>`select state from people where id = ${pending.id} for update`,
    );
    if (!mine) return restartRegistration(app, tx, { ...pending, email }, suggested, returnTo);
    if (mine.state !== "unverified")
      throw new Refusal("conflict", "This account is already active. Change its address in the settings.");
    await changeUnverifiedAddress(tx, pending.id, email, returnTo);
    return { pending: sealPendingRegistration(app, { ...pending, email, writtenAt: tx.now.getTime() }) };
  });
}

/**
 * Registers again after the account was deleted, for instance because a later registration used its address.
 * Without an invitation, the check whether the person may register is repeated, since registration may have
 * been closed meanwhile; the caller has checked an invitation.
 */
async function restartRegistration(
  app: Pick<AccountsContext, "now" | "sealer" | "accountHooks">,
  tx: AccountTx,
  { writtenAt: _, username, ...pending }: PendingRegistration,
  suggested: string,
  returnTo: string | undefined,
) {
  if (!pending.invitation)
    await assertCanRegister(app, tx, {
      invitation: undefined,
      email: pending.email,
      who: pending.email,
      personId: pending.id,
    });
  const taken = (await filterTakenUsernames(tx, [username])).has(username);
  return createAccountOrNotifyAddressOwner(
    app,
    tx,
    { ...pending, username: taken ? suggested : username },
    { returnTo },
  );
}

async function changeUnverifiedAddress(
  tx: AccountTx,
  personId: string,
  email: string,
  returnTo: string | undefined,
): Promise<void> {
  const owner = await maybeOne(
    tx,
    sql<{
      state: string;
    }>`select state from people where lower(email) = lower(${email}) and id <> ${personId} for update`,
  );
  const taken = owner !== undefined && owner.state !== "unverified";
  await run(
    tx,
    sql`delete from people where lower(email) = lower(${email}) and id <> ${personId}
      and state = 'unverified'`,
  );
  // The previous address stops working even if the new address is taken: only the address shown on the page
  // counts.
  await run(tx, sql`update people set email = ${taken ? null : email} where id = ${personId}`);
  await enqueueRequestedMail(tx, { kind: "registered", email, personId, returnTo });
}
