import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { clientInfo, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

describe("first admin", () => {
  test("gets the password from the environment once, even when two processes start at once", async () => {
    const admin = { email: "root@example.org", password: "a long word for trees" };
    const both = await Promise.all([
      app.accounts.ensureFirstAdmin(admin),
      app.accounts.ensureFirstAdmin(admin),
    ]);
    expect(both.filter((it) => it !== null)).toHaveLength(1);
    expect(
      await app.accounts.signIn({ login: admin.email, password: admin.password }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
    await expect(app.accounts.ensureFirstAdmin({ ...admin, password: null })).resolves.toBeNull();
  });

  test("gets a week-long link to set a password when none is configured", async () => {
    const made = await app.accounts.ensureFirstAdmin({ email: "root@example.org", password: null });
    const token = /^https:\/\/kith\.test\/resetPassword\?token=([\w-]+)$/.exec(made?.link ?? "")?.[1] ?? "";
    database.clock.pass(6 * DAY);
    const password = "a long word for trees";
    expect(
      await app.accounts.resetPassword(token, { password, again: password }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("gets a new link until the first one was used, and none afterwards", async () => {
    const ask = () => app.accounts.ensureFirstAdmin({ email: "root@example.org", password: null });
    await ask();
    const made = await ask();
    const token = new URL(made!.link!).searchParams.get("token")!;
    const password = "a long word for trees";
    await app.accounts.resetPassword(token, { password, again: password }, clientInfo(), "web");
    expect(await ask()).toBeNull();
  });

  test("refuses a weak password", async () => {
    await expect(
      app.accounts.ensureFirstAdmin({ email: "root@example.org", password: "short" }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });
});
