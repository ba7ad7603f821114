import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refreshDueSubscriptions, type Purchases } from "#baas/purchases";
import { createGroup, grantPurchase, NewGroup, revokePurchase } from "#community/groups";
import { createRole, listRolesOfPerson } from "#community/accounts";
import { OPERATOR, type SignedIn } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { startTestApi, PASSWORD, type TestRestApi, SERVER } from "../../../test/support/rest/rest-server.ts";
import { startPlayStore } from "../../../test/support/rest/play-store.ts";

const database = await testDatabase();
const { db } = database;
const APP_NAME = "org.example.app";
const BOUGHT = { kind: "androidpublisher#productPurchase", purchaseState: 0, orderId: "GPA.1", quantity: 1 };
const running = (until: Date) => ({
  kind: "androidpublisher#subscriptionPurchase",
  expiryTimeMillis: String(until.getTime()),
  autoRenewing: true,
});

let store: Awaited<ReturnType<typeof startPlayStore>>;
let testApi: TestRestApi;
let purchases: Purchases;
beforeAll(async () => {
  store = await startPlayStore();
  purchases = {
    database,
    google: store.google,
    log: createLog("silent"),
    grants: {
      give: async (tx, personId, bought) =>
        grantPurchase(tx, (await testApi.app.settings.get()).purchaseGrants, personId, bought),
      take: revokePurchase,
    },
  };
  testApi = await startTestApi(database, { purchases });
});
beforeEach(() => testApi.forget());
afterAll(async () => {
  await testApi.close();
  await store.close();
});

/** A client signed in as a new person. */
async function shopper(name: string) {
  const personId = await testApi.member(name);
  const sdk = testApi.sdk();
  await sdk.UserService.login(`${name}@example.org`, PASSWORD);
  return { personId, commerce: sdk.Commerce };
}
const roles = async (personId: string) =>
  (await listRolesOfPerson(db, OPERATOR, personId)).filter((role) => role === "Supporter");
const inGroups = async (personId: string) =>
  (
    await many(
      db,
      sql<{ slug: string }>`
        select g.slug from memberships m join groups g on g.id = m.group_id
        where m.person_id = ${personId} and m.state = 'member' and g.created_by <> m.person_id`,
    )
  ).map(({ slug }) => slug);

async function aShop() {
  await database.inTransaction((tx) => createRole(tx, OPERATOR, "Supporter"));
  const owner: SignedIn = {
    id: await testApi.member("owner", { role: "admin" }),
    role: "admin",
    trust: "established",
    limited: false,
  };
  await database.inTransaction((tx) =>
    createGroup(
      tx,
      owner,
      NewGroup.parse({
        name: "Friends of the place",
        purpose: "Thanks.",
        visibility: "private",
        joinPolicy: "invite",
      }),
      { whoCreatesGroups: "members", newcomersGroups: "open" },
    ),
  );
  await testApi.set({
    purchaseGrants:
      `${APP_NAME} gold role Supporter\n${APP_NAME} gold group friends-of-the-place\n${APP_NAME} ` +
      `monthly ` +
      `role Supporter`,
  });
}

describe("purchase of a product", () => {
  test("returns the store's answer, and reuses one access token", async () => {
    const { commerce } = await shopper("mira");
    store.knows("products", "coffee", "t1", BOUGHT);
    expect(await commerce.validatePlayPurchase(APP_NAME, "coffee", "t1")).toEqual(BOUGHT);
    expect(await commerce.validatePlayPurchase(APP_NAME, "coffee", "t1")).toEqual(BOUGHT);
    expect(store.asked.at(-1)).toEqual({
      method: "GET",
      host: "androidpublisher.googleapis.com",
      path: `/androidpublisher/v3/applications/${APP_NAME}/purchases/products/coffee/tokens/t1`,
    });
    expect(store.proofs).toHaveLength(1);
    expect(
      await one(db, sql`select kind, state, answer, person_id is not null as owned from purchases`),
    ).toEqual({
      kind: "product",
      state: "active",
      answer: BOUGHT,
      owned: true,
    });
  });

  test("grants its role and membership only to the first person who presents it", async () => {
    await aShop();
    const first = await shopper("mira");
    const second = await shopper("tomas");
    store.knows("products", "gold", "t2", BOUGHT);
    await first.commerce.validatePlayPurchase(APP_NAME, "gold", "t2");
    await second.commerce.validatePlayPurchase(APP_NAME, "gold", "t2");
    expect([await roles(first.personId), await inGroups(first.personId)]).toEqual([
      ["Supporter"],
      ["friends-of-the-place"],
    ]);
    expect([await roles(second.personId), await inGroups(second.personId)]).toEqual([[], []]);
  });

  test("loses its grants after a refund, unless another purchase gives them", async () => {
    await aShop();
    const { personId, commerce } = await shopper("mira");
    store.knows("products", "gold", "t3", { ...BOUGHT, purchaseState: 2 });
    await commerce.validatePlayPurchase(APP_NAME, "gold", "t3");
    expect(await roles(personId)).toEqual([]);
    store.knows("products", "gold", "t3", BOUGHT);
    await commerce.validatePlayPurchase(APP_NAME, "gold", "t3");
    // Another purchase grants the same role.
    store.knows("subscriptions", "monthly", "s0", running(addMilliseconds(database.clock.at, DAY)));
    await commerce.getPlaySubscriptionStatus(APP_NAME, "monthly", "s0");
    store.knows("products", "gold", "t3", { ...BOUGHT, purchaseState: 1 });
    await commerce.validatePlayPurchase(APP_NAME, "gold", "t3");
    expect([await roles(personId), await inGroups(personId)]).toEqual([["Supporter"], []]);
  });
});

describe("subscription", () => {
  test("gives access until it expires, even without a further request", async () => {
    await aShop();
    const { personId, commerce } = await shopper("mira");
    const until = addMilliseconds(database.clock.at, DAY);
    store.knows("subscriptions", "monthly", "s1", running(until));
    expect(await commerce.getPlaySubscriptionStatus(APP_NAME, "monthly", "s1")).toEqual(running(until));
    expect(await roles(personId)).toEqual(["Supporter"]);
    store.knows("subscriptions", "monthly", "s1", running(addMilliseconds(database.clock.at, -DAY)));
    await run(
      db,
      sql`update purchases set until = now() - interval '1 day', checked_at = now() - interval '1 day'`,
    );
    await refreshDueSubscriptions(purchases);
    expect(await roles(personId)).toEqual([]);
    expect(await one(db, sql`select state from purchases`)).toEqual({ state: "ended" });
  });

  test("can be cancelled by its owner or the server key only, and lasts until it expires", async () => {
    await aShop();
    const { personId, commerce } = await shopper("mira");
    const other = await shopper("tomas");
    store.knows("subscriptions", "monthly", "s2", running(addMilliseconds(database.clock.at, DAY)));
    await expect(commerce.cancelPlaySubscription(APP_NAME, "monthly", "s2")).rejects.toMatchObject({
      code: 403,
    });
    await commerce.getPlaySubscriptionStatus(APP_NAME, "monthly", "s2");
    await expect(other.commerce.cancelPlaySubscription(APP_NAME, "monthly", "s2")).rejects.toMatchObject({
      code: 403,
    });
    await expect(
      testApi.sdk().Commerce.cancelPlaySubscription(APP_NAME, "monthly", "s2"),
    ).rejects.toMatchObject({ code: 403 });
    await commerce.cancelPlaySubscription(APP_NAME, "monthly", "s2");
    expect(
      store.asked.some(
        ({ method, path }) =>
          method === "POST" && path.endsWith("/purchases/subscriptions/monthly/tokens/s2:cancel"),
      ),
    ).toBe(true);
    expect(await one(db, sql`select answer->'autoRenewing' as renews, state from purchases`)).toEqual({
      renews: false,
      state: "active",
    });
    expect(await roles(personId)).toEqual(["Supporter"]);
    await testApi.sdk(SERVER).Commerce.cancelPlaySubscription(APP_NAME, "monthly", "s2");
  });
});

describe("purchase errors", () => {
  test.each<[string, number, number, string]>([
    ["does not know", 404, 404, "has no such purchase"],
    ["refuses", 400, 422, "Invalid Value"],
    ["does not let us read", 403, 503, "service account may not read"],
    ["cannot process now", 429, 503, "is not available right now"],
    ["fails to check", 500, 503, "is not available right now"],
  ])("report a purchase that the store %s", async (_, status, code, words) => {
    store.knows("products", "x", `e${status}`, { error: { message: "Invalid Value" } }, status);
    const { commerce } = await shopper("mira");
    await expect(commerce.validatePlayPurchase(APP_NAME, "x", `e${status}`)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
    expect(await many(db, sql`select from purchases`)).toEqual([]);
  });

  test.each([
    ["a/b", "x", "t"],
    ["a", "x y", "t"],
    ["a", "x", "t".repeat(1_501)],
    ["a", "?", "t"],
    ["..", "\u0000", "t"],
  ])("report invalid names: %j %j", async (packageName, product, token) => {
    const { commerce } = await shopper("mira");
    await expect(commerce.validatePlayPurchase(packageName, product, token)).rejects.toMatchObject({
      code: expect.any(Number),
    });
    expect(store.asked.some(({ path }) => path.includes("%00") || path.includes("/../"))).toBe(false);
  });

  test("explain to an operator how to set up a missing store", async () => {
    const bare = await startTestApi(database);
    try {
      await expect(bare.sdk().Commerce.validatePlayPurchase("a", "b", "c")).rejects.toMatchObject({
        code: 409,
        message: expect.stringContaining("GOOGLE_CREDENTIALS"),
      });
    } finally {
      await bare.close();
    }
  });

  test("report an invalid setting for purchase grants", async () => {
    await expect(testApi.set({ purchaseGrants: "gold Supporter" })).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("report an exceeded rate limit before the store is queried", async () => {
    const { commerce } = await shopper("ines");
    const before = store.asked.length;
    const answers = await Promise.allSettled(
      Array.from({ length: 32 }, () => commerce.validatePlayPurchase(APP_NAME, "none", "t")),
    );
    expect(
      answers.filter(
        ({ status, ...it }) =>
          status === "rejected" && (it as { reason: { code: number } }).reason.code === 429,
      ),
    ).toHaveLength(2);
    expect(store.asked.length - before).toBe(30);
  });
});
