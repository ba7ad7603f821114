import { HOUR, addMilliseconds } from "#platform/clock";
import { type Database, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { errorMessage } from "#platform/errors";
import type { GoogleClient } from "#platform/google";
import type { Log } from "#platform/log";
import { issueMessage } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import {
  type StorePurchase,
  cancelPlaySubscription,
  fetchPurchase,
  type PurchaseStatus,
  readPurchaseStatus,
} from "./google-play.ts";

/** Grant of a purchase: a role, or membership in a group. */
export type PurchaseGrant = { kind: "role"; role: string } | { kind: "group"; groupId: string };
/** Grants and revokes the benefits of a product; implemented by the community. */
export type PurchaseGrants = {
  /** Grants the benefits that the person does not have yet, and returns the granted ones. */
  give: (
    tx: Tx,
    personId: string,
    bought: Pick<StorePurchase, "packageName" | "product">,
  ) => Promise<PurchaseGrant[]>;
  take: (tx: Tx, personId: string, given: PurchaseGrant[]) => Promise<void>;
};
/** Purchases in app stores. Each call checks the purchase with the store and stores the result. */
export type Purchases = {
  database: Pick<Database, "db" | "inTransaction">;
  /** Client of Google Play; null if no service account is configured. */
  google: GoogleClient | null;
  grants: PurchaseGrants;
  log: Log;
};
type PurchaseCaller = { personId: string | null };

const boundedName = (what: string, most: number) =>
  z
    .string()
    .regex(/^[^\p{Cc}\s/?#]+$/u, `The ${what} is missing or contains invalid characters.`)
    .max(most, `The ${what} is too long.`);
const PurchaseInput = z.object({
  kind: z.enum(["product", "subscription"]),
  packageName: boundedName("package name", 255),
  product: boundedName("product id", 255),
  token: boundedName("token", 1_500),
});

/**
 * Returns the store's answer about a purchase, unchanged. The purchase belongs to the first person who
 * presents it; that person has the benefits while the purchase is valid.
 * @throws `invalid` for an invalid name, `conflict` without a service account, and the store's `not-found`,
 * `invalid`, `unavailable`
 */
export async function validatePurchase(
  purchases: Purchases,
  storePurchase: StorePurchase,
  { personId }: PurchaseCaller,
): Promise<unknown> {
  const bought = parsePurchase(storePurchase);
  const purchase = await fetchPurchase(getStore(purchases), bought);
  await applyPurchase(purchases, bought, purchase, personId);
  return purchase;
}

/**
 * Cancels a subscription for its owner or the operator. The subscription stays valid until it expires.
 * @throws `not-allowed` for other callers, and as `validatePurchase` does
 */
export async function cancelSubscription(
  purchases: Purchases,
  wanted: Omit<StorePurchase, "kind">,
  { personId, operator }: PurchaseCaller & { operator: boolean },
): Promise<unknown> {
  const bought = parsePurchase({ ...wanted, kind: "subscription" });
  const google = getStore(purchases);
  if (!operator && (personId === null || (await findOwner(purchases, bought)) !== personId))
    throw new Refusal(
      "not-allowed",
      "Only the buyer can end a subscription. Sign in and request its status first.",
    );
  const answer = await cancelPlaySubscription(google, bought);
  await applyPurchase(purchases, bought, await fetchPurchase(google, bought), personId);
  return answer;
}

/**
 * Checks expired subscriptions with the store again, a hundred at a time. Does nothing if no store is
 * configured.
 */
export async function refreshDueSubscriptions(purchases: Purchases): Promise<void> {
  const { google, database } = purchases;
  if (!google) return;
  const now = new Date();
  const due = await many(
    database.db,
    sql<StorePurchase>`
      select kind, package_name as "packageName", product, token from purchases
      where state = 'active' and until <= ${now} and checked_at <= ${addMilliseconds(now, -HOUR)}
      order by until limit 100`,
  );
  for (const bought of due) {
    try {
      await applyPurchase(purchases, bought, await fetchPurchase(google, bought).catch(endedOrThrow), null);
    } catch (error) {
      // A subscription that cannot be checked now is checked again later; the others are still processed.
      purchases.log.warn({ why: errorMessage(error) }, "a subscription could not be refreshed");
      await run(database.db, sql`update purchases set checked_at = ${now} where ${purchaseSql(bought)}`);
    }
  }
}

/** Treats a purchase that is missing in the store as ended; throws other errors. */
function endedOrThrow(error: unknown): unknown {
  if (error instanceof Refusal && error.reason === "not-found") return { expiryTimeMillis: "0" };
  throw error;
}

function parsePurchase(storePurchase: StorePurchase): StorePurchase {
  const parsed = PurchaseInput.safeParse(storePurchase);
  if (!parsed.success) throw new Refusal("invalid", issueMessage(parsed.error.issues[0]!));
  return parsed.data;
}

function getStore({ google }: Purchases): GoogleClient {
  if (google) return google;
  throw new Refusal(
    "conflict",
    "Purchases are not set up: GOOGLE_CREDENTIALS must name the key file of a service account.",
  );
}

const purchaseSql = ({ kind, packageName, product, token }: StorePurchase) =>
  sql`store = 'google-play' and kind = ${kind} and package_name = ${packageName} and product = ${product}
    and token = ${token}`;

const findOwner = async ({ database }: Purchases, bought: StorePurchase) =>
  (
    await maybeOne(
      database.db,
      sql<{
        personId: string | null;
      }>`select person_id as "personId" from purchases where ${purchaseSql(bought)}`,
    )
  )?.personId;

/** Stores the answer and applies its grants in one transaction. */
const applyPurchase = (
  { database, grants }: Purchases,
  bought: StorePurchase,
  googleResponse: unknown,
  personId: string | null,
): Promise<void> =>
  database.inTransaction(async (tx) => {
    const standing = readPurchaseStatus(bought.kind, googleResponse, tx.now);
    const storedPurchase = await upsertPurchase(tx, bought, { googleResponse, standing, personId });
    if (storedPurchase.personId === null) return;
    if (standing.state === "active") return grantPurchase(tx, grants, { ...storedPurchase, ...bought });
    if (storedPurchase.given.length === 0) return;
    await grants.take(tx, storedPurchase.personId, storedPurchase.given);
    await saveGrants(tx, storedPurchase.id, []);
    // If another active purchase includes the same benefits, they are granted again through that purchase.
    for (const other of await listOtherPurchases(tx, storedPurchase)) await grantPurchase(tx, grants, other);
  });

type StoredPurchase = { id: string; personId: string | null; given: PurchaseGrant[] };

const upsertPurchase = (
  tx: Tx,
  bought: StorePurchase,
  {
    googleResponse,
    standing,
    personId,
  }: { googleResponse: unknown; standing: PurchaseStatus; personId: string | null },
) =>
  one(
    tx,
    sql<StoredPurchase>`
      insert into purchases (id, store, kind, package_name, product, token, person_id, state, until, answer,
        created_at, checked_at)
      values (${tx.newId()}, 'google-play', ${bought.kind}, ${bought.packageName}, ${bought.product},
        ${bought.token}, ${personId},
        ${standing.state}, ${standing.until}, ${JSON.stringify(googleResponse)}, ${tx.now}, ${tx.now})
      on conflict (store, kind, package_name, product, token) do update
        set person_id = coalesce(purchases.person_id, excluded.person_id),
        state = excluded.state, until = excluded.until, answer = excluded.answer,
        checked_at = excluded.checked_at
      returning id, person_id as "personId", given`,
  );

async function grantPurchase(
  tx: Tx,
  grants: PurchaseGrants,
  it: StoredPurchase & Pick<StorePurchase, "packageName" | "product">,
): Promise<void> {
  const given = it.personId === null ? [] : await grants.give(tx, it.personId, it);
  if (given.length > 0) await saveGrants(tx, it.id, [...it.given, ...given]);
}

const listOtherPurchases = (tx: Tx, { id, personId }: StoredPurchase) =>
  many(
    tx,
    sql<StoredPurchase & Pick<StorePurchase, "packageName" | "product">>`
      select id, person_id as "personId", given, package_name as "packageName", product from purchases
      where person_id = ${personId} and id <> ${id} and state = 'active' order by id limit 1000`,
  );

const saveGrants = (tx: Tx, id: string, grants: PurchaseGrant[]) =>
  run(tx, sql`update purchases set given = ${JSON.stringify(grants)} where id = ${id}`);
