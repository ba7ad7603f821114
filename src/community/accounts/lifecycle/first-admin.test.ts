import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { clientInfo, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { ensureFirstAdmin, signIn, resetPassword } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

describe("first admin", () => {
  test("gets the password from the environment only once, even when two processes start at the same time", async () => {
    const admin = { email: "root@example.org", password: "a long word for trees" };
    const both = await Promise.all([ensureFirstAdmin(app, admin), ensureFirstAdmin(app, admin)]);
    expect(both.filter((it) => it !== null)).toHaveLength(1);
    expect(
      await signIn(app, { login: admin.email, password: admin.password }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
    await expect(ensureFirstAdmin(app, { ...admin, password: null })).resolves.toBeNull();
  });

  test("gets a week-long link to set a password when none is configured", async () => {
    const result = await ensureFirstAdmin(app, { email: "root@example.org", password: null });
    const token = /^https:\/\/kith\.test\/setup\?token=([\w-]+)$/.exec(result?.link ?? "")?.[1] ?? "";
    database.clock.pass(6 * DAY);
    const password = "a long word for trees";
    expect(await resetPassword(app, token, { password, again: password }, clientInfo(), "web")).toMatchObject(
      {
        kind: "signed-in",
      },
    );
  });

  test("gets a new link at each start until a link has been used", async () => {
    const ask = () => ensureFirstAdmin(app, { email: "root@example.org", password: null });
    await ask();
    const result = await ask();
    const token = new URL(result!.link!).searchParams.get("token")!;
    const password = "a long word for trees";
    await resetPassword(app, token, { password, again: password }, clientInfo(), "web");
    expect(await ask()).toBeNull();
  });

  test("cannot get a weak password", async () => {
    await expect(
      ensureFirstAdmin(app, { email: "root@example.org", password: "short" }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });
});
