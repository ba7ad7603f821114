import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { Refusal } from "#platform/refusal";
import { testDatabase } from "../../../test/setup/database.ts";
import { beginTry, forgiveTry } from "./back-off.ts";
import { ADMIN, from, PASSWORD, testHouse } from "./house.fixture.ts";
import { purgeExpired, setStatus } from "./index.ts";

const database = await testDatabase();
const house = testHouse(database);

const signIn = (login: string, password = PASSWORD, by = from()) => house.accounts.signIn({ login, password }, by, "web");
const anywhere = (n: number) => from(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);

describe("sign-in", () => {
  test("accepts username and address in any case, on the web and in the API", async () => {
    await house.member({ username: "ana" });
    for (const login of ["ana", "ANA", " Ana@Example.ORG "]) expect(await signIn(login)).toMatchObject({ kind: "signed-in" });
    expect(await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "wire")).toMatchObject({ kind: "signed-in" });
  });

  test("gives one answer for a wrong password, an unknown name and an account without a password", async () => {
    await house.member({ username: "ana" });
    await house.member({ username: "ben", passwordHash: null });
    const answers = await Promise.allSettled([
      signIn("ana", "wrong password"),
      signIn("nobody", "wrong password"),
      signIn("ben", "wrong password"),
    ]);
    const words = answers.map((it) => it.status === "rejected" && [it.reason.reason, it.reason.message, it.reason.fields]);
    expect(words[0]).toEqual(["invalid", expect.stringContaining("does not fit"), expect.anything()]);
    expect(words[1]).toEqual(words[0]);
    expect(words[2]).toEqual(words[0]);
  });

  test.each(["unverified", "pending_approval"] as const)("reveals that an account is %s only with the right password", async (state) => {
    await house.member({ username: "ana", state });
    await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "not-allowed", state });
  });

  test("lets an unconfirmed person request the email again", async () => {
    await house.member({ username: "ana", state: "unverified" });
    const refusal = await signIn("ana").catch((it: unknown) => it);
    await house.accounts.resendConfirmation((refusal as { pending: string }).pending, from());
    await house.accounts.confirmEmail(await house.tokenTo("ana@example.org"), { password: PASSWORD });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("gives a suspended person the reason and the end, and admits them afterwards", async () => {
    const ana = await house.member({ username: "ana" });
    const until = new Date(database.clock.at.getTime() + 3 * DAY);
    await database.inTransaction((tx) => setStatus(tx, ADMIN, { personId: ana.id, state: "suspended", reason: "Insults", until }));
    await expect(signIn("ana")).rejects.toMatchObject({ state: "suspended", because: "Insults", until });
    database.clock.pass(3 * DAY + SECOND);
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("reactivates an account within 30 days", async () => {
    const ana = await house.member({ username: "ana" });
    await house.accounts.deactivate(ana, PASSWORD);
    const { session } = (await signIn("ana")) as { session: { token: string } };
    expect(await house.accounts.sessionFor(session.token, "web")).toMatchObject({ person: { id: ana.id, state: "active" } });
  });

  test("sends a notice for a new browser, not for the first or a known one", async () => {
    await house.member({ username: "ana" });
    const first = (await signIn("ana")) as { session: { deviceSecret: string } };
    expect(await house.mailTo("ana@example.org")).toBeUndefined();
    // The browser is recognized by its secret, also from another network.
    await signIn("ana", PASSWORD, from("198.51.100.9", { deviceSecret: first.session.deviceSecret }));
    expect(await house.mailTo("ana@example.org")).toBeUndefined();
    await signIn("ana", PASSWORD, from("192.0.2.66", { userAgent: "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36" }));
    const mail = await house.mailTo("ana@example.org");
    expect(mail?.subject).toBe("A new sign-in");
    expect(mail?.text).toContain("Chrome on Windows");
    expect(mail?.text).toContain("https://kith.test/resetPassword");
  });

  test("gives a new browser a fresh secret, never a planted one", async () => {
    await house.member({ username: "ana" });
    await signIn("ana");
    const planted = from("192.0.2.66", { deviceSecret: "planted" });
    expect(await signIn("ana", PASSWORD, planted)).not.toMatchObject({ session: { deviceSecret: "planted" } });
  });
});

describe("password guessing", () => {
  test("fails with 30 accounts a minute from one network", async () => {
    for (let n = 0; n < 30; n++) await expect(signIn(`nobody${n}`, "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("nobody30", "wrong password")).rejects.toMatchObject({ reason: "too-many", retryAfter: expect.any(Number) });
  });

  test("fails with 150 accounts an hour from one network", async () => {
    await house.member({ username: "ana" });
    const limit = { points: 150, seconds: 3_600 };
    await house.limits.take("sign-in-hour", limit, "203.0.113.7", 150);
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many" });
  });

  test("does not lock others at the same address out, however often one account is tried", async () => {
    for (const username of ["ana", "ben"]) await house.member({ username });
    for (let n = 0; n < 6; n++) {
      await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
      database.clock.pass(20 * SECOND);
    }
    expect(await signIn("ben")).toMatchObject({ kind: "signed-in" });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("does not delay the owner's browser at the same address, or email links", async () => {
    await house.member({ username: "ana" });
    const { session } = (await signIn("ana")) as { session: { deviceSecret: string } };
    for (let n = 0; n < 40; n++) await signIn(`nobody${n}`, "wrong password").catch(() => null);
    for (let n = 0; n < 8; n++) await signIn("ana", "wrong password").catch(() => null);
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many" });
    expect(await signIn("ana", PASSWORD, from(undefined, { deviceSecret: session.deviceSecret }))).toMatchObject({ kind: "signed-in" });
    const { browserSecret } = await house.accounts.sendSignInLink("ana@example.org", from());
    const link = await house.tokenTo("ana@example.org");
    expect(await house.accounts.signInByLink(link, { browserSecret }, from(), "web")).toMatchObject({ kind: "signed-in" });
    await house.accounts.sendResetLink("ana@example.org", from());
    const input = { password: "quiet orange lamps", again: "quiet orange lamps" };
    database.clock.pass(SECOND);
    expect(await house.accounts.resetPassword(await house.tokenTo("ana@example.org"), input, from(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("shares failures between processes", async () => {
    await house.member({ username: "ana" });
    const elsewhere = house.another();
    await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(elsewhere.signIn({ login: "ana", password: "wrong" }, from(), "web")).rejects.toMatchObject({ reason: "invalid" });
    for (const accounts of [house.accounts, elsewhere])
      await expect(accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web")).rejects.toMatchObject({ retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await elsewhere.signIn({ login: "ana", password: PASSWORD }, from(), "web")).toMatchObject({ kind: "signed-in" });
    expect(await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("does not count successful attempts", async () => {
    await house.member({ username: "ana" });
    for (let n = 0; n < 12; n++) expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("waits ten seconds after two failures, and twenty after six", async () => {
    const begin = (key: string) => beginTry(database.db, database.clock.at, key);
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
    await forgiveTry(database.db, "ana|here");
    expect(await begin("ana|here")).toBe(1);
  });

  test("starts again after an hour, and leaves no rows behind", async () => {
    for (let n = 0; n < 2; n++) await beginTry(database.db, database.clock.at, "ana|here");
    database.clock.pass(60 * MINUTE);
    expect(await beginTry(database.db, database.clock.at, "ana|here")).toBe(1);
    database.clock.pass(61 * MINUTE);
    await database.inTransaction(purgeExpired);
    expect(await many(database.db, sql`select from sign_in_failures`)).toEqual([]);
  });

  test("allows two of a hundred concurrent attempts", async () => {
    const begun = await Promise.allSettled(Array.from({ length: 100 }, () => beginTry(database.db, database.clock.at, "ana|here")));
    expect(begun.filter((it) => it.status === "fulfilled")).toHaveLength(2);
  });

  test("reports the wait even for the right password", async () => {
    await house.member({ username: "ana" });
    for (let n = 0; n < 2; n++) await expect(signIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("ana")).rejects.toMatchObject({ reason: "too-many", retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("counts unknown names the same way", async () => {
    for (let n = 0; n < 2; n++) await expect(signIn("nobody", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(signIn("nobody", "wrong password")).rejects.toMatchObject({ reason: "too-many", retryAfter: 10 });
  });

  test("does not lock the owner out: known browser and email link work after 300 attempts from 300 networks", async () => {
    await house.member({ username: "ana" });
    const { session } = (await signIn("ana")) as { session: { deviceSecret: string } };
    const tries = await Promise.allSettled(Array.from({ length: 300 }, (_, n) => signIn("ana", `wrong password ${n}`, anywhere(n))));
    const reasons = tries.map((it) => (it.status === "rejected" ? (it.reason as { reason: string }).reason : "in"));
    expect(new Set(reasons)).toEqual(new Set(["invalid", "too-many"]));
    expect(reasons.filter((reason) => reason === "invalid").length).toBeLessThanOrEqual(25);

    await expect(signIn("ana", PASSWORD, anywhere(301))).rejects.toMatchObject({ reason: "too-many" });
    expect(await signIn("ana", PASSWORD, from("203.0.113.7", { deviceSecret: session.deviceSecret }))).toMatchObject({ kind: "signed-in" });
    const { browserSecret } = await house.accounts.sendSignInLink("ana@example.org", anywhere(302));
    const token = await house.tokenTo("ana@example.org");
    expect(await house.accounts.signInByLink(token, { browserSecret }, anywhere(302), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("does not overflow the hashing queue: further attempts get a retry time", async () => {
    const tries = await Promise.allSettled(Array.from({ length: 300 }, (_, n) => signIn(`nobody${n}`, "wrong password", anywhere(n))));
    const reasons = tries.map((it) => (it.status === "rejected" ? (it.reason as { reason: string }).reason : "in"));
    expect(new Set(reasons)).toEqual(new Set(["invalid", "too-many"]));
    await house.member({ username: "ana" });
    expect(await signIn("ana", PASSWORD, anywhere(999))).toMatchObject({ kind: "signed-in" });
  });
});

describe("sign-in link", () => {
  const ask = async (address = "ana@example.org") => ({
    ...(await house.accounts.sendSignInLink(address, from())),
    token: await house.tokenTo(address),
  });

  test("works once in the requesting browser, even when opened twice at once", async () => {
    await house.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    const both = await Promise.allSettled([1, 2].map(() => house.accounts.signInByLink(token, { browserSecret }, from(), "web")));
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({ reason: "gone" });
  });

  test("asks for confirmation in another browser without using the link up", async () => {
    await house.member({ username: "ana" });
    const { token } = await ask();
    expect(await house.accounts.signInByLink(token, { browserSecret: "another" }, from(), "web")).toEqual({ kind: "confirm" });
    expect(await house.accounts.signInByLink(token, {}, from(), "web")).toEqual({ kind: "confirm" });
    expect(await house.accounts.signInByLink(token, { confirmed: true }, from(), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("expires after 15 minutes and is replaced by the next", async () => {
    await house.member({ username: "ana" });
    const first = await ask();
    database.clock.pass(SECOND);
    const second = await ask();
    await expect(house.accounts.signInByLink(first.token, first, from(), "web")).rejects.toMatchObject({ reason: "gone" });
    database.clock.pass(15 * MINUTE);
    await expect(house.accounts.signInByLink(second.token, second, from(), "web")).rejects.toMatchObject({ reason: "gone" });
  });

  test("gives the same answer for an unknown address", async () => {
    expect(await house.accounts.sendSignInLink("nobody@example.org", from())).toEqual({ browserSecret: expect.any(String) });
    expect(await house.mailTo("nobody@example.org")).toBeUndefined();
    expect(await house.accounts.sendSignInLink("not an address", from())).toEqual({ browserSecret: expect.any(String) });
  });

  test("sends the confirmation email for an unconfirmed account", async () => {
    await house.member({ username: "ana", state: "unverified" });
    const { token, browserSecret } = await ask();
    await expect(house.accounts.signInByLink(token, { browserSecret }, from(), "web")).rejects.toMatchObject({ reason: "gone" });
    expect(await house.accounts.confirmEmail(token, { password: PASSWORD })).toMatchObject({ state: "active" });
  });

  test("does not open a suspended account", async () => {
    const ana = await house.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    await run(database.db, sql`update people set state = 'suspended' where id = ${ana.id}`);
    await expect(house.accounts.signInByLink(token, { browserSecret }, from(), "web")).rejects.toMatchObject({ state: "suspended" });
  });

  test("sends at most five emails in half an hour per address", async () => {
    for (let n = 0; n < 5; n++) await house.accounts.sendSignInLink("ana@example.org", anywhere(n));
    await expect(house.accounts.sendSignInLink("ana@example.org", anywhere(9))).rejects.toMatchObject({ reason: "too-many" });
  });
});
