import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { many, sql } from "#platform/database";
import type { Refusal } from "#platform/refusal";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { beginSignInAttempt, clearFailedAttempts } from "./back-off.ts";
import { hashPassword } from "./password-hashing.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  deleteExpiredRows,
  signIn,
  sendSignInLink,
  signInByLink,
  sendResetLink,
  resetPassword,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const attemptSignIn = (login: string, password = PASSWORD, by = clientInfo()) =>
  signIn(app, { login, password }, by, "web");
const anywhere = (n: number) => clientInfo(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);

describe("password guessing", () => {
  test("stops after 30 accounts a minute from one network", async () => {
    for (let n = 0; n < 30; n++)
      await expect(attemptSignIn(`nobody${n}`, "wrong password")).rejects.toMatchObject({
        reason: "invalid",
      });
    await expect(attemptSignIn("nobody30", "wrong password")).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: expect.any(Number),
    });
  });

  test("counts toward the hourly limit only if the limit per minute allowed the attempt", async () => {
    for (let n = 0; n < 40; n++) await attemptSignIn(`nobody${n}`, "wrong password").catch(() => {});
    expect(await app.limits.used("sign-in-hour", { points: 150, seconds: 3_600 }, "203.0.113.7")).toBe(30);
  });

  test("stops after 150 accounts an hour from one network", async () => {
    await app.member({ username: "ana" });
    const limit = { points: 150, seconds: 3_600 };
    await app.limits.take("sign-in-hour", limit, "203.0.113.7", 150);
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "too-many" });
  });

  test("at one account does not lock out other people at the same IP address", async () => {
    for (const username of ["ana", "ben"]) await app.member({ username });
    for (let n = 0; n < 6; n++) {
      await expect(attemptSignIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
      database.clock.pass(20 * SECOND);
    }
    expect(await attemptSignIn("ben")).toMatchObject({ kind: "signed-in" });
    expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("does not delay the owner's known browser at the same IP address, nor email links", async () => {
    await app.member({ username: "ana" });
    const { session } = (await attemptSignIn("ana")) as { session: { deviceSecret: string } };
    for (let n = 0; n < 40; n++) await attemptSignIn(`nobody${n}`, "wrong password").catch(() => null);
    for (let n = 0; n < 8; n++) await attemptSignIn("ana", "wrong password").catch(() => null);
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "too-many" });
    expect(
      await attemptSignIn("ana", PASSWORD, clientInfo(undefined, { deviceSecret: session.deviceSecret })),
    ).toMatchObject({
      kind: "signed-in",
    });
    const { browserSecret } = await sendSignInLink(app, "ana@example.org", clientInfo());
    const link = await app.tokenTo("ana@example.org");
    expect(await signInByLink(app, link, { browserSecret }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    await sendResetLink(app, "ana@example.org", clientInfo());
    const input = { password: "quiet orange lamps", again: "quiet orange lamps" };
    database.clock.pass(SECOND);
    expect(
      await resetPassword(app, await app.tokenTo("ana@example.org"), input, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("shares its failure count between processes", async () => {
    await app.member({ username: "ana" });
    const elsewhere = app.another();
    await expect(attemptSignIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(
      signIn(elsewhere, { login: "ana", password: "wrong" }, clientInfo(), "web"),
    ).rejects.toMatchObject({ reason: "invalid" });
    for (const accounts of [app, elsewhere])
      await expect(
        signIn(accounts, { login: "ana", password: PASSWORD }, clientInfo(), "web"),
      ).rejects.toMatchObject({ retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await signIn(elsewhere, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("does not count successful attempts", async () => {
    await app.member({ username: "ana" });
    for (let n = 0; n < 12; n++) expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("must wait ten seconds after two failures, and twenty after six", async () => {
    const begin = (key: string) => beginSignInAttempt(database.db, database.clock.at, key);
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
    await clearFailedAttempts(database.db, "ana|here");
    expect(await begin("ana|here")).toBe(1);
  });

  test("restarts its count after an hour, and its rows are deleted", async () => {
    for (let n = 0; n < 2; n++) await beginSignInAttempt(database.db, database.clock.at, "ana|here");
    database.clock.pass(60 * MINUTE);
    expect(await beginSignInAttempt(database.db, database.clock.at, "ana|here")).toBe(1);
    database.clock.pass(61 * MINUTE);
    await database.inTransaction(deleteExpiredRows);
    expect(await many(database.db, sql`select from sign_in_failures`)).toEqual([]);
  });

  test("gets two attempts out of a hundred concurrent attempts", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => beginSignInAttempt(database.db, database.clock.at, "ana|here")),
    );
    expect(results.filter((it) => it.status === "fulfilled")).toHaveLength(2);
  });

  test("gets the waiting time even for the right password", async () => {
    await app.member({ username: "ana" });
    for (let n = 0; n < 2; n++)
      await expect(attemptSignIn("ana", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "too-many", retryAfter: 10 });
    database.clock.pass(10 * SECOND);
    expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
  });

  test("at an unknown name must wait as well", async () => {
    for (let n = 0; n < 2; n++)
      await expect(attemptSignIn("nobody", "wrong password")).rejects.toMatchObject({ reason: "invalid" });
    await expect(attemptSignIn("nobody", "wrong password")).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 10,
    });
  });

  test("does not lock out the owner's known browser or email link, even from 300 networks", async () => {
    await app.member({ username: "ana" });
    const { session } = (await attemptSignIn("ana")) as { session: { deviceSecret: string } };
    const attempts = await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) => attemptSignIn("ana", `wrong password ${n}`, anywhere(n))),
    );
    const reasons = attempts.map((it) =>
      it.status === "rejected" ? (it.reason as { reason: string }).reason : "in",
    );
    expect(new Set(reasons)).toEqual(new Set(["invalid", "too-many"]));
    expect(reasons.filter((reason) => reason === "invalid").length).toBeLessThanOrEqual(25);

    await expect(attemptSignIn("ana", PASSWORD, anywhere(301))).rejects.toMatchObject({ reason: "too-many" });
    expect(
      await attemptSignIn("ana", PASSWORD, clientInfo("203.0.113.7", { deviceSecret: session.deviceSecret })),
    ).toMatchObject({
      kind: "signed-in",
    });
    const { browserSecret } = await sendSignInLink(app, "ana@example.org", anywhere(302));
    const token = await app.tokenTo("ana@example.org");
    expect(await signInByLink(app, token, { browserSecret }, anywhere(302), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("leaves at most 50 hashes in the queue; further ones get a retry time", async () => {
    const hashes = await Promise.allSettled(Array.from({ length: 60 }, () => hashPassword("wrong password")));
    expect(hashes.slice(0, 50).map(({ status }) => status)).toEqual(Array(50).fill("fulfilled"));
    for (const refused of hashes.slice(50))
      expect(refused).toMatchObject({ reason: { reason: "too-many", retryAfter: 5 } });
    await app.member({ username: "ana" });
    expect(await attemptSignIn("ana", PASSWORD, anywhere(999))).toMatchObject({ kind: "signed-in" });
  });
});
