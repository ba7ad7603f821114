import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { emit } from "#platform/outbox";
import { getHomeSidebar, getNotificationSettings, listNotifications } from "#community/notifications";
import { addPerson, approveAccount, declineAccount } from "#community/accounts";
import type { Viewer } from "#community/rules";
import { dispatchEvents, redispatchEvents, describeDeliveries } from "../support/notifications/deliveries.ts";
import { createAccountsContext } from "../support/accounts/accounts-context.ts";
import { createTestUsers, type TestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const deliveriesTo = (who: { id: string }) => describeDeliveries(database, who);
const app = createAccountsContext(database);

/** A person who registered and confirmed their address, where staff approve each account. */
const addPendingAccount = (username: string) =>
  within(async (tx) => {
    const personId = await addPerson(tx, {
      username,
      name: username,
      email: `${username}@example.org`,
      state: "pending_approval",
    });
    await emit(tx, { type: "person.awaits-approval", personId });
    return personId;
  });
const linesOf = async (who: Viewer, tab: "all" | "requests" = "all") =>
  (await listNotifications(db, who, { tab })).rows;
const counted = async ({ ada, ines, mira }: TestUsers) =>
  Promise.all(
    [ada, ines, mira].map(async (who) => (await getHomeSidebar(db, who, clock.at)).waiting.accounts),
  );

describe("account waiting for approval", () => {
  test("notifies only staff, without the person's name, and is counted among their open tasks", async () => {
    const people = await createTestUsers(database);
    const zoe = await addPendingAccount("zoe");
    await dispatchEvents(database);
    await redispatchEvents(database);
    for (const who of [people.ada, people.ines])
      expect(await deliveriesTo(who)).toEqual(["account_waits staff"]);
    expect(await deliveriesTo(people.mira)).toEqual([]);
    expect(await linesOf(people.ines, "requests")).toMatchObject([
      { kind: "account_waits", object: { id: zoe, title: "" }, actors: [] },
    ]);
    expect(await counted(people)).toEqual([1, 1, 0]);
    await run(db, sql`update people set site_role = 'member' where id = ${people.ada.id}`);
    expect(await linesOf(people.ada)).toEqual([]);
  });

  test("has its notification removed after approval", async () => {
    const people = await createTestUsers(database);
    const [zoe] = [await addPendingAccount("zoe"), await addPendingAccount("bea")];
    await dispatchEvents(database);
    await approveAccount(app, people.ines, zoe);
    await dispatchEvents(database);
    expect((await deliveriesTo(people.ada)).sort()).toEqual([
      "account_waits staff",
      "account_waits staff read",
    ]);
    expect(await linesOf(people.ada)).toHaveLength(1);
    expect(await counted(people)).toEqual([1, 1, 0]);
  });

  test("has its notification removed after rejection", async () => {
    const people = await createTestUsers(database);
    const zoe = await addPendingAccount("zoe");
    await dispatchEvents(database);
    await declineAccount(app, people.ada, { personId: zoe, reason: "" });
    await dispatchEvents(database);
    expect(await deliveriesTo(people.ada)).toEqual(["account_waits staff read"]);
    expect(await linesOf(people.ada)).toEqual([]);
    expect(await counted(people)).toEqual([0, 0, 0]);
  });

  test("causes notifications that only staff can configure", async () => {
    const { ada, ines, mira } = await createTestUsers(database);
    const kinds = async (who: typeof ada) =>
      (await getNotificationSettings(db, who, clock.at)).kinds.map(({ kind }) => kind);
    for (const who of [ada, ines]) expect(await kinds(who)).toContain("account_waits");
    expect(await kinds(mira)).not.toContain("account_waits");
  });
});
