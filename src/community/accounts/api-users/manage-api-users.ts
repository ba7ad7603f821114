import { clientNetwork } from "#platform/client-address";
import { maybeOne, sql } from "#platform/database";
import { hashSecret } from "#platform/ids";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { personRules, type Viewer } from "#community/rules";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import { ACCOUNT_LIMITS } from "../account-limits.ts";
import type { ClientInfo, StartedSession } from "../types.ts";
import {
  completeSignIn,
  type AccountOwner,
  accountOwnerColumns,
  assertCanSignIn,
} from "../sign-in/complete-sign-in.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { issueLink } from "../emails/mail-links.ts";
import { markEmailConfirmed } from "../registration/open-account.ts";
import { sendResetLink } from "../sign-in/password-reset.ts";
import { assertPassword } from "../sign-in/sign-in.ts";
import type { AccountState } from "../lifecycle/account-states.ts";
import { approveAccountWithin, setStatus } from "../sanctions/account-status.ts";
import { accountMailLinks } from "../emails/send-account-mail.ts";
import { unknownUser, findPersonByIdentifier } from "./api-users.ts";

/**
 * Starts a session for a person without asking for a password, for API clients with the server key.
 * @throws `not-found`, `SignInRefusal`
 */
export async function signInAs(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer">,
  viewer: Viewer,
  personId: string,
  from: ClientInfo,
): Promise<StartedSession> {
  const person = personRules.actAs(viewer)
    ? await findPersonByIdentifier(app.database.db, personId)
    : undefined;
  if (person?.id !== personId.toLowerCase()) throw unknownUser(personId);
  const owner = await maybeOne(
    app.database.db,
    sql<AccountOwner>`select ${accountOwnerColumns} from people where id = ${personId}`,
  );
  assertCanSignIn(app, owner!);
  return inAccountTransaction(app, (tx) =>
    completeSignIn(app, tx, personId, { stay: true, from, sessionKind: "api" }),
  );
}

/**
 * Returns whether the text is the viewer's password. Wrong attempts are limited like sign-ins: `too-many`.
 */
export async function isOwnPassword(
  app: Pick<AccountsContext, "database" | "limits">,
  viewer: Viewer & { id: string },
  password: string,
): Promise<boolean> {
  try {
    await assertPassword(app, viewer.id, password, "password");
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "invalid") return false;
    throw error;
  }
}

const UNKNOWN_PERSON = "00000000-0000-0000-0000-000000000000";

/**
 * Whether the viewer may learn that an account exists: admins may, and everyone where addresses are not
 * secret.
 */
const canLearnOfAccounts = async (app: Pick<AccountsContext, "settings">, viewer: Viewer) =>
  personRules.actAs(viewer) || !(await app.settings.get()).confirmAddress;

const unknownIdentity = (identity: string) =>
  new Refusal(
    "not-found",
    msg("There is no account called ''{identity}''.", { identity: identity.slice(0, 100) }),
    {
      kind: "identity-unknown",
    },
  );

/**
 * Sends the link to set a password to a person named by address, username or id.
 * @throws `not-found`, only where the existence of accounts is not secret
 */
export async function sendPasswordLink(
  app: Pick<AccountsContext, "database" | "limits" | "settings">,
  viewer: Viewer,
  identity: string,
  from: ClientInfo,
): Promise<void> {
  const person = await findPersonByIdentifier(app.database.db, identity);
  if (!person?.email && (await canLearnOfAccounts(app, viewer))) throw unknownIdentity(identity);
  await sendResetLink(app, person?.email ?? identity, from);
}

/** Resends the confirmation to a person whose address is not confirmed; has no visible effect otherwise. */
export async function resendConfirmationTo(
  app: Pick<AccountsContext, "database" | "limits" | "settings">,
  viewer: Viewer,
  identity: string,
  from: ClientInfo,
): Promise<void> {
  const person = await findPersonByIdentifier(app.database.db, identity);
  if (!person && (await canLearnOfAccounts(app, viewer))) throw unknownIdentity(identity);
  if (!from.trusted)
    await app.limits.take("resend-address", ACCOUNT_LIMITS.resendAddress, clientNetwork(from.address));
  // Requests are counted by identity, so that the limit does not reveal whether an account is pending.
  await app.limits.take(
    "resend",
    ACCOUNT_LIMITS.resend,
    hashSecret(identity.trim().toLowerCase()).toString("base64url"),
  );
  await inAccountTransaction(app, (tx) =>
    enqueueRequestedMail(tx, { kind: "confirm", personId: person?.id ?? UNKNOWN_PERSON }),
  );
}

/**
 * Creates a link that confirms a person's address.
 * @throws `not-found` for all but API clients with the server key
 */
export async function createConfirmationLink(
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  viewer: Viewer,
  identity: string,
): Promise<string> {
  const hosted = (await app.settings.get()).apiDefaults === "hosted";
  const person =
    hosted || personRules.actAs(viewer) ? await findPersonByIdentifier(app.database.db, identity) : undefined;
  if (person?.state !== "unverified" || !person.email) throw unknownIdentity(identity);
  const { id: personId, email } = person;
  const token = await inAccountTransaction(app, (tx) =>
    issueLink(tx, { personId, email, purpose: "confirm" }),
  );
  return accountMailLinks.confirm(app, token);
}

/**
 * Enables or disables an account.
 * @throws `not-allowed` for all but staff, and for people of the same rank
 */
export async function setUserStatus(
  app: Pick<AccountsContext, "database" | "settings" | "origin" | "accountHooks">,
  viewer: Viewer,
  personId: string,
  status: ApiUserStatus,
): Promise<void> {
  const person = await findPersonByIdentifier(app.database.db, personId);
  if (!person || !personRules.edit(viewer, person)) throw unknownUser(personId);
  await inAccountTransaction(app, (tx) => setUserEnabled(app, tx, viewer, person, status));
}

export async function setUserEnabled(
  app: Pick<AccountsContext, "origin" | "accountHooks">,
  tx: AccountTx,
  viewer: Viewer,
  { id, state }: { id: string; state: AccountState },
  status: ApiUserStatus,
) {
  if (status === "ENABLED" && state === "pending_approval") return approveAccountWithin(app, tx, viewer, id);
  if (status === "ENABLED" && state === "unverified") return markEmailConfirmed(app, tx, id);
  await setStatus(tx, viewer, {
    personId: id,
    state: status === "ENABLED" ? "active" : "suspended",
    reason: "",
  });
}

export type ApiUserStatus = "ENABLED" | "DISABLED";
