import { HOUR, later } from "#platform/clock";
import { type Database, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import type { Google } from "#platform/google";
import type { Log } from "#platform/log";
import { Refusal } from "#platform/refusal";
import { z } from "zod";
import { type Bought, cancelAt, purchaseAt, type Standing, standingIn } from "./play.ts";

/** A grant from a purchase: a role, or membership in a group. */
export type Given = { kind: "role"; role: string } | { kind: "group"; groupId: string };
/** Grants and revokes the benefits of a product, which the community defines. */
export type Grants = {
  /** Grants the missing benefits and returns those that were added. */
  give: (tx: Tx, personId: string, bought: Pick<Bought, "packageName" | "product">) => Promise<Given[]>;
  take: (tx: Tx, personId: string, given: Given[]) => Promise<void>;
};
export type Purchases = { database: Pick<Database, "db" | "inTransaction">; google: Google | null; grants: Grants; log: Log };
type Asking = { personId: string | null };

/**
 * Purchases in app stores, verified with the store on every call and stored. `google` is null without a
 * service account.
 */
export const openPurchases = (given: Purchases): Purchases => given;

const name = (what: string, most: number) =>
  z
    .string()
    .regex(/^[^\p{Cc}\s/?#]+$/u, `The ${what} is missing, or has signs that no ${what} has.`)
    .max(most, `The ${what} is too long.`);
const Wanted = z.object({
  kind: z.enum(["product", "subscription"]),
  packageName: name("package name", 255),
  product: name("product id", 255),
  token: name("token", 1_500),
});

/**
 * Returns the store's answer about a purchase, unchanged. The first person to present it owns it, and has its
 * benefits while it is valid.
 * @throws `invalid` for an invalid name, `conflict` without a service account, and the store's `not-found`,
 * `invalid`, `unavailable`
 */
export async function validatePurchase(purchases: Purchases, wanted: Bought, { personId }: Asking): Promise<unknown> {
  const bought = readWanted(wanted);
  const said = await purchaseAt(storeOf(purchases), bought);
  await remember(purchases, bought, said, personId);
  return said;
}

/**
 * Cancels a subscription for its owner or the operator; it stays valid until it expires.
 * @throws `not-allowed` for others, and as `validatePurchase` does
 */
export async function cancelSubscription(
  purchases: Purchases,
  wanted: Omit<Bought, "kind">,
  { personId, operator }: Asking & { operator: boolean },
): Promise<unknown> {
  const bought = readWanted({ ...wanted, kind: "subscription" });
  const google = storeOf(purchases);
  if (!operator && (personId === null || (await ownerOf(purchases, bought)) !== personId))
    throw new Refusal("not-allowed", "Only whoever has bought a subscription ends it. Ask for its status first, signed in.");
  const answer = await cancelAt(google, bought);
  await remember(purchases, bought, await purchaseAt(google, bought), personId);
  return answer;
}

/** Checks expired subscriptions with the store again, a hundred at a time. Does nothing without a store. */
export async function lookAtDue(purchases: Purchases): Promise<void> {
  const { google, database } = purchases;
  if (!google) return;
  const now = new Date();
  const due = await many(
    database.db,
    sql<Bought>`
      select kind, package_name as "packageName", product, token from purchases
      where state = 'active' and until <= ${now} and checked_at <= ${later(now, -HOUR)} order by until limit 100`,
  );
  for (const bought of due) {
    try {
      await remember(purchases, bought, await purchaseAt(google, bought).catch(goneOrThrow), null);
    } catch (error) {
      // Checked again later; the others go on.
      purchases.log.warn({ why: (error as Error).message }, "a subscription could not be looked at again");
      await run(database.db, sql`update purchases set checked_at = ${now} where ${at(bought)}`);
    }
  }
}

/** A purchase that the store no longer knows has ended. */
function goneOrThrow(error: unknown): unknown {
  if (error instanceof Refusal && error.reason === "not-found") return { expiryTimeMillis: "0" };
  throw error;
}

function readWanted(wanted: Bought): Bought {
  const read = Wanted.safeParse(wanted);
  if (!read.success) throw new Refusal("invalid", read.error.issues[0]!.message);
  return read.data;
}

function storeOf({ google }: Purchases): Google {
  if (google) return google;
  throw new Refusal(
    "conflict",
    "Purchases are not set up here: an operator names the key file of a service account in GOOGLE_CREDENTIALS.",
  );
}

const at = ({ kind, packageName, product, token }: Bought) =>
  sql`store = 'google-play' and kind = ${kind} and package_name = ${packageName} and product = ${product} and token = ${token}`;

const ownerOf = async ({ database }: Purchases, bought: Bought) =>
  (await maybeOne(database.db, sql<{ personId: string | null }>`select person_id as "personId" from purchases where ${at(bought)}`))
    ?.personId;

/** Stores the answer and applies its grants in one transaction. */
const remember = ({ database, grants }: Purchases, bought: Bought, said: unknown, personId: string | null): Promise<void> =>
  database.inTransaction(async (tx) => {
    const standing = standingIn(bought.kind, said, tx.now);
    const kept = await keep(tx, bought, { said, standing, personId });
    if (kept.personId === null) return;
    if (standing.state === "active") return give(tx, grants, { ...kept, ...bought });
    if (kept.given.length === 0) return;
    await grants.take(tx, kept.personId, kept.given);
    await note(tx, kept.id, []);
    // Benefits that another active purchase also includes are granted through that one.
    for (const other of await othersOf(tx, kept)) await give(tx, grants, other);
  });

type Kept = { id: string; personId: string | null; given: Given[] };

const keep = (tx: Tx, bought: Bought, { said, standing, personId }: { said: unknown; standing: Standing; personId: string | null }) =>
  one(
    tx,
    sql<Kept>`
      insert into purchases (id, store, kind, package_name, product, token, person_id, state, until, answer, created_at, checked_at)
      values (${tx.newId()}, 'google-play', ${bought.kind}, ${bought.packageName}, ${bought.product}, ${bought.token}, ${personId},
        ${standing.state}, ${standing.until}, ${JSON.stringify(said)}, ${tx.now}, ${tx.now})
      on conflict (store, kind, package_name, product, token) do update set person_id = coalesce(purchases.person_id, excluded.person_id),
        state = excluded.state, until = excluded.until, answer = excluded.answer, checked_at = excluded.checked_at
      returning id, person_id as "personId", given`,
  );

async function give(tx: Tx, grants: Grants, it: Kept & Pick<Bought, "packageName" | "product">): Promise<void> {
  const given = it.personId === null ? [] : await grants.give(tx, it.personId, it);
  if (given.length > 0) await note(tx, it.id, [...it.given, ...given]);
}

const othersOf = (tx: Tx, { id, personId }: Kept) =>
  many(
    tx,
    sql<Kept & Pick<Bought, "packageName" | "product">>`
      select id, person_id as "personId", given, package_name as "packageName", product from purchases
      where person_id = ${personId} and id <> ${id} and state = 'active' order by id limit 1000`,
  );

const note = (tx: Tx, id: string, given: Given[]) => run(tx, sql`update purchases set given = ${JSON.stringify(given)} where id = ${id}`);
