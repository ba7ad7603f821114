import { describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { SECOND } from "#platform/clock";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
  testViewer,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  register,
  signIn,
  confirmEmail,
  findConfirmation,
  sendSignInLink,
  signInAsGuest,
  findSession,
  signInByLink,
  sendResetLink,
  resetPassword,
  ensureFirstAdmin,
  changeEmail,
  confirmNewEmail,
} from "../index.ts";

/** An attacker registers with another person's address and hopes that its owner opens the account. */

const database = await testDatabase();
const app = createAccountsContext(database);

const EVES = "eve knows this one";
const OWN = "quiet orange lamps";
const ana = clientInfo("198.51.100.20");
const registerPerson = () =>
  register(app, { email: "ana@example.org", name: "Ana", password: EVES }, clientInfo());
const token = () => app.tokenTo("ana@example.org");
const attemptSignIn = (password: string) => signIn(app, { login: "ana@example.org", password }, ana, "web");

/** Number of rows per table of credentials. */
async function credentialsOf(personId: string) {
  const tables = [
    "passkeys",
    "totp_secrets",
    "recovery_codes",
    "provider_identities",
    "known_devices",
    "sessions",
  ];
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { n } = await one(
        database.db,
        sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where person_id = ${personId}`,
      );
      return [table, n] as const;
    }),
  );
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

/** Adds every credential that does not need the mailbox, as the registrant would. */
async function addCredentials(personId: string) {
  const at = database.clock.at;
  await run(
    database.db,
    sql`insert into provider_identities (provider, subject, person_id, linked_at)
      values ('town', 'eve', ${personId}, ${at})`,
  );
  await run(
    database.db,
    sql`insert into passkeys (id, person_id, credential_id, name, public_key, counter, party, transports,
      added_at)
      values (gen_random_uuid(), ${personId}, 'eve', 'Key', 'key', 0, 'kith.test', '{}', ${at})`,
  );
}

describe("confirmation link", () => {
  test("activates the account at once in the browser that registered", async () => {
    const { pending } = await registerPerson();
    expect(await confirmEmail(app, await token(), { pending })).toMatchObject({
      kind: "confirmed",
      state: "active",
    });
    expect(await attemptSignIn(EVES)).toMatchObject({ kind: "signed-in" });
  });

  test("requires the password in another browser, and stays valid", async () => {
    await registerPerson();
    const link = await token();
    expect(await confirmEmail(app, link, {})).toEqual({
      kind: "password",
      username: "ana",
      hasPassword: true,
    });
    await expect(confirmEmail(app, link, { password: "a wrong one" })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    await expect(attemptSignIn(EVES)).rejects.toMatchObject({ state: "unverified" });
    expect(await confirmEmail(app, link, { password: EVES })).toMatchObject({ kind: "confirmed" });
    expect(await attemptSignIn(EVES)).toMatchObject({ kind: "signed-in" });
  });

  test("accepts a password set by the address owner and invalidates the registrant's password", async () => {
    await registerPerson();
    expect(await confirmEmail(app, await token(), { newPassword: OWN })).toMatchObject({
      kind: "confirmed",
    });
    await expect(attemptSignIn(EVES)).rejects.toMatchObject({ reason: "invalid" });
    expect(await attemptSignIn(OWN)).toMatchObject({ kind: "signed-in" });
  });

  test("signs in without the registrant's password when the address owner confirms in another browser", async () => {
    const { id } = await registerPerson();
    await addCredentials(id);
    const result = await confirmEmail(app, await token(), { withoutPassword: true }, ana);
    expect(result).toMatchObject({ kind: "confirmed", signIn: { kind: "signed-in" } });
    expect(await credentialsOf(id)).toEqual({ known_devices: 2, sessions: 1 });
    await expect(attemptSignIn(EVES)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("signs in the browser that registered, unless the account waits for approval", async () => {
    const { pending } = await registerPerson();
    expect(await findConfirmation(app, await token(), pending)).toEqual({
      username: "ana",
      hasPassword: true,
      isOwn: true,
    });
    expect(await findConfirmation(app, await token(), undefined)).toMatchObject({ isOwn: false });
    await app.set({ registration: "approval" });
    const link = await token();
    expect(await confirmEmail(app, link, { pending }, ana)).toMatchObject({
      state: "pending_approval",
      signIn: null,
    });
    expect(await findConfirmation(app, link, pending)).toBeNull();
    await app.set({ registration: "open" });
    const zoe = await register(app, { email: "zoe@example.org", name: "Zoe", password: OWN }, clientInfo());
    const result = await confirmEmail(app, await app.tokenTo("zoe@example.org"), zoe, ana);
    expect(result).toMatchObject({ state: "active", signIn: { kind: "signed-in" } });
  });

  test.each(["short", "password"])("refuses the new password %s", async (newPassword) => {
    await registerPerson();
    await expect(confirmEmail(app, await token(), { newPassword })).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
  });

  test("does not accept the sealed registration of another person", async () => {
    await registerPerson();
    const { pending } = await register(
      app,
      { email: "eve@example.org", name: "Eve", password: EVES },
      clientInfo(),
    );
    expect(await confirmEmail(app, await token(), { pending })).toMatchObject({ kind: "password" });
    expect(await confirmEmail(app, await token(), { pending: "made up" })).toMatchObject({
      kind: "password",
    });
  });

  test("limits password guesses", async () => {
    await registerPerson();
    const link = await token();
    const guess = (n: number) => confirmEmail(app, link, { password: `guess ${n}` });
    for (let n = 0; n < 10; n++) await expect(guess(n)).rejects.toMatchObject({ reason: "invalid" });
    await expect(guess(10)).rejects.toMatchObject({ reason: "too-many" });
  });

  test("removes the registrant's sign-in provider when confirmed from another browser", async () => {
    const id = (await app.member({ username: "ana", state: "unverified", passwordHash: null })).id;
    await addCredentials(id);
    await sendSignInLink(app, "ana@example.org", ana);
    expect(await confirmEmail(app, await token(), {})).toMatchObject({
      kind: "password",
      hasPassword: false,
    });
    await confirmEmail(app, await token(), { newPassword: OWN });
    expect(await credentialsOf(id)).toEqual({});
  });

  test("ends the API guest session from before the registration", async () => {
    const guest = await signInAsGuest(app, clientInfo(), "api");
    await register(app, { email: "ana@example.org", name: "Ana", password: EVES }, clientInfo(), {
      guestId: guest.personId,
    });
    await confirmEmail(app, await token(), { newPassword: OWN });
    expect(await findSession(app, guest.token, "api")).toBeNull();
  });
});

describe("account with an unconfirmed address", () => {
  /** An account that Eve registered with Ana's address and that was opened without confirmation. */
  async function openAccount() {
    await app.set({ confirmAddress: false });
    const { id } = await registerPerson();
    const signInResult = await signIn(app, { login: "ana@example.org", password: EVES }, clientInfo(), "web");
    if (signInResult.kind !== "signed-in") throw new Error("Eve should be in.");
    await addCredentials(id);
    return { id, session: signInResult.session };
  }
  const openLink = async (by = ana) => {
    const { browserSecret } = await sendSignInLink(app, "ana@example.org", by);
    return signInByLink(app, await token(), { browserSecret }, by, "web");
  };

  test("loses all credentials when the address owner uses a sign-in link", async () => {
    const { id, session } = await openAccount();
    expect(await openLink()).toMatchObject({ kind: "signed-in" });
    expect(await credentialsOf(id)).toEqual({ known_devices: 2, sessions: 1 });
    expect(await findSession(app, session.token, "web")).toBeNull();
    await expect(attemptSignIn(EVES)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("loses all credentials when the address owner sets a password", async () => {
    const { id, session } = await openAccount();
    await sendResetLink(app, "ana@example.org", ana);
    expect(await resetPassword(app, await token(), { password: OWN, again: OWN }, ana, "web")).toMatchObject({
      kind: "signed-in",
    });
    expect(await credentialsOf(id)).toEqual({ known_devices: 2, sessions: 1 });
    expect(await findSession(app, session.token, "web")).toBeNull();
  });

  test("keeps its credentials when a sign-in link is opened in a known browser", async () => {
    const { id, session } = await openAccount();
    expect(await openLink(clientInfo("203.0.113.7", { deviceSecret: session.deviceSecret }))).toMatchObject({
      kind: "signed-in",
    });
    expect(await credentialsOf(id)).toMatchObject({ passkeys: 1, provider_identities: 1 });
    expect(await attemptSignIn(EVES)).toMatchObject({ kind: "signed-in" });
  });

  test("still requires two-factor after a sign-in link, and stays unconfirmed", async () => {
    const { id } = await openAccount();
    await run(database.db, sql`update people set passkey_step_at = ${database.clock.at} where id = ${id}`);
    expect(await openLink()).toMatchObject({ kind: "second-step" });
    expect(await one(database.db, sql`select email_confirmed_at as at from people where id = ${id}`)).toEqual(
      { at: null },
    );
  });

  test("loses all credentials when it becomes the first admin", async () => {
    const { id } = await openAccount();
    await ensureFirstAdmin(app, { email: "ana@example.org", password: null });
    expect(await credentialsOf(id)).toEqual({});
    await expect(attemptSignIn(EVES)).rejects.toMatchObject({ reason: "invalid" });
  });
});

describe("confirmation link of a new address", () => {
  /** Eve changes her account to Ana's address and hopes that Ana clicks the link. */
  async function changedTo() {
    const eve = await app.member({ username: "eve" });
    await changeEmail(app, eve, { email: "ana@example.org", password: PASSWORD });
    database.clock.pass(SECOND);
    return { eve, link: await token() };
  }
  const addresses = async () => many(database.db, sql<{ email: string }>`select email from people`);

  test("requires the password when the visitor is not signed in to the account", async () => {
    const { link } = await changedTo();
    const stranger = testViewer("01900000-0000-7000-8000-000000000009").id;
    for (const viewerId of [null, stranger])
      expect(await confirmNewEmail(app, link, { viewerId })).toEqual({ kind: "password" });
    await expect(
      confirmNewEmail(app, link, { viewerId: null, password: "a wrong one" }),
    ).rejects.toMatchObject({
      fields: { password: expect.any(String) },
    });
    expect(await addresses()).toEqual([{ email: "eve@example.org" }]);
  });

  test("works with the password, or when signed in", async () => {
    const { eve, link } = await changedTo();
    expect(await confirmNewEmail(app, link, { viewerId: null, password: PASSWORD })).toEqual({
      kind: "confirmed",
      personId: eve.id,
    });
    expect(await addresses()).toEqual([{ email: "ana@example.org" }]);
  });
});
