import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  ADMIN,
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { setStatus } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const signIn = (login: string, password = PASSWORD, by = clientInfo()) =>
  app.accounts.signIn({ login, password }, by, "web");

describe("sign-in", () => {
  test("accepts username and address in any case, on the web and in the API", async () => {
    await app.member({ username: "ana" });
    for (const login of ["ana", "ANA", " Ana@Example.ORG "])
      expect(await signIn(login)).toMatchObject({ kind: "signed-in" });
    expect(
      await app.accounts.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "api"),
    ).toMatchObject({ kind: "signed-in" });
  });

  test("gives one answer for a wrong password, an unknown name and an account without a password", async () => {
    await app.member({ username: "ana" });
    await app.member({ username: "ben", passwordHash: null });
    const answers = await Promise.allSettled([
      signIn("ana", "wrong password"),
      signIn("nobody", "wrong password"),
      signIn("ben", "wrong password"),
    ]);
    const words = answers.map(
      (it) => it.status === "rejected" && [it.reason.reason, it.reason.message, it.reason.fields],
    );
    expect(words[0]).toEqual([
      "invalid",
      expect.stringContaining("Wrong username or password"),
      expect.anything(),
    ]);
    expect(words[1]).toEqual(words[0]);
    expect(words[2]).toEqual(words[0]);
  });

  test.each(["unverified", "pending_approval"] as const)(
    "reveals that an account is %s only with the right password",
    async (state) => {
      await app.member({ username: "ana", state });
      await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
      await expect(signIn("ana")).rejects.toMatchObject({ reason: "not-allowed", state });
    },
  );

  test("lets an unconfirmed person request the email again", async () => {
    await app.member({ username: "ana", state: "unverified" });
    const refusal = await signIn("ana").catch((it: unknown) => it);
    await app.accounts.resendConfirmation((refusal as { pending: string }).pending, clientInfo());
    await app.accounts.confirmEmail(await app.tokenTo("ana@example.org"), { password: PASSWORD });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("gives a suspended person the reason and the end, and admits them afterwards", async () => {
    const ana = await app.member({ username: "ana" });
    const until = new Date(database.clock.at.getTime() + 3 * DAY);
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: ana.id, state: "suspended", reason: "Insults", until }),
    );
    await expect(signIn("ana")).rejects.toMatchObject({ state: "suspended", because: "Insults", until });
    database.clock.pass(3 * DAY + SECOND);
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("reactivates an account within 30 days", async () => {
    const ana = await app.member({ username: "ana" });
    await app.accounts.deactivate(ana, PASSWORD);
    const { session } = (await signIn("ana")) as { session: { token: string } };
    expect(await app.accounts.findSession(session.token, "web")).toMatchObject({
      person: { id: ana.id, state: "active" },
    });
  });

  test("sends a notice for a new browser, not for the first or a known one", async () => {
    await app.member({ username: "ana" });
    const first = (await signIn("ana")) as { session: { deviceSecret: string } };
    expect(await app.mailTo("ana@example.org")).toBeUndefined();
    // The browser is recognized by its secret, also from another network.
    await signIn("ana", PASSWORD, clientInfo("198.51.100.9", { deviceSecret: first.session.deviceSecret }));
    expect(await app.mailTo("ana@example.org")).toBeUndefined();
    await signIn(
      "ana",
      PASSWORD,
      clientInfo("192.0.2.66", { userAgent: "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36" }),
    );
    const mail = await app.mailTo("ana@example.org");
    expect(mail?.subject).toBe("New sign-in");
    expect(mail?.text).toContain("Chrome on Windows");
    expect(mail?.text).toContain("https://kith.test/resetPassword");
  });

  test("gives a new browser a fresh secret, never a planted one", async () => {
    await app.member({ username: "ana" });
    await signIn("ana");
    const planted = clientInfo("192.0.2.66", { deviceSecret: "planted" });
    expect(await signIn("ana", PASSWORD, planted)).not.toMatchObject({
      session: { deviceSecret: "planted" },
    });
  });
});
