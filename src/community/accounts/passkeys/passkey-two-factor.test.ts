import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { getAccount } from "../profiles/own-account.ts";
import { createAuthenticator } from "../../../../test/support/accounts/authenticator.ts";
import {
  beginTotpSetup,
  confirmTotpSetup,
  beginPasskeyCreation,
  addPasskey,
  signIn,
  finishPasskeyTwoFactor,
  removePasskey,
  beginPasskeyTwoFactor,
  beginPasskeySignIn,
  signInWithPasskey,
  requirePasskey,
  finishTwoFactor,
  stopRequiringPasskey,
  disableTotp,
  findApiIdentityByPerson,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: database.clock.at.getTime() });

/** A person with both an authenticator app and a passkey. */
async function withBoth(username = "ana", role: SignedIn["role"] = "member") {
  const viewer = await app.member({ username, role });
  const { secret } = await beginTotpSetup(app, viewer, { proof: PASSWORD, sessionId: null });
  await confirmTotpSetup(app, viewer, codeOf(secret));
  database.clock.pass(30 * SECOND);
  const phone = createAuthenticator();
  const credential = phone.make(await beginPasskeyCreation(app, viewer, { proof: PASSWORD }, null));
  const { id } = await addPasskey(app, viewer, { name: "Phone", credential });
  return { who: viewer, phone, secret, id };
}

async function half(login = "ana") {
  const signInResult = await signIn(app, { login, password: PASSWORD, stay: true }, clientInfo(), "web");
  if (signInResult.kind !== "second-step") throw new Error("A second step was expected.");
  return signInResult;
}

const finish = (challengeToken: string, credential: string) =>
  finishPasskeyTwoFactor(app, challengeToken, credential, clientInfo(), "web");

describe("passkey as second factor", () => {
  test("appears as an option only if the person has a passkey", async () => {
    const { who: viewer, id } = await withBoth();
    expect((await half()).passkey).toBe(true);
    await removePasskey(app, viewer, id);
    const { passkey, challengeToken } = await half();
    expect(passkey).toBe(false);
    await expect(beginPasskeyTwoFactor(app, challengeToken, clientInfo())).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("completes the sign-in without a code, and works only once", async () => {
    const { who: viewer, phone } = await withBoth();
    const { challengeToken } = await half();
    const options = await beginPasskeyTwoFactor(app, challengeToken, clientInfo());
    expect(options.allowCredentials).toEqual([
      { id: expect.any(String), transports: ["internal"], type: "public-key" },
    ]);
    // An authenticator asked for a specific passkey need not name its user.
    const signed = phone.sign(options, { handle: null });
    expect(await finish(challengeToken, signed)).toMatchObject({ personId: viewer.id, stay: true });
    await expect(finish(challengeToken, signed)).rejects.toMatchObject({ reason: "gone" });
    await expect(finish((await half()).challengeToken, signed)).rejects.toMatchObject({ reason: "gone" });
  });

  test("must belong to the person who entered the password", async () => {
    await withBoth();
    const ben = await withBoth("ben");
    const { challengeToken } = await half();
    const signed = ben.phone.sign(await beginPasskeyTwoFactor(app, challengeToken, clientInfo()));
    await expect(finish(challengeToken, signed)).rejects.toMatchObject({ reason: "invalid" });
    const whole = ben.phone.sign(await beginPasskeySignIn(app, clientInfo()));
    await expect(finish(challengeToken, whole)).rejects.toMatchObject({ reason: "gone" });
  });

  test("accepts at most five attempts within ten minutes, like a code", async () => {
    const { phone } = await withBoth();
    const tried = await half();
    for (let tries = 0; tries < 5; tries++)
      await expect(finish(tried.challengeToken, "{}")).rejects.toMatchObject({ reason: "invalid" });
    const signed = phone.sign(await beginPasskeyTwoFactor(app, tried.challengeToken, clientInfo()));
    await expect(finish(tried.challengeToken, signed)).rejects.toMatchObject({ reason: "gone" });
    const late = await half();
    database.clock.pass(10 * MINUTE);
    await expect(beginPasskeyTwoFactor(app, late.challengeToken, clientInfo())).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("does not apply after a passkey sign-in", async () => {
    const { who: viewer, phone } = await withBoth();
    const signed = phone.sign(await beginPasskeySignIn(app, clientInfo()));
    expect(await signInWithPasskey(app, signed, clientInfo(), "web")).toMatchObject({
      personId: viewer.id,
      token: expect.any(String),
    });
  });
});

/** A person with a passkey and no app. */
async function withPasskey(role: SignedIn["role"] = "member") {
  const viewer = await app.member({ username: "ana", role });
  const phone = createAuthenticator();
  const add = async (device = createAuthenticator()) => {
    const credential = device.make(await beginPasskeyCreation(app, viewer, { proof: PASSWORD }, null));
    return (await addPasskey(app, viewer, { name: "Phone", credential })).id;
  };
  return { who: viewer, phone, add, id: await add(phone) };
}

describe("passkey requirement at sign-in", () => {
  test("applies only after the person turns it on", async () => {
    const { who: viewer, phone } = await withPasskey();
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    await expect(
      requirePasskey(app, viewer, { proof: "wrong password", sessionId: null }),
    ).rejects.toMatchObject({
      fields: { proof: expect.any(String) },
    });
    const { recoveryCodes } = await requirePasskey(app, viewer, { proof: PASSWORD, sessionId: null });
    expect(recoveryCodes).toHaveLength(10);
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "Two-factor authentication is on" });
    const { challengeToken, passkey } = await half();
    expect(passkey).toBe(true);
    expect(
      await finish(
        challengeToken,
        phone.sign(await beginPasskeyTwoFactor(app, challengeToken, clientInfo())),
      ),
    ).toMatchObject({
      personId: viewer.id,
    });
    const again = await half();
    expect(
      await finishTwoFactor(app, again.challengeToken, recoveryCodes![0]!, clientInfo(), "web"),
    ).toMatchObject({
      personId: viewer.id,
    });
  });

  test("cannot be turned on without a passkey", async () => {
    const ana = await app.member({ username: "ana" });
    await expect(requirePasskey(app, ana, { proof: PASSWORD, sessionId: null })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("prevents the removal of the last passkey until it is turned off", async () => {
    const { who: viewer, id, add } = await withPasskey();
    await requirePasskey(app, viewer, { proof: PASSWORD, sessionId: null });
    await expect(removePasskey(app, viewer, id)).rejects.toMatchObject({ reason: "conflict" });
    await add();
    await removePasskey(app, viewer, id);
    await stopRequiringPasskey(app, viewer, PASSWORD);
    expect(await app.mailTo("ana@example.org")).toMatchObject({
      subject: "Two-factor authentication is off",
    });
    expect(await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
    expect(await getAccount(database.db, viewer, viewer.id)).toMatchObject({
      passkeyStep: false,
      recoveryCodesLeft: 0,
    });
  });

  test("satisfies the two-factor requirement for staff in place of an authenticator app", async () => {
    const { who: viewer, secret } = await withBoth("ana", "moderator");
    await app.set({ staffNeedSecondStep: true });
    await expect(disableTotp(app, viewer, PASSWORD)).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await requirePasskey(app, viewer, { proof: PASSWORD, sessionId: null })).toEqual({
      recoveryCodes: null,
    });
    await disableTotp(app, viewer, PASSWORD);
    expect(await getAccount(database.db, viewer, viewer.id)).toMatchObject({
      secondStep: false,
      passkeyStep: true,
      recoveryCodesLeft: 10,
    });
    expect(await half()).toMatchObject({ passkey: true });
    // A passkey satisfies the two-factor requirement for staff.
    expect((await findApiIdentityByPerson(app, viewer.id))!.viewer.role).toBe("moderator");
    await expect(
      finishTwoFactor(app, (await half()).challengeToken, codeOf(secret), clientInfo(), "web"),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    await expect(stopRequiringPasskey(app, viewer, PASSWORD)).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("does not prevent the removal of the last passkey if an authenticator app remains", async () => {
    const { who: viewer, id } = await withBoth();
    await requirePasskey(app, viewer, { proof: PASSWORD, sessionId: null });
    await removePasskey(app, viewer, id);
    expect(await getAccount(database.db, viewer, viewer.id)).toMatchObject({
      secondStep: true,
      passkeyStep: false,
    });
    expect(await half()).toMatchObject({ passkey: false });
  });
});
