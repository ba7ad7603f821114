import { maybeOne, run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { enqueueRequestedMail } from "../emails/requested-mail-job.ts";
import type { SessionKind, ClientInfo, SignInResult } from "../types.ts";
import { confirmOwner } from "../registration/credentials.ts";
import {
  continueSignInWithin,
  type AccountOwner,
  accountOwnerColumns,
  assertCanSignIn,
} from "./complete-sign-in.ts";
import { Email, type NewPassword } from "../account-forms.ts";
import { type AccountTx, type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { cancelLinks, findValidLink, consumeLink } from "../emails/mail-links.ts";
import { assertPasswordAllowed } from "./password-rules.ts";
import { hashPassword } from "./password-hashing.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";
import { getLinkOwner, countMailRequest } from "./sign-in-link.ts";
import { usedLinkRefusal } from "../lifecycle/account-states.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";

/** Sends a password reset link; the result never reveals whether the account exists. */
export async function sendResetLink(
  app: Pick<AccountsContext, "database" | "limits" | "settings">,
  email: string,
  from: ClientInfo,
): Promise<void> {
  const address = Email.safeParse(email).data ?? "";
  await countMailRequest(app, address, from);
  // The job is enqueued for an invalid address too, so that the work is the same for every input.
  await inAccountTransaction(app, (tx) => enqueueRequestedMail(tx, { kind: "reset", email: address }));
}

/** Returns whether a reset link is still valid, without using it. */
export const isResetLinkValid = async (
  app: Pick<AccountsContext, "database" | "now">,
  token: string,
): Promise<boolean> =>
  (await findValidLink(app.database.db, token, "reset_password", app.now())) !== undefined;

/**
 * Sets a new password by an emailed link; two-factor still applies.
 * @throws `gone` for a used link, `invalid` by field
 */
export async function resetPassword(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin" | "sealer" | "accountHooks">,
  token: string,
  { password }: NewPassword,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<SignInResult> {
  const link = await findValidLink(app.database.db, token, "reset_password", app.now());
  if (!link) throw usedLinkRefusal();
  const owner = await getLinkOwner(app, link);
  await assertPasswordAllowed(password, { ...owner, staff: await isStaffAccount(app, owner.id) });
  const passwordHash = await hashPassword(password);
  const after = await inAccountTransaction(app, async (tx) => {
    if (!(await consumeLink(tx, token, "reset_password"))) throw usedLinkRefusal();
    await confirmOwner(app, tx, owner, from);
    await setPassword(tx, owner.id, passwordHash, null);
    await sendAccountMail(tx, "passwordChanged", owner.id, { link: accountMailLinks.askForReset(app) });
    return (await maybeOne(
      tx,
      sql<AccountOwner>`select ${accountOwnerColumns} from people where id = ${owner.id}`,
    ))!;
  });
  // The password of a suspended person is set all the same: the suspension may end.
  assertCanSignIn(app, after);
  return inAccountTransaction(app, (tx) =>
    continueSignInWithin(app, tx, after, { stay: false, from, sessionKind }),
  );
}

export const isStaffAccount = async (
  app: Pick<AccountsContext, "database">,
  personId: string,
): Promise<boolean> =>
  (await maybeOne(
    app.database.db,
    sql`select 1 from people where id = ${personId} and site_role <> 'member'`,
  )) !== undefined;

/** Sets a password; ends every other session, two-factor challenge and link made with the old one. */
export async function setPassword(
  tx: AccountTx,
  personId: string,
  passwordHash: string,
  keepSessionId: string | null,
): Promise<void> {
  await run(
    tx,
    sql`update people set password_hash = ${passwordHash}, password_changed_at = ${tx.now},
      wrong_passwords = 0, locked_until = null where id = ${personId}`,
  );
  await run(tx, sql`delete from two_factor_challenges where person_id = ${personId}`);
  await cancelLinks(tx, personId, ["reset_password", "sign_in", "change_email"]);
  await endSessionsWhere(tx, personId, sql`id is distinct from ${keepSessionId}::uuid`);
  await emit(tx, { type: "person.password-changed", personId });
}
