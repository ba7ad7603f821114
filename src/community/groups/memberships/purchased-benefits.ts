import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { assignRole, listRolesOfPerson, unassignRole } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { parsePurchaseGrants } from "#community/settings";
import { endGrantedMembership, grantMembership } from "./granted-memberships.ts";

/** A benefit that a purchase has granted. */
type PurchaseBenefit = { kind: "role"; role: string } | { kind: "group"; groupId: string };
type Purchase = { packageName: string; product: string };

/**
 * Grants the benefits of a product, as the site settings define them. Benefits that the person has already
 * are skipped, as are deleted roles and groups.
 */
export async function grantPurchase(
  tx: Tx,
  lines: string,
  personId: string,
  bought: Purchase,
): Promise<PurchaseBenefit[]> {
  const benefits: PurchaseBenefit[] = [];
  for (const it of parsePurchaseGrants(lines)) {
    if (it.packageName !== bought.packageName || it.product !== bought.product) continue;
    if (it.kind === "role") {
      if (await assignMissingRole(tx, personId, it.name)) benefits.push({ kind: "role", role: it.name });
    } else {
      const groupId = await grantMembership(tx, { slug: it.name, personId });
      if (groupId) benefits.push({ kind: "group", groupId });
    }
  }
  return benefits;
}

/** Revokes the benefits of a purchase. */
export async function revokePurchase(tx: Tx, personId: string, benefits: PurchaseBenefit[]): Promise<void> {
  for (const it of benefits) {
    if (it.kind === "group") await endGrantedMembership(tx, { groupId: it.groupId, personId });
    else await unassignRole(tx, OPERATOR, { identity: personId, role: it.role }).catch(ignoreMissing);
  }
}

async function assignMissingRole(tx: Tx, personId: string, role: string): Promise<boolean> {
  if ((await listRolesOfPerson(tx, OPERATOR, personId)).includes(role)) return false;
  return assignRole(tx, OPERATOR, { identity: personId, role }).then(() => true, ignoreMissing);
}

/** A role that was deleted meanwhile is ignored. */
function ignoreMissing(error: unknown): false {
  if (error instanceof Refusal && error.reason === "not-found") return false;
  throw error;
}
