import { maybeOne, run, sql, type Tx } from "#platform/database";
import type { ClientInfo } from "../types.ts";
import { isKnownBrowser } from "../sessions/known-devices.ts";
import type { AccountOwner } from "../sign-in/complete-sign-in.ts";
import type { AccountTx, AccountsContext } from "../accounts-context.ts";
import { cancelLinks } from "../emails/mail-links.ts";
import { markEmailConfirmed } from "./open-account.ts";
import { endSessionsWhere } from "../sessions/sessions.ts";

/**
 * Removes all credentials of an account: password, passkeys, app codes, linked providers, sessions, access
 * tokens and known browsers. A person who registers with someone else's address could set up credentials
 * before the owner confirms the address.
 */
export async function dropCredentials(tx: Tx, personId: string): Promise<void> {
  await run(
    tx,
    sql`update people set password_hash = null, password_changed_at = null, passkey_step_at = null
      where id = ${personId}`,
  );
  for (const table of [
    "passkeys",
    "totp_secrets",
    "recovery_codes",
    "two_factor_challenges",
    "provider_identities",
    "known_devices",
    "access_tokens",
  ] as const)
    await run(tx, sql`delete from ${sql.table(table)} where person_id = ${personId}`);
  await cancelLinks(tx, personId, ["reset_password", "sign_in", "change_email"]);
  await endSessionsWhere(tx, personId);
}

/**
 * Records that a person who followed an emailed link owns the address. The first time, this drops all
 * credentials, since another person may have made the account; the credentials stay if this browser has
 * signed in before. With two-factor the address stays unconfirmed: an email cannot bypass someone else's
 * second factor.
 */
export async function confirmOwner(
  app: Pick<AccountsContext, "accountHooks">,
  tx: AccountTx,
  owner: Pick<AccountOwner, "id" | "hasSecondStep">,
  from: ClientInfo,
): Promise<void> {
  const unconfirmed = await maybeOne(
    tx,
    sql`select from people where id = ${owner.id} and email_confirmed_at is null for update`,
  );
  if (unconfirmed && !(await isKnownBrowser(tx, owner.id, from))) {
    if (owner.hasSecondStep) return;
    await dropCredentials(tx, owner.id);
  }
  await markEmailConfirmed(app, tx, owner.id);
}
