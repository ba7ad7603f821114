import { Refusal } from "#platform/refusal";
import { assertAddressAllowed } from "#community/prevention";
import type { InvitedRegistration } from "../types.ts";
import type { AccountsContext, AccountTx } from "../accounts-context.ts";

export const registrationClosed = () =>
  new Refusal("not-allowed", "Registration is closed. Ask a member for an invitation.", {
    kind: "registration-closed",
  });

/** `address`: the network address of a person who registers in a browser. */
type Registrant = Omit<InvitedRegistration, "token"> & {
  invitation: string | undefined;
  address?: string | undefined;
};

/**
 * Asserts, in the transaction that creates the account, that a person may register: that neither email
 * address nor network is blocked, with or without an invitation. Where registration is by invitation only,
 * checks the invitation again and uses one of its places. Call it before any other lock is
 * taken: groups are locked first everywhere.
 */
export async function assertCanRegister(
  { accountHooks }: Pick<AccountsContext, "accountHooks">,
  tx: AccountTx,
  { invitation, address, ...comer }: Registrant,
): Promise<void> {
  const { contact } = tx.site;
  await assertAddressAllowed(tx, { email: comer.email ?? undefined, address }, { contact, now: tx.now });
  if (tx.site.registration !== "closed") return;
  if (
    invitation === undefined ||
    !(await accountHooks.registerInvited?.(tx, { token: invitation, ...comer }))
  )
    throw registrationClosed();
}
