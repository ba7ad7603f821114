import { Refusal } from "#platform/refusal";
import type { Invited } from "./door.ts";
import type { AccountTx } from "./house.ts";

export const closed = () =>
  new Refusal("not-allowed", "Registration is closed here. Somebody who is a member can tell you more.", { kind: "registration-closed" });

type Comer = Omit<Invited, "token"> & { invitation: string | undefined };

/**
 * Where nobody registers except by invitation, the invitation is asked once more in the transaction that makes the account, and gives
 * one of its places away. To be asked before anything else is locked: groups come first, as everywhere.
 */
export async function passGate(tx: AccountTx, { invitation, ...comer }: Comer): Promise<void> {
  if (tx.site.registration !== "closed") return;
  if (invitation === undefined || !(await tx.invited({ token: invitation, ...comer }))) throw closed();
}
