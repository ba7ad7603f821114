import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { deleteExpiredRows } from "../lifecycle/account-housekeeping.ts";
import { createAuthenticator, type WrongResponse } from "../../../../test/support/accounts/authenticator.ts";
import { PASSKEY_REFUSED, createPasskeySetup } from "../../../../test/support/accounts/passkey-setup.ts";
import {
  listPasskeys,
  listSessions,
  signIn,
  beginPasskeySignIn,
  signInWithPasskey,
  deactivateAccount,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { beginPasskey, addPasskeyOwner, attemptPasskeySignIn } = createPasskeySetup(app);

describe("passkey sign-in", () => {
  test("needs no name or password, and records the use", async () => {
    const { who, phone } = await addPasskeyOwner();
    expect(await attemptPasskeySignIn(phone)).toMatchObject({
      personId: who.id,
      stay: true,
      token: expect.any(String),
    });
    expect(await listPasskeys(app, who)).toMatchObject([{ usedAt: database.clock.at }]);
    expect(await listSessions(app, who)).toHaveLength(1);
  });

  test("sends a notice when the browser is new", async () => {
    const { phone } = await addPasskeyOwner();
    await signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web");
    const options = await beginPasskeySignIn(app, clientInfo());
    await signInWithPasskey(
      app,
      phone.sign(options),
      clientInfo("198.51.100.9", { userAgent: "Chrome/150 Windows" }),
      "web",
    );
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "New sign-in" });
  });

  test.each<[string, WrongResponse]>([
    ["another address", { origin: "https://kith.example" }],
    ["another site", { party: "kith.example" }],
    ["a person it did not verify", { verified: false }],
    ["no account", { handle: null }],
    ["another account", { handle: Buffer.alloc(16, 1).toString("base64url") }],
    ["a passkey whose counter went back", { counter: 1 }],
  ])("refuses a signature for %s", async (_what, wrong) => {
    const { phone } = await addPasskeyOwner();
    await attemptPasskeySignIn(phone, { counter: 5 });
    // The counter increases by default, so that only the named part of the signature is wrong.
    await expect(attemptPasskeySignIn(phone, { counter: 6, ...wrong })).rejects.toMatchObject(
      PASSKEY_REFUSED,
    );
    await expect(attemptPasskeySignIn(phone, { counter: 7 })).resolves.toMatchObject({
      token: expect.any(String),
    });
  });

  test("refuses an unknown key that claims a known passkey's id", async () => {
    const { phone } = await addPasskeyOwner();
    const options = await beginPasskeySignIn(app, clientInfo());
    const strange = JSON.parse(createAuthenticator().sign(options, { handle: phone.handle })) as {
      id: string;
      rawId: string;
    };
    const known = JSON.parse(phone.sign(options)) as { id: string };
    const forged = JSON.stringify({ ...strange, id: known.id, rawId: known.id });
    await expect(signInWithPasskey(app, forged, clientInfo(), "web")).rejects.toMatchObject(PASSKEY_REFUSED);
  });

  test("accepts devices without a counter", async () => {
    const { phone } = await addPasskeyOwner();
    await run(database.db, sql`update passkeys set counter = 0`);
    await attemptPasskeySignIn(phone, { counter: 0 });
    expect(await attemptPasskeySignIn(phone, { counter: 0 })).toMatchObject({ token: expect.any(String) });
  });

  test("accepts a signature only once, even concurrently, and only within five minutes", async () => {
    const { phone } = await addPasskeyOwner();
    const signed = phone.sign(await beginPasskeySignIn(app, clientInfo()));
    const come = () => signInWithPasskey(app, signed, clientInfo(), "web");
    const both = await Promise.allSettled([come(), come()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(come()).rejects.toMatchObject({ reason: "gone" });
    const late = phone.sign(await beginPasskeySignIn(app, clientInfo()));
    database.clock.pass(5 * MINUTE);
    await expect(signInWithPasskey(app, late, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("refuses a challenge issued for another purpose", async () => {
    const { who, phone } = await addPasskeyOwner();
    const signed = phone.sign(await beginPasskey(who));
    await expect(signInWithPasskey(app, signed, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test.each(["suspended", "unverified", "pending_approval"] as const)(
    "refuses an account that is %s, as with a password",
    async (state) => {
      const { who, phone } = await addPasskeyOwner();
      await run(database.db, sql`update people set state = ${state} where id = ${who.id}`);
      await expect(attemptPasskeySignIn(phone)).rejects.toMatchObject({ state });
    },
  );

  test("reactivates a deactivated account", async () => {
    const { who, phone } = await addPasskeyOwner();
    await deactivateAccount(app, who, PASSWORD);
    expect(await attemptPasskeySignIn(phone)).toMatchObject({ personId: who.id });
  });

  test("limits challenges per address", async () => {
    await Promise.all(Array.from({ length: 60 }, () => beginPasskeySignIn(app, clientInfo())));
    await expect(beginPasskeySignIn(app, clientInfo())).rejects.toMatchObject({ reason: "too-many" });
    expect(await beginPasskeySignIn(app, clientInfo("198.51.100.9"))).toMatchObject({
      rpId: "kith.test",
    });
  });

  test("deletes unused challenges", async () => {
    await beginPasskeySignIn(app, clientInfo());
    database.clock.pass(6 * MINUTE);
    await database.inTransaction(deleteExpiredRows);
    expect(await one(database.db, sql`select count(*)::int as n from passkey_challenges`)).toEqual({ n: 0 });
  });
});
