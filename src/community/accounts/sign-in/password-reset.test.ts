import { describe, expect, test } from "vitest";
import { HOUR, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { signIn, sendResetLink, resetPassword, isResetLinkValid, findSession } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const NEW = "eight white geese";

const attemptSignIn = (login: string, password = PASSWORD) =>
  signIn(app, { login, password }, clientInfo(), "web");
const sessionOf = async (login: string) =>
  ((await attemptSignIn(login)) as { session: { id: string; token: string } }).session;

describe("password reset by email", () => {
  const ask = async () => {
    await sendResetLink(app, "ana@example.org", clientInfo());
    return app.tokenTo("ana@example.org");
  };
  const set = (token: string, password = NEW) =>
    resetPassword(app, token, { password, again: password }, clientInfo(), "web");

  test("signs in, ends every other session and sends a notice", async () => {
    await app.member({ username: "ana" });
    const before = await sessionOf("ana");
    const token = await ask();
    expect(await isResetLinkValid(app, token)).toBe(true);
    expect(await set(token)).toMatchObject({ kind: "signed-in" });
    expect(await findSession(app, before.token, "web")).toBeNull();
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "Your password has changed" });
    expect(await attemptSignIn("ana", NEW)).toMatchObject({ kind: "signed-in" });
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "invalid" });
  });

  test("works once, even for two concurrent requests", async () => {
    await app.member({ username: "ana" });
    const token = await ask();
    const both = await Promise.allSettled([set(token), set(token, "nine grey goats")]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(set(token)).rejects.toMatchObject({ reason: "gone" });
    expect(await isResetLinkValid(app, token)).toBe(false);
  });

  test("expires after an hour, a newer request or a sign-in", async () => {
    await app.member({ username: "ana" });
    const old = await ask();
    database.clock.pass(HOUR);
    await expect(set(old)).rejects.toMatchObject({ reason: "gone" });
    const first = await ask();
    database.clock.pass(SECOND);
    const second = await ask();
    await expect(set(first)).rejects.toMatchObject({ reason: "gone" });
    await attemptSignIn("ana");
    await expect(set(second)).rejects.toMatchObject({ reason: "gone" });
  });

  test("gives the same answer for an unknown address", async () => {
    expect(await sendResetLink(app, "nobody@example.org", clientInfo())).toBeUndefined();
    expect(await app.mailTo("nobody@example.org")).toBeUndefined();
  });

  test("requires a password that follows the rules; the link stays valid after a refusal", async () => {
    await app.member({ username: "ana", role: "moderator" });
    const token = await ask();
    await expect(set(token, "three geese")).rejects.toMatchObject({
      fields: { password: expect.stringContaining("15") },
    });
    expect(await set(token)).toMatchObject({ kind: "signed-in" });
  });

  test("confirms an unconfirmed address, since the link arrived there", async () => {
    await app.member({ username: "ana", state: "unverified" });
    expect(await set(await ask())).toMatchObject({ kind: "signed-in" });
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "invalid" });
  });

  test("does not reactivate a suspended account", async () => {
    await app.member({ username: "ana", state: "suspended" });
    await expect(set(await ask())).rejects.toMatchObject({ state: "suspended" });
  });
});
