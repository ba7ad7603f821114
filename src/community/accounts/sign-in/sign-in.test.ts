import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { Refusal } from "#platform/refusal";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { beginAttempt, forgiveAttempts } from "./back-off.ts";
import {
  ADMIN,
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { deleteExpiredRows, setStatus } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const signIn = (login: string, password = PASSWORD, by = clientInfo()) =>
  app.accounts.signIn({ login, password }, by, "web");
const anywhere = (n: number) => clientInfo(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);

describe("sign-in", () => {
  test("accepts username and address in any case, on the web and in the API", async () => {
    await app.member({ username: "ana" });
    for (const login of ["ana", "ANA", " Ana@Example.ORG "])
      expect(await signIn(login)).toMatchObject({ kind: "signed-in" });
    expect(
      await app.accounts.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "wire"),
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
    expect(await app.accounts.sessionFor(session.token, "web")).toMatchObject({
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

describe("password guessing", () => {
  test("fails with 30 accounts a minute from one network", async () => {
    for (let n = 0; n < 30; n++)
      await expect(signIn(`nobody${n}`, "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("nobody30", "wrong password")).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: expect.any(Number),
    });
  });

  test("counts accounts refused by the limit of a minute towards no other limit", async () => {
    for (let n = 0; n < 40; n++) await signIn(`nobody${n}`, "wrong password").catch(() => {});
    expect(await app.limits.used("sign-in-hour", { points: 150, seconds: 3_600 }, "203.0.113.7")).toBe(30);
  });

  test("fails with 150 accounts an hour from one network", async () => {
    await app.member({ username: "ana" });
    const limit = { points: 150, seconds: 3_600 };
    await app.limits.take("sign-in-hour", limit, "203.0.113.7", 150);
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many" });
  });

  test("does not lock others at the same address out, however often one account is tried", async () => {
    for (const username of ["ana", "ben"]) await app.member({ username });
    for (let n = 0; n < 6; n++) {
      await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
      database.clock.pass(20 * SECOND);
    }
    expect(await signIn("ben")).toMatchObject({ kind: "signed-in" });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("does not delay the owner's browser at the same address, or email links", async () => {
    await app.member({ username: "ana" });
    const { session } = (await signIn("ana")) as { session: { deviceSecret: string } };
    for (let n = 0; n < 40; n++) await signIn(`nobody${n}`, "wrong password").catch(() => null);
    for (let n = 0; n < 8; n++) await signIn("ana", "wrong password").catch(() => null);
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many" });
    expect(
      await signIn("ana", PASSWORD, clientInfo(undefined, { deviceSecret: session.deviceSecret })),
    ).toMatchObject({
      kind: "signed-in",
    });
    const { browserSecret } = await app.accounts.sendSignInLink("ana@example.org", clientInfo());
    const link = await app.tokenTo("ana@example.org");
    expect(await app.accounts.signInByLink(link, { browserSecret }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    await app.accounts.sendResetLink("ana@example.org", clientInfo());
    const input = { password: "quiet orange lamps", again: "quiet orange lamps" };
    database.clock.pass(SECOND);
    expect(
      await app.accounts.resetPassword(await app.tokenTo("ana@example.org"), input, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("shares failures between processes", async () => {
    await app.member({ username: "ana" });
    const elsewhere = app.another();
    await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(
      elsewhere.signIn({ login: "ana", password: "wrong" }, clientInfo(), "web"),
    ).rejects.toMatchObject({ reason: "invalid" });
    for (const accounts of [app.accounts, elsewhere])
      await expect(
        accounts.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "web"),
      ).rejects.toMatchObject({ retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await elsewhere.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    expect(
      await app.accounts.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({ kind: "signed-in" });
  });

  test("does not count successful attempts", async () => {
    await app.member({ username: "ana" });
    for (let n = 0; n < 12; n++) expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("waits ten seconds after two failures, and twenty after six", async () => {
    const begin = (key: string) => beginAttempt(database.db, database.clock.at, key);
    const pauses: number[] = [];
    for (let n = 0; n < 8; n++) {
      const before = database.clock.at.getTime();
      await begin("ana|here").catch((refusal: Refusal) => {
        database.clock.pass(refusal.retryAfter! * SECOND);
        return begin("ana|here");
      });
      pauses.push((database.clock.at.getTime() - before) / SECOND);
    }
    expect(pauses).toEqual([0, 0, 10, 10, 10, 10, 20, 20]);
    expect(await begin("ana|elsewhere")).toBe(1);
    await forgiveAttempts(database.db, "ana|here");
    expect(await begin("ana|here")).toBe(1);
  });

  test("starts again after an hour, and leaves no rows behind", async () => {
    for (let n = 0; n < 2; n++) await beginAttempt(database.db, database.clock.at, "ana|here");
    database.clock.pass(60 * MINUTE);
    expect(await beginAttempt(database.db, database.clock.at, "ana|here")).toBe(1);
    database.clock.pass(61 * MINUTE);
    await database.inTransaction(deleteExpiredRows);
    expect(await many(database.db, sql`select from sign_in_failures`)).toEqual([]);
  });

  test("allows two of a hundred concurrent attempts", async () => {
    const begun = await Promise.allSettled(
      Array.from({ length: 100 }, () => beginAttempt(database.db, database.clock.at, "ana|here")),
    );
    expect(begun.filter((it) => it.status === "fulfilled")).toHaveLength(2);
  });

  test("reports the wait even for the right password", async () => {
    await app.member({ username: "ana" });
    for (let n = 0; n < 2; n++)
      await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many", retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("counts unknown names the same way", async () => {
    for (let n = 0; n < 2; n++)
      await expect(signIn("nobody", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("nobody", "wrong password")).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 10,
    });
  });

  test("does not lock the owner out: known browser and email link work after 300 attempts from 300 networks", async () => {
    await app.member({ username: "ana" });
    const { session } = (await signIn("ana")) as { session: { deviceSecret: string } };
    const tries = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => signIn("ana", `wrong password ${n}`, anywhere(n))),
    );
    const reasons = tries.map((it) =>
      it.status === "rejected" ? (it.reason as { reason: string }).reason : "in",
    );
    expect(new Set(reasons)).toEqual(new Set(["invalid", "too-many"]));
    expect(reasons.filter((reason) => reason === "invalid").length).toBeLessThanOrEqual(25);

    await expect(signIn("ana", PASSWORD, anywhere(301))).rejects.toMatchObject({ reason: "too-many" });
    expect(
      await signIn("ana", PASSWORD, clientInfo("203.0.113.7", { deviceSecret: session.deviceSecret })),
    ).toMatchObject({
      kind: "signed-in",
    });
    const { browserSecret } = await app.accounts.sendSignInLink("ana@example.org", anywhere(302));
    const token = await app.tokenTo("ana@example.org");
    expect(await app.accounts.signInByLink(token, { browserSecret }, anywhere(302), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("does not overflow the hashing queue: further attempts get a retry time", async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => signIn(`nobody${n}`, "wrong password", anywhere(n))),
    );
    const reasons = tries.map((it) =>
      it.status === "rejected" ? (it.reason as { reason: string }).reason : "in",
    );
    expect(new Set(reasons)).toEqual(new Set(["invalid", "too-many"]));
    await app.member({ username: "ana" });
    expect(await signIn("ana", PASSWORD, anywhere(999))).toMatchObject({ kind: "signed-in" });
  });
});

describe("sign-in link", () => {
  const ask = async (address = "ana@example.org") => ({
    ...(await app.accounts.sendSignInLink(address, clientInfo())),
    token: await app.tokenTo(address),
  });

  test("works once in the requesting browser, even when opened twice at once", async () => {
    await app.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    const both = await Promise.allSettled(
      [1, 2].map(() => app.accounts.signInByLink(token, { browserSecret }, clientInfo(), "web")),
    );
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({ reason: "gone" });
  });

  test("asks for confirmation in another browser without using the link up", async () => {
    await app.member({ username: "ana" });
    const { token } = await ask();
    expect(await app.accounts.signInByLink(token, { browserSecret: "another" }, clientInfo(), "web")).toEqual(
      { kind: "confirm" },
    );
    expect(await app.accounts.signInByLink(token, {}, clientInfo(), "web")).toEqual({ kind: "confirm" });
    expect(await app.accounts.signInByLink(token, { confirmed: true }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("expires after 15 minutes and is replaced by the next", async () => {
    await app.member({ username: "ana" });
    const first = await ask();
    database.clock.pass(SECOND);
    const second = await ask();
    await expect(app.accounts.signInByLink(first.token, first, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
    database.clock.pass(15 * MINUTE);
    await expect(app.accounts.signInByLink(second.token, second, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("gives the same answer for an unknown address", async () => {
    expect(await app.accounts.sendSignInLink("nobody@example.org", clientInfo())).toEqual({
      browserSecret: expect.any(String),
    });
    expect(await app.mailTo("nobody@example.org")).toBeUndefined();
    expect(await app.accounts.sendSignInLink("not an address", clientInfo())).toEqual({
      browserSecret: expect.any(String),
    });
  });

  test("sends the confirmation email for an unconfirmed account", async () => {
    await app.member({ username: "ana", state: "unverified" });
    const { token, browserSecret } = await ask();
    await expect(
      app.accounts.signInByLink(token, { browserSecret }, clientInfo(), "web"),
    ).rejects.toMatchObject({ reason: "gone" });
    expect(await app.accounts.confirmEmail(token, { password: PASSWORD })).toMatchObject({ state: "active" });
  });

  test("does not open a suspended account", async () => {
    const ana = await app.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    await run(database.db, sql`update people set state = 'suspended' where id = ${ana.id}`);
    await expect(
      app.accounts.signInByLink(token, { browserSecret }, clientInfo(), "web"),
    ).rejects.toMatchObject({ state: "suspended" });
  });

  test("sends at most five emails in half an hour per address", async () => {
    for (let n = 0; n < 5; n++) await app.accounts.sendSignInLink("ana@example.org", anywhere(n));
    await expect(app.accounts.sendSignInLink("ana@example.org", anywhere(9))).rejects.toMatchObject({
      reason: "too-many",
    });
  });
});
