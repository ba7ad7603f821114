import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { addPerson, beginProviderSignIn, finishProviderSignIn } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { startStrictOidcProvider, type ProviderSetup } from "../support/strict-oidc-provider.ts";
import { createTestAccounts } from "../support/accounts/test-accounts.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { sendAccountMails } from "../support/account-mails.ts";

const database = await testDatabase();
const ORIGIN = "http://kith.test";
const from = { address: "203.0.113.7", userAgent: "Firefox/140.0 (X11; Linux)", acceptLanguage: "en" };
const VERIFIED = { email: "ana@example.org", email_verified: true };

let setup: ProviderSetup;
let provider: Awaited<ReturnType<typeof startStrictOidcProvider>>;
beforeAll(async () => void (provider = await startStrictOidcProvider(() => setup)));
afterAll(() => provider.close());
beforeEach(() => void (setup = { idToken: { ...VERIFIED, name: "Ana Berg" } }));

function createAccountsWithOidc(linksByEmail = false) {
  const { issuer, client } = provider;
  return createTestAccounts(database, {
    origin: () => ORIGIN,
    seal: Buffer.alloc(32, 7),
    providers: [
      {
        kind: "openid",
        name: "town",
        issuer,
        clientId: client.id,
        clientSecret: client.secret,
        linksByEmail,
      },
    ],
  });
}

async function signIn(accounts = createAccountsWithOidc(), linkTo?: SignedIn) {
  const start = await beginProviderSignIn(accounts, "town", "/", { linkTo });
  return finishProviderSignIn(accounts, "town", provider.come(start.redirectTo), start.remember, from, "web");
}

const people = () =>
  many(
    database.db,
    sql<object>`select display_name as name, email, state from people order by created_at, id`,
  );
const addMember = (role: "member" | "moderator" = "member") =>
  database.inTransaction((tx) =>
    addPerson(tx, { username: "ana", name: "Ana", email: "Ana@example.org", role }),
  );

describe("sign-in with an OpenID provider", () => {
  test.each([
    ["client_secret_basic if the provider supports it", ["client_secret_basic"]],
    ["client_secret_basic if the provider lists no method", undefined],
    ["client_secret_basic if the provider supports both", ["client_secret_post", "client_secret_basic"]],
    ["client_secret_post if the provider supports nothing else", ["client_secret_post"]],
  ])("sends the client secret by %s", async (_title, authMethods) => {
    setup = { ...setup, ...(authMethods && { authMethods }) };
    expect(await signIn()).toMatchObject({ kind: "signed-in" });
  });

  test("accepts email_verified as text", async () => {
    setup.idToken = { ...setup.idToken, email_verified: "true" };
    expect(await signIn()).toMatchObject({ kind: "signed-in" });
    expect(await people()).toEqual([{ name: "Ana Berg", email: "ana@example.org", state: "active" }]);
  });

  test.each([false, "false", "yes", 1, null, undefined])(
    "does not trust an address with email_verified: %s",
    async (email_verified) => {
      setup.idToken = { ...setup.idToken, email_verified };
      expect(await signIn()).toMatchObject({ kind: "confirm-address" });
    },
  );

  test("reads name and address from userinfo when the ID token has none", async () => {
    setup = { idToken: {}, userInfo: { ...VERIFIED, name: "Ana Berg" } };
    expect(await signIn()).toMatchObject({ kind: "signed-in" });
    expect(await people()).toMatchObject([{ name: "Ana Berg", email: "ana@example.org" }]);
  });

  test("reads the name from userinfo when the ID token has the address only", async () => {
    setup = {
      idToken: { ...VERIFIED, preferred_username: "ab17" },
      userInfo: { given_name: "Ana", family_name: "Berg" },
    };
    await signIn();
    expect(await people()).toMatchObject([{ name: "Ana Berg" }]);
  });

  test("does not apply the ID token's email_verified to an address from userinfo", async () => {
    setup = { idToken: { email_verified: true }, userInfo: { email: "ana@example.org", name: "Ana" } };
    expect(await signIn()).toMatchObject({ kind: "confirm-address" });
  });

  test("fails when the ID token is signed by an unknown key", async () => {
    setup.forged = true;
    await expect(signIn()).rejects.toMatchObject({ reason: "invalid" });
    expect(await people()).toEqual([]);
  });
});

describe("account with an address that a provider has verified", () => {
  test("gets no sign-in by the address alone, but a mail that explains how to connect", async () => {
    await addMember();
    const accounts = createAccountsWithOidc();
    expect(await signIn(accounts)).toMatchObject({ kind: "confirm-address" });
    await sendAccountMails(database, accounts);
    expect(
      await many(
        database.db,
        sql`select from provider_identities i join people p on p.id = i.person_id where p.username = 'ana'`,
      ),
    ).toEqual([]);
    const mail = (await listMailbox(database.db, "Ana@example.org"))[0]!;
    expect(mail.subject).toBe("Connect Town to your account");
    expect(mail.text).toContain(`${ORIGIN}/users/settings/`);
  });

  test("gets signed in where the admin allows connecting by address", async () => {
    const id = await addMember();
    expect(await signIn(createAccountsWithOidc(true))).toMatchObject({
      kind: "signed-in",
      session: { personId: id },
    });
  });

  test("gets no sign-in by the address if it belongs to staff, whatever the admin allows", async () => {
    await addMember("moderator");
    expect(await signIn(createAccountsWithOidc(true))).toMatchObject({ kind: "confirm-address" });
  });

  test("becomes connected once its owner has signed in, even after an earlier attempt", async () => {
    const id = await addMember();
    const ana: SignedIn = { id, role: "member", trust: "new", limited: false };
    await signIn();
    expect(await signIn(createAccountsWithOidc(), ana)).toMatchObject({ kind: "linked" });
    expect(await signIn()).toMatchObject({ kind: "signed-in", session: { personId: id } });
    expect(await people()).toHaveLength(1);
  });
});
