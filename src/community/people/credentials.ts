import { maybeOne, run, sql, type Tx } from "#platform/database";
import type { From } from "./door.ts";
import { knowsBrowser } from "./devices.ts";
import type { Owner } from "./enter.ts";
import type { AccountTx } from "./house.ts";
import { cancelLinks } from "./mail-links.ts";
import { noteConfirmed } from "./open-account.ts";
import { endSessionsWhere } from "./sessions.ts";

/**
 * Removes every way into an account: password, passkeys, app codes, connected providers, sessions and known
 * browsers. Whoever registers with somebody else's address sets those up before the owner of the address ever
 * comes.
 */
export async function dropCredentials(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`update people set password_hash = null, password_changed_at = null, passkey_step_at = null where id = ${personId}`);
  for (const table of ["passkeys", "totp_secrets", "recovery_codes", "half_sign_ins", "identities", "known_devices"] as const)
    await run(tx, sql`delete from ${sql.table(table)} where person_id = ${personId}`);
  await cancelLinks(tx, personId, ["reset_password", "sign_in", "change_email"]);
  await endSessionsWhere(tx, personId);
}

/**
 * Notes that whoever came by a link of a mail owns the address of an account. The first time, that says
 * nothing about who made the account: unless this browser has signed in to it before, its credentials are
 * dropped. Where a second step is asked for, the address stays unconfirmed: somebody else's second step is
 * nothing that a mail gets around.
 */
export async function confirmOwner(tx: AccountTx, owner: Pick<Owner, "id" | "hasSecondStep">, from: From): Promise<void> {
  const unconfirmed = await maybeOne(tx, sql`select from people where id = ${owner.id} and email_confirmed_at is null for update`);
  if (unconfirmed && !(await knowsBrowser(tx, owner.id, from))) {
    if (owner.hasSecondStep) return;
    await dropCredentials(tx, owner.id);
  }
  await noteConfirmed(tx, owner.id);
}
