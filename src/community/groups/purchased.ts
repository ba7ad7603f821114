import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { giveRole, rolesOf, takeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { purchaseGrantsIn } from "#community/settings";
import { endGrantedMembership, grantMembership } from "./granted.ts";

/** A benefit that a purchase has granted. */
type Given = { kind: "role"; role: string } | { kind: "group"; groupId: string };
type Bought = { packageName: string; product: string };

/**
 * Grants the benefits of a product by the site settings, as far as the person lacks them. Deleted roles and
 * groups are skipped.
 */
export async function givePurchased(tx: Tx, lines: string, personId: string, bought: Bought): Promise<Given[]> {
  const given: Given[] = [];
  for (const it of purchaseGrantsIn(lines)) {
    if (it.packageName !== bought.packageName || it.product !== bought.product) continue;
    if (it.kind === "role") {
      if (await giveNew(tx, personId, it.name)) given.push({ kind: "role", role: it.name });
    } else {
      const groupId = await grantMembership(tx, { slug: it.name, personId });
      if (groupId) given.push({ kind: "group", groupId });
    }
  }
  return given;
}

/** Revokes the benefits of a purchase. */
export async function takePurchased(tx: Tx, personId: string, given: Given[]): Promise<void> {
  for (const it of given) {
    if (it.kind === "group") await endGrantedMembership(tx, { groupId: it.groupId, personId });
    else await takeRole(tx, OPERATOR, { identity: personId, role: it.role }).catch(unlessGone);
  }
}

async function giveNew(tx: Tx, personId: string, role: string): Promise<boolean> {
  if ((await rolesOf(tx, OPERATOR, personId)).includes(role)) return false;
  return giveRole(tx, OPERATOR, { identity: personId, role }).then(() => true, unlessGone);
}

/** A role that was deleted meanwhile is ignored. */
function unlessGone(error: unknown): false {
  if (error instanceof Refusal && error.reason === "not-found") return false;
  throw error;
}
