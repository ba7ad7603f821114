import { describe, expect, test } from "vitest";
import { DAY, MINUTE, SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { blockAddress, BlockedAddressForm } from "#community/prevention";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  getAccount,
  eraseDeactivated,
  getPerson,
  signIn,
  changePassword,
  findSession,
  changeEmail,
  confirmNewEmail,
  changeApiUser,
  changeUsername,
  deactivateAccount,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const NEW = "eight white geese";

const attemptSignIn = (login: string, password = PASSWORD) =>
  signIn(app, { login, password }, clientInfo(), "web");
const sessionOf = async (login: string) =>
  ((await attemptSignIn(login)) as { session: { id: string; token: string } }).session;

describe("password change", () => {
  test("requires the current password and ends all other sessions", async () => {
    const ana = await app.member({ username: "ana" });
    const [here, there] = [await sessionOf("ana"), await sessionOf("ana")];
    await expect(
      changePassword(app, ana, { current: "wrong", password: NEW }, here.id),
    ).rejects.toMatchObject({
      fields: { current: expect.any(String) },
    });
    await expect(
      changePassword(app, ana, { current: PASSWORD, password: "short" }, here.id),
    ).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    await changePassword(app, ana, { current: PASSWORD, password: NEW }, here.id);
    expect(await findSession(app, here.token, "web")).not.toBeNull();
    expect(await findSession(app, there.token, "web")).toBeNull();
    expect(await attemptSignIn("ana", NEW)).toMatchObject({ kind: "signed-in" });
  });
});

describe("email change", () => {
  test("refuses a blocked address or mail domain, like a registration", async () => {
    const ana = await app.member({ username: "ana" });
    const root = await app.member({ username: "root", role: "admin" });
    const form = BlockedAddressForm.parse({ address: "bad.example", reason: "Much spam.", days: "0" });
    await database.inTransaction((tx) => blockAddress(tx, root, form, "203.0.113.9"));
    const change = (email: string) => changeEmail(app, ana, { email, password: PASSWORD });
    for (const email of ["ana@bad.example", "ana@mail.bad.example"])
      await expect(change(email)).rejects.toMatchObject({
        reason: "not-allowed",
        fields: { email: expect.stringMatching(/“bad.example” are blocked here. Reason: Much spam./) },
      });
    await expect(change("ana@good.example")).resolves.toBeUndefined();
  });

  test("takes effect when confirmed at the new address, and notifies the old address", async () => {
    const ana = await app.member({ username: "ana" });
    await expect(
      changeEmail(app, ana, { email: "ana@example.net", password: "wrong" }),
    ).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    await changeEmail(app, ana, { email: "ana@example.net", password: PASSWORD });
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "Your address is about to change" });
    expect(await getAccount(database.db, ana, ana.id)).toMatchObject({ email: "ana@example.org" });

    database.clock.pass(SECOND);
    const token = await app.tokenTo("ana@example.net");
    expect(await confirmNewEmail(app, token, { viewerId: ana.id })).toEqual({
      kind: "confirmed",
      personId: ana.id,
    });
    expect(await getAccount(database.db, ana, ana.id)).toMatchObject({ email: "ana@example.net" });
    expect(await app.mailTo("ana@example.org")).toMatchObject({ subject: "Your address has changed" });
    await expect(confirmNewEmail(app, token, { viewerId: ana.id })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("does not reveal that an address is taken, and leaves it to its owner", async () => {
    const ana = await app.member({ username: "ana" });
    await app.member({ username: "ben" });
    expect(await changeEmail(app, ana, { email: "ben@example.org", password: PASSWORD })).toBeUndefined();
    expect(await app.mailTo("ben@example.org")).toMatchObject({ subject: "You already have an account" });
  });

  test("refuses an address that someone else confirmed meanwhile", async () => {
    const ana = await app.member({ username: "ana" });
    await changeEmail(app, ana, { email: "new@example.org", password: PASSWORD });
    const token = await app.tokenTo("new@example.org");
    await app.member({ username: "ben", email: "new@example.org" });
    await expect(confirmNewEmail(app, token, { viewerId: ana.id })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("sends at most five emails in half an hour per person and per new address", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const change = (me: typeof ana, email: string) => changeEmail(app, me, { email, password: PASSWORD });
    for (let n = 0; n < 5; n++) await change(ana, "stranger@example.net");
    await expect(change(ana, "other@example.net")).rejects.toMatchObject({ reason: "too-many" });
    await expect(change(ben, "Stranger@example.net")).rejects.toMatchObject({ reason: "too-many" });
    await change(ben, "other@example.net");
  });

  test("through the API counts toward the same limit", async () => {
    const ana = await app.member({ username: "ana" });
    const session = { id: ana.id, createdAt: database.clock.at };
    const change = (email: string) =>
      changeApiUser(app, ana, ana.id, { email, properties: {} }, { session, canAddColumns: false });
    for (let n = 0; n < 5; n++) await change(`stranger${n}@example.net`);
    await expect(change("other@example.net")).rejects.toMatchObject({ reason: "too-many" });
  });
});

describe("username change", () => {
  test("works once in 30 days and redirects the former name to its owner", async () => {
    const ana = await app.member({ username: "ana" });
    await changeUsername(app, ana, "Ana.Two");
    expect(await getPerson(database.db, ana, "ana")).toMatchObject({ id: ana.id, movedTo: "ana.two" });
    expect(await getPerson(database.db, ana, "ana.two")).toMatchObject({ movedTo: null });
    await expect(changeUsername(app, ana, "ana.three")).rejects.toMatchObject({
      reason: "too-many",
      fields: { username: expect.any(String) },
    });
    database.clock.pass(30 * DAY);
    await changeUsername(app, ana, "ana");
    expect(await getPerson(database.db, ana, "ana.two")).toMatchObject({ movedTo: "ana" });
  });

  test("refuses a name that someone has or had", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    await expect(changeUsername(app, ana, "ben")).rejects.toMatchObject({ reason: "conflict" });
    await changeUsername(app, ben, "benjamin");
    await expect(changeUsername(app, ana, "ben")).rejects.toMatchObject({ reason: "conflict" });
    await expect(changeUsername(app, ana, "admin")).rejects.toMatchObject({ reason: "invalid" });
  });

  test("gives a name to only one of two people who request it concurrently", async () => {
    const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
    const both = await Promise.allSettled([
      changeUsername(app, ana, "robin"),
      changeUsername(app, ben, "robin"),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({ reason: "conflict" });
  });
});

describe("account deactivation", () => {
  test("requires the password, hides the account and leads to its erasure after 30 days", async () => {
    const [ana, ben] = [
      await app.member({ username: "ana", name: "Ana" }),
      await app.member({ username: "ben" }),
    ];
    const { token } = await sessionOf("ana");
    await expect(deactivateAccount(app, ana, "wrong")).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    await deactivateAccount(app, ana, PASSWORD);
    expect(await findSession(app, token, "web")).toBeNull();
    await expect(getPerson(database.db, ben, ana.id)).rejects.toMatchObject({ reason: "not-found" });

    database.clock.pass(30 * DAY);
    expect(await database.inTransaction(eraseDeactivated)).toBe(0);
    database.clock.pass(MINUTE);
    expect(await database.inTransaction(eraseDeactivated)).toBe(1);
    const row = await one(
      database.db,
      sql`select display_name, email, password_hash, state from people where id = ${ana.id}`,
    );
    expect(row).toEqual({ display_name: "Former member", email: null, password_hash: null, state: "erased" });
    await expect(attemptSignIn("ana")).rejects.toMatchObject({ reason: "invalid" });
    expect(await app.events("person.erased")).toHaveLength(1);
  });

  test("stores the choice to keep or remove content until the person returns", async () => {
    const ana = await app.member({ username: "ana" });
    const choice = () => one(database.db, sql`select state, leaving from people where id = ${ana.id}`);
    await deactivateAccount(app, ana, PASSWORD, "remove");
    expect(await choice()).toEqual({ state: "deactivated", leaving: "remove" });
    expect(await attemptSignIn("ana")).toMatchObject({ kind: "signed-in" });
    expect(await choice()).toEqual({ state: "active", leaving: null });
    await deactivateAccount(app, ana, PASSWORD);
    expect(await choice()).toEqual({ state: "deactivated", leaving: "keep" });
  });

  test("refuses the last admin", async () => {
    const [first, second] = [
      await app.member({ username: "ana", role: "admin" }),
      await app.member({ username: "ben", role: "admin" }),
    ];
    const both = await Promise.allSettled([
      deactivateAccount(app, first, PASSWORD),
      deactivateAccount(app, second, PASSWORD),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({ reason: "conflict" });
  });
});
