import { describe, expect, test } from "vitest";
import { HOUR, MINUTE, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { createRegistrationSetup } from "../../../../test/support/accounts/registration-setup.ts";
import { confirmEmail, resendConfirmation, changePendingAddress, signIn } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { registerPerson, listPeople } = createRegistrationSetup(database, app);

describe("confirmation link", () => {
  test("works once, even when opened twice at once", async () => {
    await registerPerson();
    const token = await app.tokenTo("zoe@example.org");
    const both = await Promise.allSettled([
      confirmEmail(app, token, { password: PASSWORD }),
      confirmEmail(app, token, { password: PASSWORD }),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(confirmEmail(app, token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("expires after 48 hours", async () => {
    await registerPerson();
    const token = await app.tokenTo("zoe@example.org");
    database.clock.pass(48 * HOUR);
    await expect(confirmEmail(app, token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("can be sent again at most once a minute, and only the newest link works", async () => {
    const { pending } = await registerPerson();
    const first = await app.tokenTo("zoe@example.org");
    await expect(resendConfirmation(app, pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 60,
    });
    database.clock.pass(MINUTE);
    await resendConfirmation(app, pending, clientInfo());
    await expect(resendConfirmation(app, pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
    });
    const second = await app.tokenTo("zoe@example.org");
    await expect(confirmEmail(app, first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    expect(await confirmEmail(app, second, { password: PASSWORD })).toMatchObject({
      state: "active",
    });
  });

  test("can be sent to a corrected address, which invalidates the first link", async () => {
    const { pending } = await registerPerson();
    const first = await app.tokenTo("zoe@example.org");
    await expect(changePendingAddress(app, pending, "nonsense", clientInfo())).rejects.toMatchObject({
      fields: { email: expect.any(String) },
    });
    await changePendingAddress(app, pending, "zoe@example.net", clientInfo());
    await expect(confirmEmail(app, first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await confirmEmail(app, await app.tokenTo("zoe@example.net"), { password: PASSWORD });
    expect(await listPeople()).toMatchObject([{ email: "zoe@example.net", state: "active" }]);
    await expect(changePendingAddress(app, pending, "zoe@example.com", clientInfo())).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("works for a corrected address after the first address belonged to someone else", async () => {
    await app.member({ username: "ben", email: "ben@example.org" });
    const { pending } = await registerPerson({ email: "ben@example.org" });
    await changePendingAddress(app, pending, "zoe@example.org", clientInfo());
    await confirmEmail(app, await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    expect(
      await signIn(app, { login: "zoe@example.org", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("cannot be requested for a replaced registration while registration is closed", async () => {
    const { pending } = await registerPerson({ username: "first" });
    await registerPerson({ username: "second" }, clientInfo("198.51.100.4"));
    await app.set({ registration: "closed" });
    const correct = () => changePendingAddress(app, pending, "zoe@example.net", clientInfo());
    await expect(correct()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listPeople()).toMatchObject([{ username: "second" }]);
    await app.set({ registration: "open" });
    await correct();
    expect(await listPeople()).toHaveLength(2);
  });

  test("becomes invalid when a later registration uses the same address", async () => {
    await registerPerson({ password: "somebody else knows this", username: "stranger" });
    const planted = await app.tokenTo("zoe@example.org");
    database.clock.pass(SECOND);
    await registerPerson({}, clientInfo("198.51.100.4"));
    await expect(confirmEmail(app, planted, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await confirmEmail(app, await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    await expect(
      signIn(app, { login: "zoe@example.org", password: "somebody else knows this" }, clientInfo(), "web"),
    ).rejects.toMatchObject({ reason: "invalid" });
  });
});
