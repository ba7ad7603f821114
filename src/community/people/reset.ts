import { maybeOne, run, sql } from "#platform/database";
import { announce } from "#platform/outbox";
import { writeAccountMailLater } from "./account-mail.ts";
import type { Door, From, SignIn } from "./door.ts";
import { confirmOwner } from "./credentials.ts";
import { enterIn, type Owner, ownerColumns, refuseByState } from "./enter.ts";
import { Email, type NewPassword } from "./forms.ts";
import type { AccountTx, House } from "./house.ts";
import { cancelLinks, lookAtLink, spendLink } from "./mail-links.ts";
import { checkPassword } from "./password-rules.ts";
import { hashPassword } from "./passwords.ts";
import { endSessionsWhere } from "./sessions.ts";
import { ownerOfLink, takeMail } from "./sign-in-link.ts";
import { spentLink } from "./states.ts";
import { links, write } from "./write.ts";

export async function sendResetLink(house: House, email: string, from: From): Promise<void> {
  const address = Email.safeParse(email).data ?? "";
  await takeMail(house, address, from);
  // Also for an invalid address, so that the work is the same for every input.
  await house.inTransaction((tx) => writeAccountMailLater(tx, { kind: "reset", email: address }));
}

export const resetLinkHolds = async (house: House, token: string): Promise<boolean> =>
  (await lookAtLink(house.database.db, token, "reset_password", house.now())) !== undefined;

export async function resetPassword(house: House, token: string, { password }: NewPassword, from: From, door: Door): Promise<SignIn> {
  const link = await lookAtLink(house.database.db, token, "reset_password", house.now());
  if (!link) throw spentLink();
  const owner = await ownerOfLink(house, link);
  await checkPassword(password, { ...owner, staff: await isStaffMember(house, owner.id) });
  const passwordHash = await hashPassword(password);
  const after = await house.inTransaction(async (tx) => {
    if (!(await spendLink(tx, token, "reset_password"))) throw spentLink();
    await confirmOwner(tx, owner, from);
    await setPassword(tx, owner.id, passwordHash, null);
    await write(tx, "passwordChanged", owner.id, { link: links.askForReset(house) });
    return (await maybeOne(tx, sql<Owner>`select ${ownerColumns} from people where id = ${owner.id}`))!;
  });
  // The password is set even for a suspended person: the suspension ends some day.
  refuseByState(house, after);
  return house.inTransaction((tx) => enterIn(house, tx, after, { stay: false, from, door }));
}

export const isStaffMember = async (house: House, personId: string): Promise<boolean> =>
  (await maybeOne(house.database.db, sql`select 1 from people where id = ${personId} and site_role <> 'member'`)) !== undefined;

/** Ends every other session, two-factor challenge and link made with the old password. */
export async function setPassword(tx: AccountTx, personId: string, passwordHash: string, keepSessionId: string | null): Promise<void> {
  await run(
    tx,
    sql`update people set password_hash = ${passwordHash}, password_changed_at = ${tx.now}, wrong_passwords = 0, locked_until = null where id = ${personId}`,
  );
  await run(tx, sql`delete from half_sign_ins where person_id = ${personId}`);
  await cancelLinks(tx, personId, ["reset_password", "sign_in", "change_email"]);
  await endSessionsWhere(tx, personId, sql`id is distinct from ${keepSessionId}::uuid`);
  await announce(tx, { type: "person.password-changed", personId });
}
