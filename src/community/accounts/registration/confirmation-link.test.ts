import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { createRegistrationSetup } from "../../../../test/support/accounts/registration-setup.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { register, listPeople } = createRegistrationSetup(database, app);

describe("confirmation link", () => {
  test("works once, even when opened twice at once", async () => {
    await register();
    const token = await app.tokenTo("zoe@example.org");
    const both = await Promise.allSettled([
      app.accounts.confirmEmail(token, { password: PASSWORD }),
      app.accounts.confirmEmail(token, { password: PASSWORD }),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(app.accounts.confirmEmail(token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("expires after 48 hours", async () => {
    await register();
    const token = await app.tokenTo("zoe@example.org");
    database.clock.pass(48 * HOUR);
    await expect(app.accounts.confirmEmail(token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("resends at most once a minute, and only the newest works", async () => {
    const { pending } = await register();
    const first = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.resendConfirmation(pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 60,
    });
    database.clock.pass(MINUTE);
    await app.accounts.resendConfirmation(pending, clientInfo());
    await expect(app.accounts.resendConfirmation(pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
    });
    const second = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.confirmEmail(first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    expect(await app.accounts.confirmEmail(second, { password: PASSWORD })).toMatchObject({
      state: "active",
    });
  });

  test("goes to a corrected address, and the first link stops working", async () => {
    const { pending } = await register();
    const first = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.changePendingAddress(pending, "nonsense", clientInfo())).rejects.toMatchObject({
      fields: { email: expect.any(String) },
    });
    await app.accounts.changePendingAddress(pending, "zoe@example.net", clientInfo());
    await expect(app.accounts.confirmEmail(first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.net"), { password: PASSWORD });
    expect(await listPeople()).toMatchObject([{ email: "zoe@example.net", state: "active" }]);
    await expect(
      app.accounts.changePendingAddress(pending, "zoe@example.com", clientInfo()),
    ).rejects.toMatchObject({ reason: "conflict" });
  });

  test("lets a person who mistyped into another's address continue with their own", async () => {
    await app.member({ username: "ben", email: "ben@example.org" });
    const { pending } = await register({ email: "ben@example.org" });
    await app.accounts.changePendingAddress(pending, "zoe@example.org", clientInfo());
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    expect(
      await app.accounts.signIn({ login: "zoe@example.org", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("does not restart a replaced registration once registration is closed", async () => {
    const { pending } = await register({ username: "first" });
    await register({ username: "second" }, clientInfo("198.51.100.4"));
    await app.set({ registration: "closed" });
    const correct = () => app.accounts.changePendingAddress(pending, "zoe@example.net", clientInfo());
    await expect(correct()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listPeople()).toMatchObject([{ username: "second" }]);
    await app.set({ registration: "open" });
    await correct();
    expect(await listPeople()).toHaveLength(2);
  });

  test("belongs to the latest registration, which replaces an earlier one for the same address", async () => {
    await register({ password: "somebody else knows this", username: "stranger" });
    const planted = await app.tokenTo("zoe@example.org");
    database.clock.pass(SECOND);
    await register({}, clientInfo("198.51.100.4"));
    await expect(app.accounts.confirmEmail(planted, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    await expect(
      app.accounts.signIn(
        { login: "zoe@example.org", password: "somebody else knows this" },
        clientInfo(),
        "web",
      ),
    ).rejects.toMatchObject({ reason: "invalid" });
  });
});
