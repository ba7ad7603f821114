import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/setup/database.ts";
import { from, PASSWORD, testHouse } from "../house.fixture.ts";
import { authenticator } from "./authenticator.fixture.ts";

const database = await testDatabase();
const house = testHouse(database);

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: database.clock.at.getTime() });

/** Somebody whose password is followed by a code, and who has a passkey besides. */
async function withBoth(username = "ana") {
  const who = await house.member({ username });
  const { secret } = await house.accounts.beginTotp(who);
  await house.accounts.confirmTotp(who, codeOf(secret));
  database.clock.pass(30 * SECOND);
  const phone = authenticator();
  const credential = phone.make(await house.accounts.beginPasskey(who, { proof: PASSWORD }, null));
  const { id } = await house.accounts.addPasskey(who, { name: "Phone", credential });
  return { who, phone, secret, id };
}

async function half(login = "ana") {
  const came = await house.accounts.signIn({ login, password: PASSWORD, stay: true }, from(), "web");
  if (came.kind !== "second-step") throw new Error("A second step was expected.");
  return came;
}

const finish = (halfToken: string, credential: string) => house.accounts.finishWithPasskey(halfToken, credential, from(), "web");

describe("a passkey as the second step", () => {
  test("is offered to whoever has one", async () => {
    const { who, id } = await withBoth();
    expect((await half()).passkey).toBe(true);
    await house.accounts.removePasskey(who, id);
    const { passkey, halfToken } = await half();
    expect(passkey).toBe(false);
    await expect(house.accounts.beginPasskeyStep(halfToken, from())).rejects.toMatchObject({ reason: "conflict" });
  });

  test("lets in, once, in the place of a code", async () => {
    const { who, phone } = await withBoth();
    const { halfToken } = await half();
    const options = await house.accounts.beginPasskeyStep(halfToken, from());
    expect(options.allowCredentials).toEqual([{ id: expect.any(String), transports: ["internal"], type: "public-key" }]);
    // A device that is asked for a certain passkey need not say whose it is.
    const signed = phone.sign(options, { handle: null });
    expect(await finish(halfToken, signed)).toMatchObject({ personId: who.id, stay: true });
    await expect(finish(halfToken, signed)).rejects.toMatchObject({ reason: "gone" });
    await expect(finish((await half()).halfToken, signed)).rejects.toMatchObject({ reason: "gone" });
  });

  test("is that of whoever gave the password, and of nobody else", async () => {
    await withBoth();
    const ben = await withBoth("ben");
    const { halfToken } = await half();
    const signed = ben.phone.sign(await house.accounts.beginPasskeyStep(halfToken, from()));
    await expect(finish(halfToken, signed)).rejects.toMatchObject({ reason: "invalid" });
    const whole = ben.phone.sign(await house.accounts.beginPasskeySignIn(from()));
    await expect(finish(halfToken, whole)).rejects.toMatchObject({ reason: "gone" });
  });

  test("ends after five tries and after ten minutes, as with codes", async () => {
    const { phone } = await withBoth();
    const tried = await half();
    for (let tries = 0; tries < 5; tries++) await expect(finish(tried.halfToken, "{}")).rejects.toMatchObject({ reason: "invalid" });
    const signed = phone.sign(await house.accounts.beginPasskeyStep(tried.halfToken, from()));
    await expect(finish(tried.halfToken, signed)).rejects.toMatchObject({ reason: "gone" });
    const late = await half();
    database.clock.pass(10 * MINUTE);
    await expect(house.accounts.beginPasskeyStep(late.halfToken, from())).rejects.toMatchObject({ reason: "gone" });
  });

  test("is not asked for after a passkey: that was both steps", async () => {
    const { who, phone } = await withBoth();
    const signed = phone.sign(await house.accounts.beginPasskeySignIn(from()));
    expect(await house.accounts.signInWithPasskey(signed, from(), "web")).toMatchObject({ personId: who.id, token: expect.any(String) });
  });
});
