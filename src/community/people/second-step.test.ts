import { TOTP, Secret } from "otpauth";
import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../test/setup/database.ts";
import { from, PASSWORD, testHouse } from "./house.fixture.ts";

const database = await testDatabase();
const house = testHouse(database);

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: database.clock.at.getTime() });
const signIn = async () => {
  const half = await house.accounts.signIn({ login: "ana", password: PASSWORD, stay: true }, from(), "web");
  if (half.kind !== "second-step") throw new Error("A second step was expected.");
  return half.halfToken;
};
const finish = (halfToken: string, code: string) => house.accounts.finishSecondStep(halfToken, code, from(), "web");

async function withSecondStep(role: SignedIn["role"] = "member") {
  const ana = await house.member({ username: "ana", role });
  const { secret, uri, qr } = await house.accounts.beginTotp(ana, { proof: PASSWORD, sessionId: null });
  const { recoveryCodes } = await house.accounts.confirmTotp(ana, codeOf(secret));
  database.clock.pass(30 * SECOND);
  return { ana, secret, uri, qr, recoveryCodes };
}

describe("two-factor sign-in", () => {
  test("sets up with a QR code and a first code from the app", async () => {
    const { secret, uri, qr, recoveryCodes } = await withSecondStep();
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toContain("issuer=Kith");
    expect(qr).toMatch(/^<svg /);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await house.mailTo("ana@example.org")).toMatchObject({ subject: "Signing in now takes two steps" });
  });

  test("cannot be set up without the password at an unattended session", async () => {
    const ana = await house.member({ username: "ana" });
    for (const proof of ["", "wrong password", "000000"])
      await expect(house.accounts.beginTotp(ana, { proof, sessionId: null })).rejects.toMatchObject({
        fields: { proof: expect.any(String) },
      });
  });

  test("requires a recent sign-in of people without a password", async () => {
    const ana = await house.member({ username: "ana" });
    const came = await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web");
    if (came.kind !== "signed-in") throw new Error("Nothing else was to be asked for.");
    await run(database.db, sql`update people set password_hash = null where id = ${ana.id}`);
    const proof = { proof: "", sessionId: came.session.id };
    expect(await house.accounts.beginTotp(ana, proof)).toMatchObject({ secret: expect.any(String) });
    database.clock.pass(15 * MINUTE);
    await expect(house.accounts.beginTotp(ana, proof)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(house.accounts.beginTotp(ana, { proof: "", sessionId: null })).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("starts only after a first valid code", async () => {
    const ana = await house.member({ username: "ana" });
    await house.accounts.beginTotp(ana, { proof: PASSWORD, sessionId: null });
    await expect(house.accounts.confirmTotp(ana, "000000")).rejects.toMatchObject({ fields: { code: expect.any(String) } });
    expect(await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("stores the secret encrypted", async () => {
    const { secret } = await withSecondStep();
    const { bytes } = await one(database.db, sql<{ bytes: Buffer }>`select secret_sealed as bytes from totp_secrets`);
    expect(bytes.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false);
  });

  test("accepts an app code once", async () => {
    const { secret } = await withSecondStep();
    const code = codeOf(secret);
    expect(await finish(await signIn(), code)).toMatchObject({ stay: true, token: expect.any(String) });
    await expect(finish(await signIn(), code)).rejects.toMatchObject({ reason: "invalid", fields: { code: expect.any(String) } });
    database.clock.pass(30 * SECOND);
    expect(await finish(await signIn(), codeOf(secret))).toMatchObject({ token: expect.any(String) });
  });

  test("starts one session for one code sent twice at once", async () => {
    const { secret } = await withSecondStep();
    const halves = [await signIn(), await signIn()];
    const both = await Promise.allSettled(halves.map((half) => finish(half, codeOf(secret))));
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("accepts a recovery code once, in any spelling", async () => {
    const { recoveryCodes } = await withSecondStep();
    const code = recoveryCodes[3]!.toUpperCase().replaceAll("-", " ");
    expect(await finish(await signIn(), code)).toMatchObject({ token: expect.any(String) });
    await expect(finish(await signIn(), code)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("ends after five wrong codes, even concurrent ones", async () => {
    const { secret } = await withSecondStep();
    const half = await signIn();
    const tries = await Promise.allSettled(Array.from({ length: 9 }, () => finish(half, "000000")));
    const reasons = tries.map((it) => it.status === "rejected" && (it.reason as { reason: string }).reason);
    expect(reasons.filter((reason) => reason === "invalid")).toHaveLength(5);
    expect(reasons.filter((reason) => reason === "gone")).toHaveLength(4);
    await expect(finish(half, codeOf(secret))).rejects.toMatchObject({ reason: "gone" });
  });

  test("expires after ten minutes", async () => {
    const { secret } = await withSecondStep();
    const half = await signIn();
    database.clock.pass(10 * MINUTE);
    await expect(finish(half, codeOf(secret))).rejects.toMatchObject({ reason: "gone" });
  });

  test("applies after an email link and after a password reset, too", async () => {
    await withSecondStep();
    const { browserSecret } = await house.accounts.sendSignInLink("ana@example.org", from());
    const link = await house.tokenTo("ana@example.org");
    expect(await house.accounts.signInByLink(link, { browserSecret }, from(), "web")).toMatchObject({ kind: "second-step" });
    database.clock.pass(SECOND);
    await house.accounts.sendResetLink("ana@example.org", from());
    const password = "another seven hens";
    const reset = await house.accounts.resetPassword(await house.tokenTo("ana@example.org"), { password, again: password }, from(), "web");
    expect(reset).toMatchObject({ kind: "second-step" });
  });
});

describe("disabling two-factor", () => {
  test("requires the password or a code, and sends a notice", async () => {
    const { ana } = await withSecondStep();
    await expect(house.accounts.disableTotp(ana, "wrong password")).rejects.toMatchObject({ fields: { proof: expect.any(String) } });
    await house.accounts.disableTotp(ana, PASSWORD);
    expect(await house.mailTo("ana@example.org")).toMatchObject({ subject: "The second step is off" });
    expect(await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web")).toMatchObject({ kind: "signed-in" });
  });

  test("refuses staff where the settings require it", async () => {
    const { ana } = await withSecondStep("moderator");
    await house.set({ staffNeedSecondStep: true });
    await expect(house.accounts.disableTotp(ana, PASSWORD)).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("staff must set up two-factor before acting as staff where the settings require it", async () => {
    const moe = await house.member({ username: "moe", role: "admin" });
    const came = await house.accounts.signIn({ login: "moe", password: PASSWORD }, from(), "web");
    if (came.kind !== "signed-in") throw new Error("Nothing more was to be asked.");
    const now = async () => {
      const { viewer, staffRests } = (await house.accounts.sessionFor(came.session.token, "web"))!;
      const later = (await house.accounts.programAs(moe.id))!.viewer;
      return [viewer.role, later.role, staffRests, (await house.accounts.adminsAmong([moe.id])).size];
    };
    expect(await now()).toEqual(["admin", "admin", false, 1]);
    await house.set({ staffNeedSecondStep: true });
    expect(await now()).toEqual(["member", "member", true, 0]);
    const { secret } = await house.accounts.beginTotp(moe, { proof: PASSWORD, sessionId: null });
    expect(await now()).toEqual(["member", "member", true, 0]);
    await house.accounts.confirmTotp(moe, codeOf(secret));
    expect(await now()).toEqual(["admin", "admin", false, 1]);
  });

  test("requirement does not affect people without a staff role", async () => {
    await house.member({ username: "ana" });
    await house.set({ staffNeedSecondStep: true });
    const came = await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web");
    if (came.kind !== "signed-in") throw new Error("Nothing more was to be asked.");
    expect(await house.accounts.sessionFor(came.session.token, "web")).toMatchObject({ viewer: { role: "member" }, staffRests: false });
  });

  test("staff without two-factor keep the stricter password rules", async () => {
    const moe = await house.member({ username: "moe", role: "moderator" });
    const asMember = { ...moe, role: "member" } as const;
    await expect(house.accounts.changePassword(asMember, { current: PASSWORD, password: "walnut 123 k" }, null)).rejects.toMatchObject({
      reason: "invalid",
      fields: { password: expect.stringContaining("15") },
    });
  });

  test("refuses to set up another app while one is confirmed", async () => {
    const { ana } = await withSecondStep();
    await expect(house.accounts.beginTotp(ana, { proof: PASSWORD, sessionId: null })).rejects.toMatchObject({ reason: "conflict" });
  });

  test("new recovery codes replace the old ones", async () => {
    const { ana, recoveryCodes } = await withSecondStep();
    const fresh = await house.accounts.newRecoveryCodes(ana, PASSWORD);
    await expect(finish(await signIn(), recoveryCodes[0]!)).rejects.toMatchObject({ reason: "invalid" });
    expect(await finish(await signIn(), fresh.recoveryCodes[0]!)).toMatchObject({ token: expect.any(String) });
  });
});
