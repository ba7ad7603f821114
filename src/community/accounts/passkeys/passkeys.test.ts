import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { deleteExpiredRows } from "../lifecycle/account-housekeeping.ts";
import { createAuthenticator, type WrongResponse } from "../../../../test/support/accounts/authenticator.ts";

const database = await testDatabase();
let address = "https://kith.test";
const app = createAccountsContext(database, { origin: () => address });

const begin = (who: SignedIn, proof = PASSWORD) => app.accounts.beginPasskey(who, { proof }, null);

/** A person with a passkey on a phone. */
async function withPasskey(username = "ana") {
  const who = await app.member({ username });
  const phone = createAuthenticator(address);
  const { id } = await app.accounts.addPasskey(who, {
    name: "This phone",
    credential: phone.make(await begin(who)),
  });
  return { who, phone, id };
}

const enter = async (phone: ReturnType<typeof createAuthenticator>, wrong: WrongResponse = {}) =>
  app.accounts.signInWithPasskey(
    phone.sign(await app.accounts.beginPasskeySignIn(clientInfo()), wrong),
    clientInfo(),
    "web",
  );

const DOES_NOT_FIT = { reason: "invalid", message: "This passkey does not work here." };

describe("passkey", () => {
  test("adding requires the password and sends a notice", async () => {
    const { who } = await withPasskey();
    expect(await app.accounts.passkeysOf(who)).toMatchObject([
      { name: "This phone", usedAt: null, here: true },
    ]);
    expect(await app.mailTo("ana@example.org")).toMatchObject({
      subject: "A passkey was added",
      text: expect.stringContaining("This phone"),
    });
    expect(await app.events("person.security")).toMatchObject([{ personId: who.id, what: "passkeyAdded" }]);
  });

  test("adding fails without the password", async () => {
    const ana = await app.member({ username: "ana" });
    await expect(begin(ana, "wrong password")).rejects.toMatchObject({
      reason: "invalid",
      fields: { proof: expect.any(String) },
    });
    expect(await many(database.db, sql`select 1 from passkey_challenges`)).toEqual([]);
  });

  test("adding without a password requires a recent session", async () => {
    const ana = await app.member({ username: "ana", passwordHash: null });
    const { browserSecret } = await app.accounts.sendSignInLink("ana@example.org", clientInfo());
    const came = await app.accounts.signInByLink(
      await app.tokenTo("ana@example.org"),
      { browserSecret },
      clientInfo(),
      "web",
    );
    const session = came.kind === "signed-in" ? came.session.id : null;
    expect(await app.accounts.beginPasskey(ana, { proof: "" }, session)).toMatchObject({
      rp: { id: "kith.test" },
    });
    database.clock.pass(16 * MINUTE);
    await expect(app.accounts.beginPasskey(ana, { proof: "" }, session)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(app.accounts.beginPasskey(ana, { proof: "" }, null)).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test.each<[string, WrongResponse]>([
    ["at another address", { origin: "https://kith.example" }],
    ["for another house", { party: "kith.example" }],
    ["without a look at who it is", { verified: false }],
  ])("refuses one that was made %s", async (_what, wrong) => {
    const ana = await app.member({ username: "ana" });
    const credential = createAuthenticator().make(await begin(ana), wrong);
    await expect(app.accounts.addPasskey(ana, { name: "Phone", credential })).rejects.toMatchObject(
      DOES_NOT_FIT,
    );
    expect(await app.accounts.passkeysOf(ana)).toEqual([]);
  });

  test("challenge works once, within five minutes, for its requester only", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const options = await begin(ana);
    const add = (who: SignedIn, credential = createAuthenticator().make(options)) =>
      app.accounts.addPasskey(who, { name: "Phone", credential });
    await expect(add(ben)).rejects.toMatchObject({ reason: "gone" });
    await add(ana);
    await expect(add(ana)).rejects.toMatchObject({ reason: "gone" });
    const late = createAuthenticator().make(await begin(ana));
    database.clock.pass(5 * MINUTE);
    await expect(add(ana, late)).rejects.toMatchObject({ reason: "gone" });
  });

  test("already registered on another account is refused", async () => {
    const { phone } = await withPasskey();
    const ben = await app.member({ username: "ben" });
    const credential = phone.make(await begin(ben));
    await expect(app.accounts.addPasskey(ben, { name: "Mine", credential })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test.each(["", "nothing", "{}", '{"id":"x"}', "null"])("refuses to parse %j", async (credential) => {
    const ana = await app.member({ username: "ana" });
    await expect(app.accounts.addPasskey(ana, { name: "Phone", credential })).rejects.toMatchObject(
      DOES_NOT_FIT,
    );
    await expect(app.accounts.signInWithPasskey(credential, clientInfo(), "web")).rejects.toMatchObject(
      DOES_NOT_FIT,
    );
  });

  test("limits a person to ten", async () => {
    const { who } = await withPasskey();
    const eleventh = await begin(who);
    await run(
      database.db,
      sql`insert into passkeys (id, person_id, credential_id, name, public_key, party, added_at)
          select gen_random_uuid(), person_id, credential_id || n::text::bytea, name, public_key, party, added_at from passkeys, generate_series(1, 9) n`,
    );
    await expect(begin(who)).rejects.toMatchObject({ reason: "conflict" });
    const credential = createAuthenticator().make(eleventh);
    await expect(app.accounts.addPasskey(who, { name: "Phone", credential })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("only the owner can rename and remove it", async () => {
    const { who, id, phone } = await withPasskey();
    const ben = await app.member({ username: "ben" });
    const strange = [
      () => app.accounts.renamePasskey(ben, id, "Mine"),
      () => app.accounts.removePasskey(ben, id),
      () => app.accounts.removePasskey(who, "x"),
    ];
    for (const deed of strange) await expect(deed()).rejects.toMatchObject({ reason: "not-found" });
    await expect(app.accounts.renamePasskey(who, id, " \u0000 ")).rejects.toMatchObject({
      fields: { name: expect.any(String) },
    });
    await app.accounts.renamePasskey(who, id, " The  phone ");
    expect(await app.accounts.passkeysOf(who)).toMatchObject([{ name: "The phone" }]);
    expect(await app.accounts.passkeysOf(ben)).toEqual([]);
    await app.accounts.removePasskey(who, id);
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "A passkey was removed" });
    await expect(enter(phone)).rejects.toMatchObject(DOES_NOT_FIT);
  });
});

describe("passkey sign-in", () => {
  test("needs no name or password, and records the use", async () => {
    const { who, phone } = await withPasskey();
    expect(await enter(phone)).toMatchObject({ personId: who.id, stay: true, token: expect.any(String) });
    expect(await app.accounts.passkeysOf(who)).toMatchObject([{ usedAt: database.clock.at }]);
    expect(await app.accounts.sessionsOf(who)).toHaveLength(1);
  });

  test("sends a notice for a new browser", async () => {
    const { phone } = await withPasskey();
    await app.accounts.signIn({ login: "ana", password: PASSWORD }, clientInfo(), "web");
    const options = await app.accounts.beginPasskeySignIn(clientInfo());
    await app.accounts.signInWithPasskey(
      phone.sign(options),
      clientInfo("198.51.100.9", { userAgent: "Chrome/150 Windows" }),
      "web",
    );
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "New sign-in" });
  });

  test.each<[string, WrongResponse]>([
    ["another address", { origin: "https://kith.example" }],
    ["another house", { party: "kith.example" }],
    ["somebody that it did not look at", { verified: false }],
    ["nobody", { handle: null }],
    ["somebody else", { handle: Buffer.alloc(16, 1).toString("base64url") }],
    ["a copy that has fallen behind", { counter: 1 }],
  ])("refuses a signature for %s", async (_what, wrong) => {
    const { phone } = await withPasskey();
    await enter(phone, { counter: 5 });
    // Nothing else is wrong: the counter increases.
    await expect(enter(phone, { counter: 6, ...wrong })).rejects.toMatchObject(DOES_NOT_FIT);
    await expect(enter(phone, { counter: 7 })).resolves.toMatchObject({ token: expect.any(String) });
  });

  test("refuses an unknown key that claims a known passkey's id", async () => {
    const { phone } = await withPasskey();
    const options = await app.accounts.beginPasskeySignIn(clientInfo());
    const strange = JSON.parse(createAuthenticator().sign(options, { handle: phone.handle })) as {
      id: string;
      rawId: string;
    };
    const known = JSON.parse(phone.sign(options)) as { id: string };
    const forged = JSON.stringify({ ...strange, id: known.id, rawId: known.id });
    await expect(app.accounts.signInWithPasskey(forged, clientInfo(), "web")).rejects.toMatchObject(
      DOES_NOT_FIT,
    );
  });

  test("accepts devices without a counter", async () => {
    const { phone } = await withPasskey();
    await run(database.db, sql`update passkeys set counter = 0`);
    await enter(phone, { counter: 0 });
    expect(await enter(phone, { counter: 0 })).toMatchObject({ token: expect.any(String) });
  });

  test("accepts a signature once, even concurrently, within five minutes", async () => {
    const { phone } = await withPasskey();
    const signed = phone.sign(await app.accounts.beginPasskeySignIn(clientInfo()));
    const come = () => app.accounts.signInWithPasskey(signed, clientInfo(), "web");
    const both = await Promise.allSettled([come(), come()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(come()).rejects.toMatchObject({ reason: "gone" });
    const late = phone.sign(await app.accounts.beginPasskeySignIn(clientInfo()));
    database.clock.pass(5 * MINUTE);
    await expect(app.accounts.signInWithPasskey(late, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("refuses a challenge issued for another purpose", async () => {
    const { who, phone } = await withPasskey();
    const signed = phone.sign(await begin(who));
    await expect(app.accounts.signInWithPasskey(signed, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test.each(["suspended", "unverified", "pending_approval"] as const)(
    "refuses an account that is %s, as with a password",
    async (state) => {
      const { who, phone } = await withPasskey();
      await run(database.db, sql`update people set state = ${state} where id = ${who.id}`);
      await expect(enter(phone)).rejects.toMatchObject({ state });
    },
  );

  test("reactivates a deactivated account", async () => {
    const { who, phone } = await withPasskey();
    await app.accounts.deactivate(who, PASSWORD);
    expect(await enter(phone)).toMatchObject({ personId: who.id });
  });

  test("limits challenges per address", async () => {
    await Promise.all(Array.from({ length: 60 }, () => app.accounts.beginPasskeySignIn(clientInfo())));
    await expect(app.accounts.beginPasskeySignIn(clientInfo())).rejects.toMatchObject({ reason: "too-many" });
    expect(await app.accounts.beginPasskeySignIn(clientInfo("198.51.100.9"))).toMatchObject({
      rpId: "kith.test",
    });
  });

  test("leaves no unused challenges behind", async () => {
    await app.accounts.beginPasskeySignIn(clientInfo());
    database.clock.pass(6 * MINUTE);
    await database.inTransaction(deleteExpiredRows);
    expect(await one(database.db, sql`select count(*)::int as n from passkey_challenges`)).toEqual({ n: 0 });
  });
});

describe("relying party", () => {
  test("refuses a passkey made for another address and shows its owner why", async () => {
    const { who, phone } = await withPasskey();
    address = "https://new.test";
    try {
      await expect(enter(phone)).rejects.toMatchObject(DOES_NOT_FIT);
      expect(await app.accounts.passkeysOf(who)).toMatchObject([{ here: false, party: "kith.test" }]);
    } finally {
      address = "https://kith.test";
    }
  });

  test.each([
    ["https://kith.test", true],
    ["https://kith.test:8443", true],
    ["http://localhost:8080", true],
    ["http://kith.test", false],
    ["http://127.0.0.1:8080", false],
    ["https://[::1]:8080", false],
  ])("%s: %s", async (where, takes) => {
    address = where;
    try {
      expect(app.accounts.takesPasskeys()).toBe(takes);
      const asked = app.accounts.beginPasskeySignIn(clientInfo());
      await (takes
        ? expect(asked).resolves.toMatchObject({ rpId: new URL(where).hostname })
        : expect(asked).rejects.toMatchObject({ reason: "unavailable" }));
    } finally {
      address = "https://kith.test";
    }
  });
});
