import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { clientInfo, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import { createAuthenticator, type WrongResponse } from "../../../../test/support/accounts/authenticator.ts";
import { PASSKEY_REFUSED, createPasskeySetup } from "../../../../test/support/accounts/passkey-setup.ts";
import {
  listPasskeys,
  sendSignInLink,
  signInByLink,
  beginPasskeyCreation,
  addPasskey,
  signInWithPasskey,
  renamePasskey,
  removePasskey,
  supportsPasskeys,
  beginPasskeySignIn,
} from "../index.ts";

const database = await testDatabase();
let address = "https://kith.test";
const app = createAccountsContext(database, { origin: () => address });
const { beginPasskey, addPasskeyOwner, attemptPasskeySignIn } = createPasskeySetup(app);

describe("passkey", () => {
  test("can be added only with the password, and the owner gets a notice", async () => {
    const { who } = await addPasskeyOwner();
    expect(await listPasskeys(app, who)).toMatchObject([{ name: "This phone", usedAt: null, here: true }]);
    expect(await app.mailTo("ana@example.org")).toMatchObject({
      subject: "A passkey was added",
      text: expect.stringContaining("This phone"),
    });
    expect(await app.events("person.security")).toMatchObject([{ personId: who.id, what: "passkeyAdded" }]);
  });

  test("cannot be added with a wrong password", async () => {
    const ana = await app.member({ username: "ana" });
    await expect(beginPasskey(ana, "wrong password")).rejects.toMatchObject({
      reason: "invalid",
      fields: { proof: expect.any(String) },
    });
    expect(await many(database.db, sql`select 1 from passkey_challenges`)).toEqual([]);
  });

  test("can be added without a password only in a recent session", async () => {
    const ana = await app.member({ username: "ana", passwordHash: null });
    const { browserSecret } = await sendSignInLink(app, "ana@example.org", clientInfo());
    const signInResult = await signInByLink(
      app,
      await app.tokenTo("ana@example.org"),
      { browserSecret },
      clientInfo(),
      "web",
    );
    const session = signInResult.kind === "signed-in" ? signInResult.session.id : null;
    expect(await beginPasskeyCreation(app, ana, { proof: "" }, session)).toMatchObject({
      rp: { id: "kith.test" },
    });
    database.clock.pass(16 * MINUTE);
    await expect(beginPasskeyCreation(app, ana, { proof: "" }, session)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(beginPasskeyCreation(app, ana, { proof: "" }, null)).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test.each<[string, WrongResponse]>([
    ["at another address", { origin: "https://kith.example" }],
    ["for another site", { party: "kith.example" }],
    ["without user verification", { verified: false }],
  ])("made %s is refused", async (_what, wrong) => {
    const ana = await app.member({ username: "ana" });
    const credential = createAuthenticator().make(await beginPasskey(ana), wrong);
    await expect(addPasskey(app, ana, { name: "Phone", credential })).rejects.toMatchObject(PASSKEY_REFUSED);
    expect(await listPasskeys(app, ana)).toEqual([]);
  });

  test("needs an unused challenge of the last five minutes, issued to the same person", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const options = await beginPasskey(ana);
    const add = (who: SignedIn, credential = createAuthenticator().make(options)) =>
      addPasskey(app, who, { name: "Phone", credential });
    await expect(add(ben)).rejects.toMatchObject({ reason: "gone" });
    await add(ana);
    await expect(add(ana)).rejects.toMatchObject({ reason: "gone" });
    const late = createAuthenticator().make(await beginPasskey(ana));
    database.clock.pass(5 * MINUTE);
    await expect(add(ana, late)).rejects.toMatchObject({ reason: "gone" });
  });

  test("already registered on another account is refused", async () => {
    const { phone } = await addPasskeyOwner();
    const ben = await app.member({ username: "ben" });
    const credential = phone.make(await beginPasskey(ben));
    await expect(addPasskey(app, ben, { name: "Mine", credential })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test.each(["", "nothing", "{}", '{"id":"x"}', "null"])("cannot be parsed from %j", async (credential) => {
    const ana = await app.member({ username: "ana" });
    await expect(addPasskey(app, ana, { name: "Phone", credential })).rejects.toMatchObject(PASSKEY_REFUSED);
    await expect(signInWithPasskey(app, credential, clientInfo(), "web")).rejects.toMatchObject(
      PASSKEY_REFUSED,
    );
  });

  test("limit is ten per person", async () => {
    const { who } = await addPasskeyOwner();
    const eleventh = await beginPasskey(who);
    await run(
      database.db,
      sql`insert into passkeys (id, person_id, credential_id, name, public_key, party, added_at)
          select gen_random_uuid(), person_id, credential_id || n::text::bytea, name, public_key, party,
            added_at from passkeys, generate_series(1, 9) n`,
    );
    await expect(beginPasskey(who)).rejects.toMatchObject({ reason: "conflict" });
    const credential = createAuthenticator().make(eleventh);
    await expect(addPasskey(app, who, { name: "Phone", credential })).rejects.toMatchObject({
      reason: "conflict",
    });
  });

  test("can be renamed and removed by its owner only", async () => {
    const { who, id, phone } = await addPasskeyOwner();
    const ben = await app.member({ username: "ben" });
    const strange = [
      () => renamePasskey(app, ben, id, "Mine"),
      () => removePasskey(app, ben, id),
      () => removePasskey(app, who, "x"),
    ];
    for (const deed of strange) await expect(deed()).rejects.toMatchObject({ reason: "not-found" });
    await expect(renamePasskey(app, who, id, " \u0000 ")).rejects.toMatchObject({
      fields: { name: expect.any(String) },
    });
    await renamePasskey(app, who, id, " The  phone ");
    expect(await listPasskeys(app, who)).toMatchObject([{ name: "The phone" }]);
    expect(await listPasskeys(app, ben)).toEqual([]);
    await removePasskey(app, who, id);
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "A passkey was removed" });
    await expect(attemptPasskeySignIn(phone)).rejects.toMatchObject(PASSKEY_REFUSED);
  });
});

describe("relying party", () => {
  test("refuses a passkey of another address and marks it in the owner's list", async () => {
    const { who, phone } = await addPasskeyOwner();
    address = "https://new.test";
    try {
      await expect(attemptPasskeySignIn(phone)).rejects.toMatchObject(PASSKEY_REFUSED);
      expect(await listPasskeys(app, who)).toMatchObject([{ here: false, party: "kith.test" }]);
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
  ])("at %s supports passkeys: %s", async (where, takes) => {
    address = where;
    try {
      expect(supportsPasskeys(app.origin())).toBe(takes);
      const challenge = beginPasskeySignIn(app, clientInfo());
      await (takes
        ? expect(challenge).resolves.toMatchObject({ rpId: new URL(where).hostname })
        : expect(challenge).rejects.toMatchObject({ reason: "unavailable" }));
    } finally {
      address = "https://kith.test";
    }
  });
});
