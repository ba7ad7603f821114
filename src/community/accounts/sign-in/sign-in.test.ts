import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  ADMIN,
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  setStatus,
  signIn,
  resendConfirmation,
  confirmEmail,
  deactivateAccount,
  findSession,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const attemptSignIn = (login: string, password = PASSWORD, by = clientInfo()) =>
  signIn(app, { login, password }, by, "web");

describe("sign-in", () => {
  test("accepts username and address in upper or lower case, on the web and in the API", async () => {
    await app.member({ username: "ana" });
    for (const login of ["ana", "ANA", " Ana@Example.ORG "])
      expect(await attemptSignIn(login)).toMatchObject({ kind: "signed-in" });
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "api")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("gives the same answer for a wrong password, an unknown name and an account without a password", async () => {
    await app.member({ username: "ana" });
    await app.member({ username: "ben", passwordHash: null });
    const answers = await Promise.allSettled([
      attemptSignIn("ana", "wrong password"),
      attemptSignIn("nobody", "wrong password"),
      attemptSignIn("ben", "wrong password"),
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
      await expect(attemptSignIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
      await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "not-allowed", state });
    },
  );

  test("lets an unconfirmed person request the confirmation email again", async () => {
    await app.member({ username: "ana", state: "unverified" });
    const refusal = await attemptSignIn("ana").catch((it: unknown) => it);
    await resendConfirmation(app, (refusal as { pending: string }).pending, clientInfo());
    await confirmEmail(app, await app.tokenTo("ana@example.org"), { password: PASSWORD });
    expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("shows a suspended person the reason and end date, and works after that date", async () => {
    const ana = await app.member({ username: "ana" });
    const until = new Date(database.clock.at.getTime() + 3 * DAY);
    await database.inTransaction((tx) =>
      setStatus(tx, ADMIN, { personId: ana.id, state: "suspended", reason: "Insults", until }),
    );
    await expect(attemptSignIn("ana")).rejects.toMatchObject({
      state: "suspended",
      because: "Insults",
      until,
    });
    database.clock.pass(3 * DAY + SECOND);
    expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("reactivates a deactivated account within 30 days", async () => {
    const ana = await app.member({ username: "ana" });
    await deactivateAccount(app, ana, PASSWORD);
    const { session } = (await attemptSignIn("ana")) as { session: { token: string } };
    expect(await findSession(app, session.token, "web")).toMatchObject({
      person: { id: ana.id, state: "active" },
    });
  });

  test("sends a notice for a new browser, but not for the first browser or a known browser", async () => {
    await app.member({ username: "ana" });
    const first = (await attemptSignIn("ana")) as { session: { deviceSecret: string } };
    expect(await app.mailTo("ana@example.org")).toBeUndefined();
    // The browser is recognized by its secret, also from another network.
    await attemptSignIn(
      "ana",
      PASSWORD,
      clientInfo("198.51.100.9", { deviceSecret: first.session.deviceSecret }),
    );
    expect(await app.mailTo("ana@example.org")).toBeUndefined();
    await attemptSignIn(
      "ana",
      PASSWORD,
      clientInfo("192.0.2.66", { userAgent: "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36" }),
    );
    const mail = await app.mailTo("ana@example.org");
    expect(mail?.subject).toBe("New sign-in");
    expect(mail?.text).toContain("Chrome on Windows");
    expect(mail?.text).toContain("https://kith.test/resetPassword");
  });

  test("gives a new browser a fresh device secret instead of accepting a planted secret", async () => {
    await app.member({ username: "ana" });
    await attemptSignIn("ana");
    const planted = clientInfo("192.0.2.66", { deviceSecret: "planted" });
    expect(await attemptSignIn("ana", PASSWORD, planted)).not.toMatchObject({
      session: { deviceSecret: "planted" },
    });
  });
});
