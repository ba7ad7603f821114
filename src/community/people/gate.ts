import { Refusal } from "#platform/refusal";
import type { Invited } from "./door.ts";
import type { AccountTx } from "./house.ts";

export const closed = () =>
  new Refusal("not-allowed", "Registration is closed here. Somebody who is a member can tell you more.", { kind: "registration-closed" });

type Comer = Omit<Invited, "token"> & { invitation: string | undefined };

/**
 * Where registration is by invitation only, checks the invitation again in the transaction that creates the
 * account, and uses one of its places. Call it before anything else is locked: groups are locked first
 * everywhere.
 */
export async function passGate(tx: AccountTx, { invitation, ...comer }: Comer): Promise<void> {
  if (tx.site.registration !== "closed") return;
  if (invitation === undefined || !(await tx.invited({ token: invitation, ...comer }))) throw closed();
}
