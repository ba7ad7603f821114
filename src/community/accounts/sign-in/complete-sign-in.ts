import { addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, maybeOne, run, sql } from "#platform/database";
import { hashSecret, createSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { countMemberships } from "../lifecycle/membership-counts.ts";
import { describeDevice, rememberDevice } from "../sessions/known-devices.ts";
import type { SessionKind, ClientInfo, SignInResult, StartedSession } from "../types.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { cancelLinks } from "../emails/mail-links.ts";
import { findRelyingParty } from "../passkeys/relying-party.ts";
import { sealPendingRegistration } from "../registration/pending-registration.ts";
import { createAccountStatusToken } from "../sanctions/own-sanction.ts";
import { startSession } from "../sessions/sessions.ts";
import {
  type AccountState,
  pendingApprovalRefusal,
  suspendedRefusal,
  unverifiedRefusal,
} from "../lifecycle/account-states.ts";
import { enforceSessionLimit } from "../api-users/session-limit.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

/** A person who has proven, by any method, that they own an account. */
export type AccountOwner = {
  id: string;
  username: string;
  name: string;
  email: string | null;
  locale: string;
  state: AccountState;
  because: string | null;
  until: Date | null;
  hasSecondStep: boolean;
};

/** Columns of the table `people`, without an alias. */
export const accountOwnerColumns = sql`
  people.id, people.username, people.display_name as name, people.email, people.locale, people.state,
  people.state_reason as because, people.state_until as until,
  (people.passkey_step_at is not null
    or exists (select 1 from totp_secrets t
      where t.person_id = people.id and t.confirmed_at is not null)) as "hasSecondStep"`;

export type SignInOrigin = { stay: boolean; from: ClientInfo; sessionKind: SessionKind };

/**
 * Continues the sign-in of a proven owner: refuses by account state, asks for two-factor, or starts a
 * session.
 */
export async function continueSignIn(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer">,
  owner: AccountOwner,
  origin: SignInOrigin,
): Promise<SignInResult> {
  assertCanSignIn(app, owner);
  return inAccountTransaction(app, (tx) => continueSignInWithin(app, tx, owner, origin));
}

/** `continueSignIn` in a transaction that does more. Call `assertCanSignIn` first. */
export async function continueSignInWithin(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  owner: AccountOwner,
  origin: SignInOrigin,
): Promise<SignInResult> {
  if (owner.hasSecondStep)
    return {
      kind: "second-step",
      challengeToken: await createTwoFactorChallenge(tx, owner.id, origin.stay),
      passkey: await hasPasskey(app, tx, owner.id),
    };
  return { kind: "signed-in", session: await completeSignIn(app, tx, owner.id, origin) };
}

/**
 * Asserts that the account is open.
 * @throws `SignInRefusal` for accounts that are pending or suspended
 */
export function assertCanSignIn(app: Pick<AccountsContext, "now" | "sealer">, owner: AccountOwner): void {
  const { state, because, until, id, email, username, name, locale } = owner;
  const pending = () =>
    sealPendingRegistration(app, {
      id,
      email: email ?? "",
      username,
      name,
      locale,
      passwordHash: null,
      writtenAt: null,
    });
  if (state === "unverified") throw unverifiedRefusal(pending());
  if (state === "pending_approval") throw pendingApprovalRefusal(pending());
  if (state === "suspended" && (until === null || until > app.now()))
    throw suspendedRefusal(because, until, createAccountStatusToken(app, id));
}

const hasPasskey = async (app: Pick<AccountsContext, "origin">, db: Db, personId: string): Promise<boolean> =>
  (await maybeOne(
    db,
    sql`select from passkeys where person_id = ${personId}
      and party = ${findRelyingParty(app.origin())?.id ?? ""} limit 1`,
  )) !== undefined;

async function createTwoFactorChallenge(tx: AccountTx, personId: string, stay: boolean): Promise<string> {
  const token = createSecret();
  await run(
    tx,
    sql`
    insert into two_factor_challenges (token_hash, person_id, stay, expires_at)
    values (${hashSecret(token)}, ${personId}, ${stay}, ${addMilliseconds(tx.now, 10 * MINUTE)})`,
  );
  return token;
}

/** Completes a sign-in after all factors. Signing in undoes a deactivation and ends expired sanctions. */
export async function completeSignIn(
  app: Pick<AccountsContext, "origin">,
  tx: AccountTx,
  personId: string,
  origin: SignInOrigin,
): Promise<StartedSession> {
  // The row stays locked until the commit: a concurrent suspension either ends this session or prevents it.
  const person = await maybeOne(
    tx,
    sql<{ state: AccountState; cameBack: boolean }>`
    update people p set seen_at = ${tx.now}, deactivated_at = null, leaving = null,
      state = case
        when p.state = 'deactivated' and p.state_reason is not null
        and (p.state_until is null or p.state_until > ${tx.now}) then 'limited'
        when p.state = 'deactivated'
        or (p.state in ('suspended', 'limited') and p.state_until <= ${tx.now}) then 'active'
        else p.state end
    from (select id, state from people where id = ${personId} for no key update) before
    where p.id = before.id returning p.state, before.state = 'deactivated' as "cameBack"`,
  );
  if (!person || !["active", "limited"].includes(person.state))
    throw new Refusal("not-allowed", "This account is not active.");
  if (person.cameBack) await countMemberships(tx, personId, 1);
  await cancelLinks(tx, personId, ["reset_password"]);
  if (origin.sessionKind === "api") await enforceSessionLimit(tx, personId);
  const { isNew, deviceSecret } = await rememberDevice(tx, personId, origin.from);
  const session = await startSession(tx, { personId, ...origin });
  if (isNew)
    await sendAccountMail(tx, "newDevice", personId, {
      link: accountMailLinks.askForReset(app),
      device: sessionDeviceName(origin),
    });
  return { ...session, deviceSecret };
}

const sessionDeviceName = ({ from, sessionKind }: SignInOrigin) =>
  sessionKind === "api" ? `${describeDevice(from.userAgent)} (API)` : describeDevice(from.userAgent);
