import { TOTP, Secret } from "otpauth";
import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  signIn,
  finishTwoFactor,
  beginTotpSetup,
  confirmTotpSetup,
  sendSignInLink,
  signInByLink,
  sendResetLink,
  resetPassword,
  disableTotp,
  findSession,
  findApiIdentityByPerson,
  filterAdmins,
  changePassword,
  replaceRecoveryCodes,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: database.clock.at.getTime() });
const attemptSignIn = async () => {
  const half = await signIn(app, { login: "ana", password: PASSWORD, stay: true }, clientInfo(), "web");
  if (half.kind !== "second-step") throw new Error("A second step was expected.");
  return half.challengeToken;
};
const finish = (challengeToken: string, code: string) =>
  finishTwoFactor(app, challengeToken, code, clientInfo(), "web");

async function withSecondStep(role: SignedIn["role"] = "member") {
  const ana = await app.member({ username: "ana", role });
  const { secret, uri, qr } = await beginTotpSetup(app, ana, { proof: PASSWORD, sessionId: null });
  const { recoveryCodes } = await confirmTotpSetup(app, ana, codeOf(secret));
  database.clock.pass(30 * SECOND);
  return { ana, secret, uri, qr, recoveryCodes };
}

describe("two-factor sign-in", () => {
  test("can be set up with a QR code and a first code from the app", async () => {
    const { secret, uri, qr, recoveryCodes } = await withSecondStep();
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toContain("issuer=Kith");
    expect(qr).toMatch(/^<svg /);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "Two-factor authentication is on" });
  });

  test("cannot be set up without the password", async () => {
    const ana = await app.member({ username: "ana" });
    for (const proof of ["", "wrong password", "000000"])
      await expect(beginTotpSetup(app, ana, { proof, sessionId: null })).rejects.toMatchObject({
        fields: { proof: expect.any(String) },
      });
  });

  test("can be set up by people without a password only soon after signing in", async () => {
    const ana = await app.member({ username: "ana" });
    const signInResult = await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web");
    if (signInResult.kind !== "signed-in") throw new Error("Nothing else was to be asked for.");
    await run(database.db, sql`update people set password_hash = null where id = ${ana.id}`);
    const proof = { proof: "", sessionId: signInResult.session.id };
    expect(await beginTotpSetup(app, ana, proof)).toMatchObject({ secret: expect.any(String) });
    database.clock.pass(15 * MINUTE);
    await expect(beginTotpSetup(app, ana, proof)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(beginTotpSetup(app, ana, { proof: "", sessionId: null })).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("becomes active only after a first valid code", async () => {
    const ana = await app.member({ username: "ana" });
    await beginTotpSetup(app, ana, { proof: PASSWORD, sessionId: null });
    await expect(confirmTotpSetup(app, ana, "000000")).rejects.toMatchObject({
      fields: { code: expect.any(String) },
    });
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("encrypts the stored secret", async () => {
    const { secret } = await withSecondStep();
    const { bytes } = await one(
      database.db,
      sql<{ bytes: Buffer }>`select secret_sealed as bytes from totp_secrets`,
    );
    expect(bytes.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false);
  });

  test("accepts a code of the app only once", async () => {
    const { secret } = await withSecondStep();
    const code = codeOf(secret);
    expect(await finish(await attemptSignIn(), code)).toMatchObject({
      stay: true,
      token: expect.any(String),
    });
    await expect(finish(await attemptSignIn(), code)).rejects.toMatchObject({
      reason: "invalid",
      fields: { code: expect.any(String) },
    });
    database.clock.pass(30 * SECOND);
    expect(await finish(await attemptSignIn(), codeOf(secret))).toMatchObject({ token: expect.any(String) });
  });

  test("starts only one session if the same code is sent twice concurrently", async () => {
    const { secret } = await withSecondStep();
    const halves = [await attemptSignIn(), await attemptSignIn()];
    const both = await Promise.allSettled(halves.map((half) => finish(half, codeOf(secret))));
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("accepts a recovery code only once, in any spelling", async () => {
    const { recoveryCodes } = await withSecondStep();
    const code = recoveryCodes[3]!.toUpperCase().replaceAll("-", " ");
    expect(await finish(await attemptSignIn(), code)).toMatchObject({ token: expect.any(String) });
    await expect(finish(await attemptSignIn(), code)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("ends after five wrong codes, even if they are concurrent", async () => {
    const { secret } = await withSecondStep();
    const half = await attemptSignIn();
    const attempts = await Promise.allSettled(Array.from({ length: 9 }, () => finish(half, "000000")));
    const reasons = attempts.map(
      (it) => it.status === "rejected" && (it.reason as { reason: string }).reason,
    );
    expect(reasons.filter((reason) => reason === "invalid")).toHaveLength(5);
    expect(reasons.filter((reason) => reason === "gone")).toHaveLength(4);
    await expect(finish(half, codeOf(secret))).rejects.toMatchObject({ reason: "gone" });
  });

  test("expires after ten minutes", async () => {
    const { secret } = await withSecondStep();
    const half = await attemptSignIn();
    database.clock.pass(10 * MINUTE);
    await expect(finish(half, codeOf(secret))).rejects.toMatchObject({ reason: "gone" });
  });

  test("also applies after a sign-in link and after a password reset", async () => {
    await withSecondStep();
    const { browserSecret } = await sendSignInLink(app, "ana@example.org", clientInfo());
    const link = await app.tokenTo("ana@example.org");
    expect(await signInByLink(app, link, { browserSecret }, clientInfo(), "web")).toMatchObject({
      kind: "second-step",
    });
    database.clock.pass(SECOND);
    await sendResetLink(app, "ana@example.org", clientInfo());
    const password = "another seven hens";
    const reset = await resetPassword(
      app,
      await app.tokenTo("ana@example.org"),
      { password, again: password },
      clientInfo(),
      "web",
    );
    expect(reset).toMatchObject({ kind: "second-step" });
  });
});

describe("two-factor", () => {
  test("can be disabled with the password or a code, and a notice is sent", async () => {
    const { ana } = await withSecondStep();
    await expect(disableTotp(app, ana, "wrong password")).rejects.toMatchObject({
      fields: { proof: expect.any(String) },
    });
    await disableTotp(app, ana, PASSWORD);
    expect(await app.mailTo("ana@example.org")).toMatchObject({
      subject: "Two-factor authentication is off",
    });
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("cannot be disabled by staff where the settings require it", async () => {
    const { ana } = await withSecondStep("moderator");
    await app.set({ staffNeedSecondStep: true });
    await expect(disableTotp(app, ana, PASSWORD)).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("must be set up before acting as staff where the settings require it", async () => {
    const moe = await app.member({ username: "moe", role: "admin" });
    const signInResult = await signIn(app, { login: "moe", password: PASSWORD }, clientInfo(), "web");
    if (signInResult.kind !== "signed-in") throw new Error("Nothing more was to be asked.");
    const now = async () => {
      const { viewer, lacksStaffTwoFactor } = (await findSession(app, signInResult.session.token, "web"))!;
      const later = (await findApiIdentityByPerson(app, moe.id))!.viewer;
      return [viewer.role, later.role, lacksStaffTwoFactor, (await filterAdmins(app, [moe.id])).size];
    };
    expect(await now()).toEqual(["admin", "admin", false, 1]);
    await app.set({ staffNeedSecondStep: true });
    expect(await now()).toEqual(["member", "member", true, 0]);
    const { secret } = await beginTotpSetup(app, moe, { proof: PASSWORD, sessionId: null });
    expect(await now()).toEqual(["member", "member", true, 0]);
    await confirmTotpSetup(app, moe, codeOf(secret));
    expect(await now()).toEqual(["admin", "admin", false, 1]);
  });

  test("requirement does not affect people without a staff role", async () => {
    await app.member({ username: "ana" });
    await app.set({ staffNeedSecondStep: true });
    const signInResult = await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web");
    if (signInResult.kind !== "signed-in") throw new Error("Nothing more was to be asked.");
    expect(await findSession(app, signInResult.session.token, "web")).toMatchObject({
      viewer: { role: "member" },
      lacksStaffTwoFactor: false,
    });
  });

  test("requirement keeps the stricter password rules for staff who have not set it up", async () => {
    const moe = await app.member({ username: "moe", role: "moderator" });
    const asMember = { ...moe, role: "member" } as const;
    await expect(
      changePassword(app, asMember, { current: PASSWORD, password: "walnut 123 k" }, null),
    ).rejects.toMatchObject({
      reason: "invalid",
      fields: { password: expect.stringContaining("15") },
    });
  });

  test("cannot be set up with a second app while an app is confirmed", async () => {
    const { ana } = await withSecondStep();
    await expect(beginTotpSetup(app, ana, { proof: PASSWORD, sessionId: null })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("gets new recovery codes that replace the old codes", async () => {
    const { ana, recoveryCodes } = await withSecondStep();
    const fresh = await replaceRecoveryCodes(app, ana, PASSWORD);
    await expect(finish(await attemptSignIn(), recoveryCodes[0]!)).rejects.toMatchObject({
      reason: "invalid",
    });
    expect(await finish(await attemptSignIn(), fresh.recoveryCodes[0]!)).toMatchObject({
      token: expect.any(String),
    });
  });
});
