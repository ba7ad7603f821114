import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/setup/database.ts";
import { from, PASSWORD, testHouse } from "../house.fixture.ts";
import { purgeExpired } from "../housekeeping.ts";
import { authenticator, type Wrong } from "./authenticator.fixture.ts";

const database = await testDatabase();
let address = "https://kith.test";
const house = testHouse(database, { origin: () => address });

const begin = (who: SignedIn, proof = PASSWORD) => house.accounts.beginPasskey(who, { proof }, null);

/** A person with a passkey on a phone. */
async function withPasskey(username = "ana") {
  const who = await house.member({ username });
  const phone = authenticator(address);
  const { id } = await house.accounts.addPasskey(who, { name: "This phone", credential: phone.make(await begin(who)) });
  return { who, phone, id };
}

const enter = async (phone: ReturnType<typeof authenticator>, wrong: Wrong = {}) =>
  house.accounts.signInWithPasskey(phone.sign(await house.accounts.beginPasskeySignIn(from()), wrong), from(), "web");

const DOES_NOT_FIT = { reason: "invalid", message: "That passkey does not fit here." };

describe("passkey", () => {
  test("adding requires the password and sends a notice", async () => {
    const { who } = await withPasskey();
    expect(await house.accounts.passkeysOf(who)).toMatchObject([{ name: "This phone", usedAt: null, here: true }]);
    expect(await house.mailTo("ana@example.org")).toMatchObject({
      subject: "A passkey was added",
      text: expect.stringContaining("This phone"),
    });
    expect(await house.events("person.security")).toMatchObject([{ personId: who.id, what: "passkeyAdded" }]);
  });

  test("adding fails without the password", async () => {
    const ana = await house.member({ username: "ana" });
    await expect(begin(ana, "wrong password")).rejects.toMatchObject({ reason: "invalid", fields: { proof: expect.any(String) } });
    expect(await many(database.db, sql`select 1 from passkey_challenges`)).toEqual([]);
  });

  test("adding without a password requires a recent session", async () => {
    const ana = await house.member({ username: "ana", passwordHash: null });
    const { browserSecret } = await house.accounts.sendSignInLink("ana@example.org", from());
    const came = await house.accounts.signInByLink(await house.tokenTo("ana@example.org"), { browserSecret }, from(), "web");
    const session = came.kind === "signed-in" ? came.session.id : null;
    expect(await house.accounts.beginPasskey(ana, { proof: "" }, session)).toMatchObject({ rp: { id: "kith.test" } });
    database.clock.pass(16 * MINUTE);
    await expect(house.accounts.beginPasskey(ana, { proof: "" }, session)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(house.accounts.beginPasskey(ana, { proof: "" }, null)).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test.each<[string, Wrong]>([
    ["at another address", { origin: "https://kith.example" }],
    ["for another house", { party: "kith.example" }],
    ["without a look at who it is", { verified: false }],
  ])("refuses one that was made %s", async (_what, wrong) => {
    const ana = await house.member({ username: "ana" });
    const credential = authenticator().make(await begin(ana), wrong);
    await expect(house.accounts.addPasskey(ana, { name: "Phone", credential })).rejects.toMatchObject(DOES_NOT_FIT);
    expect(await house.accounts.passkeysOf(ana)).toEqual([]);
  });

  test("challenge works once, within five minutes, for its requester only", async () => {
    const [ana, ben] = [await house.member({ username: "ana" }), await house.member({ username: "ben" })];
    const options = await begin(ana);
    const add = (who: SignedIn, credential = authenticator().make(options)) =>
      house.accounts.addPasskey(who, { name: "Phone", credential });
    await expect(add(ben)).rejects.toMatchObject({ reason: "gone" });
    await add(ana);
    await expect(add(ana)).rejects.toMatchObject({ reason: "gone" });
    const late = authenticator().make(await begin(ana));
    database.clock.pass(5 * MINUTE);
    await expect(add(ana, late)).rejects.toMatchObject({ reason: "gone" });
  });

  test("already registered on another account is refused", async () => {
    const { phone } = await withPasskey();
    const ben = await house.member({ username: "ben" });
    const credential = phone.make(await begin(ben));
    await expect(house.accounts.addPasskey(ben, { name: "Mine", credential })).rejects.toMatchObject({ reason: "conflict" });
  });

  test.each(["", "nothing", "{}", '{"id":"x"}', "null"])("refuses to parse %j", async (credential) => {
    const ana = await house.member({ username: "ana" });
    await expect(house.accounts.addPasskey(ana, { name: "Phone", credential })).rejects.toMatchObject(DOES_NOT_FIT);
    await expect(house.accounts.signInWithPasskey(credential, from(), "web")).rejects.toMatchObject(DOES_NOT_FIT);
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
    const credential = authenticator().make(eleventh);
    await expect(house.accounts.addPasskey(who, { name: "Phone", credential })).rejects.toMatchObject({ reason: "conflict" });
  });

  test("only the owner can rename and remove it", async () => {
    const { who, id, phone } = await withPasskey();
    const ben = await house.member({ username: "ben" });
    const strange = [
      () => house.accounts.renamePasskey(ben, id, "Mine"),
      () => house.accounts.removePasskey(ben, id),
      () => house.accounts.removePasskey(who, "x"),
    ];
    for (const deed of strange) await expect(deed()).rejects.toMatchObject({ reason: "not-found" });
    await expect(house.accounts.renamePasskey(who, id, " \u0000 ")).rejects.toMatchObject({ fields: { name: expect.any(String) } });
    await house.accounts.renamePasskey(who, id, " The  phone ");
    expect(await house.accounts.passkeysOf(who)).toMatchObject([{ name: "The phone" }]);
    expect(await house.accounts.passkeysOf(ben)).toEqual([]);
    await house.accounts.removePasskey(who, id);
    expect(await house.mailTo("ana@example.org")).toMatchObject({ subject: "A passkey was removed" });
    await expect(enter(phone)).rejects.toMatchObject(DOES_NOT_FIT);
  });
});

describe("passkey sign-in", () => {
  test("needs no name or password, and records the use", async () => {
    const { who, phone } = await withPasskey();
    expect(await enter(phone)).toMatchObject({ personId: who.id, stay: true, token: expect.any(String) });
    expect(await house.accounts.passkeysOf(who)).toMatchObject([{ usedAt: database.clock.at }]);
    expect(await house.accounts.sessionsOf(who)).toHaveLength(1);
  });

  test("sends a notice for a new browser", async () => {
    const { phone } = await withPasskey();
    await house.accounts.signIn({ login: "ana", password: PASSWORD }, from(), "web");
    const options = await house.accounts.beginPasskeySignIn(from());
    await house.accounts.signInWithPasskey(phone.sign(options), from("198.51.100.9", { userAgent: "Chrome/150 Windows" }), "web");
    expect(await house.mailTo("ana@example.org")).toMatchObject({ subject: "A new sign-in" });
  });

  test.each<[string, Wrong]>([
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
    const options = await house.accounts.beginPasskeySignIn(from());
    const strange = JSON.parse(authenticator().sign(options, { handle: phone.handle })) as { id: string; rawId: string };
    const known = JSON.parse(phone.sign(options)) as { id: string };
    const forged = JSON.stringify({ ...strange, id: known.id, rawId: known.id });
    await expect(house.accounts.signInWithPasskey(forged, from(), "web")).rejects.toMatchObject(DOES_NOT_FIT);
  });

  test("accepts devices without a counter", async () => {
    const { phone } = await withPasskey();
    await run(database.db, sql`update passkeys set counter = 0`);
    await enter(phone, { counter: 0 });
    expect(await enter(phone, { counter: 0 })).toMatchObject({ token: expect.any(String) });
  });

  test("accepts a signature once, even concurrently, within five minutes", async () => {
    const { phone } = await withPasskey();
    const signed = phone.sign(await house.accounts.beginPasskeySignIn(from()));
    const come = () => house.accounts.signInWithPasskey(signed, from(), "web");
    const both = await Promise.allSettled([come(), come()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(come()).rejects.toMatchObject({ reason: "gone" });
    const late = phone.sign(await house.accounts.beginPasskeySignIn(from()));
    database.clock.pass(5 * MINUTE);
    await expect(house.accounts.signInWithPasskey(late, from(), "web")).rejects.toMatchObject({ reason: "gone" });
  });

  test("refuses a challenge issued for another purpose", async () => {
    const { who, phone } = await withPasskey();
    const signed = phone.sign(await begin(who));
    await expect(house.accounts.signInWithPasskey(signed, from(), "web")).rejects.toMatchObject({ reason: "gone" });
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
    await house.accounts.deactivate(who, PASSWORD);
    expect(await enter(phone)).toMatchObject({ personId: who.id });
  });

  test("limits challenges per address", async () => {
    await Promise.all(Array.from({ length: 60 }, () => house.accounts.beginPasskeySignIn(from())));
    await expect(house.accounts.beginPasskeySignIn(from())).rejects.toMatchObject({ reason: "too-many" });
    expect(await house.accounts.beginPasskeySignIn(from("198.51.100.9"))).toMatchObject({ rpId: "kith.test" });
  });

  test("leaves no unused challenges behind", async () => {
    await house.accounts.beginPasskeySignIn(from());
    database.clock.pass(6 * MINUTE);
    await database.inTransaction(purgeExpired);
    expect(await one(database.db, sql`select count(*)::int as n from passkey_challenges`)).toEqual({ n: 0 });
  });
});

describe("relying party", () => {
  test("refuses a passkey made for another address and shows its owner why", async () => {
    const { who, phone } = await withPasskey();
    address = "https://new.test";
    try {
      await expect(enter(phone)).rejects.toMatchObject(DOES_NOT_FIT);
      expect(await house.accounts.passkeysOf(who)).toMatchObject([{ here: false, party: "kith.test" }]);
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
      expect(house.accounts.takesPasskeys()).toBe(takes);
      const asked = house.accounts.beginPasskeySignIn(from());
      await (takes
        ? expect(asked).resolves.toMatchObject({ rpId: new URL(where).hostname })
        : expect(asked).rejects.toMatchObject({ reason: "unavailable" }));
    } finally {
      address = "https://kith.test";
    }
  });
});
