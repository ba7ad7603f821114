import { beforeEach, describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  NewSubscription,
  listPushDevices,
  setPushTextShown,
  subscribeToPush,
  unsubscribeFromPush,
} from "./index.ts";
import { KEYS, createSubscriptionSetup } from "../../../test/support/push/subscription-setup.ts";

const database = await testDatabase();
const { addSession, subscribeBrowser } = createSubscriptionSetup(database);
const { db, clock, inTransaction: within } = database;

let people: TestUsers;
beforeEach(async () => void (people = await createTestUsers(database)));

describe("push subscriptions", () => {
  test("have a limit of ten per person, and belong to the last person who subscribed", async () => {
    for (let n = 0; n < 12; n++) {
      await subscribeBrowser(people.mira, `b${n}`);
      clock.pass(MINUTE);
    }
    expect(await listPushDevices(db, people.mira)).toHaveLength(10);
    const [latest] = await listPushDevices(db, people.mira);
    await within((tx) => setPushTextShown(tx, people.mira, { id: latest!.id, shows: true }));
    await subscribeBrowser(people.tomas, "b11");
    expect(await listPushDevices(db, people.mira)).toHaveLength(9);
    expect(await listPushDevices(db, people.tomas)).toMatchObject([
      { device: "Firefox on Linux", showsText: false },
    ]);
  });

  test("need the person's own session, and can be ended only by that person", async () => {
    await subscribeBrowser(people.mira);
    const [mine] = await listPushDevices(db, people.mira);
    await expect(
      within((tx) => unsubscribeFromPush(tx, people.tomas, { id: mine!.id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await expect(
      within((tx) => setPushTextShown(tx, people.tomas, { id: mine!.id, shows: true })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    const input = NewSubscription.parse({ endpoint: "https://push.example/x", ...KEYS });
    const theirs = await addSession(people.tomas);
    for (const sessionId of [theirs, null])
      await expect(within((tx) => subscribeToPush(tx, people.mira, input, sessionId))).rejects.toMatchObject({
        reason: "not-found",
      });
    await expect(within((tx) => subscribeToPush(tx, people.guest, input, theirs))).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await expect(listPushDevices(db, people.guest)).rejects.toMatchObject({ reason: "not-signed-in" });
    await within((tx) => unsubscribeFromPush(tx, people.mira, { id: mine!.id }));
    expect(await listPushDevices(db, people.mira)).toEqual([]);
  });

  test.each([
    { endpoint: "http://push.example/x" },
    { endpoint: "javascript:alert(1)" },
    { endpoint: `https://push.example/${"a".repeat(1_000)}` },
    { publicKey: "short" },
    { auth: "a b" },
    { auth: Buffer.alloc(17).toString("base64url") },
  ])("cannot be created with %o", (wrong) => {
    expect(NewSubscription.safeParse({ endpoint: "https://push.example/x", ...KEYS, ...wrong }).success).toBe(
      false,
    );
  });
});
