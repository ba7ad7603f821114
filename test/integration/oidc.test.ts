import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { Limits } from "#platform/limits";
import { listMailbox } from "#platform/mail";
import { sendAccountMails } from "../support/account-mails.ts";
import { inviteAddress, createInviteLink, registerByInvitation } from "#community/groups";
import { getAccount, addPerson, hashPassword, openAccounts } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { openSettings } from "#community/settings";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import { openOidcProvider, signInAtProvider } from "../support/oidc-provider.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Sign-in through a provider, against a real OpenID server on this machine. */

const database = await testDatabase();
const ORIGIN = "http://kith.test";
const PASSWORD = "seven brown hens";
const from = { address: "203.0.113.7", userAgent: "Firefox/140.0 (X11; Linux)", acceptLanguage: "de" };
const admin: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};

let other: Awaited<ReturnType<typeof openOidcProvider>>;
let issuer: string;
beforeAll(async () => {
  other = await openOidcProvider([`${ORIGIN}/login/from/other`]);
  ({ issuer } = other);
});
afterAll(() => other.close());

const open = (at = issuer) => {
  const settings = openSettings(database);
  const accounts = openAccounts({
    database,
    settings,
    limits: new Limits(),
    now: () => database.clock.at,
    origin: () => ORIGIN,
    seal: Buffer.alloc(32, 7),
    providers: [
      {
        kind: "openid",
        name: "other",
        issuer: at,
        clientId: "kith",
        clientSecret: "secret-of-kith",
        linksByEmail: true,
      },
    ],
    registerInvited: registerByInvitation,
  });
  return { settings, accounts };
};

const ctx = (url: string, login: string) => signInAtProvider(url, login, ORIGIN);

async function signIn(login: string, { accounts } = open(), linkTo?: SignedIn, invitation?: string) {
  const begun = await accounts.beginProviderSignIn("other", "/groups", { linkTo, invitation });
  const callback = await ctx(begun.redirectTo, login);
  return accounts.finishProviderSignIn("other", callback, begun.remember, from, "web");
}

const member = (person: Partial<Parameters<typeof addPerson>[1]> & { username: string }) =>
  database.inTransaction(async (tx) =>
    addPerson(tx, { name: person.username, passwordHash: await hashPassword(PASSWORD), ...person }),
  );
const people = () =>
  many(
    database.db,
    sql<{
      username: string;
      state: string;
      email: string | null;
    }>`select username, state, email from people order by created_at, id`,
  );

/** Invitations to a group: by mail to an address, and by a link for one person. */
async function invitations() {
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people);
  const linkTo = (token: string) => `${ORIGIN}/invite/${token}`;
  return async (email: string | null) => {
    if (email === null)
      return (
        await database.inTransaction((tx) =>
          createInviteLink(tx, people.mira, { groupId, entry: "join", mostUses: 1 }),
        )
      ).token;
    await database.inTransaction((tx) =>
      inviteAddress(tx, people.mira, { groupId, email, entry: "join" }, { community: "Kith", linkTo }),
    );
    return /invite\/([\w-]+)/.exec((await listMailbox(database.db, email))[0]!.text)![1]!;
  };
}

describe("first sign-in through a provider", () => {
  test("creates an account, and finds it the second time", async () => {
    const app = open();
    const first = await signIn("ana", app);
    expect(first).toMatchObject({ kind: "signed-in", returnTo: "/groups", session: { stay: true } });
    const second = await signIn("ana", app);
    expect(await people()).toEqual([{ username: "ana.berg", state: "active", email: "ana@example.org" }]);
    expect(second).toMatchObject({
      kind: "signed-in",
      session: { personId: (first as { session: { personId: string } }).session.personId },
    });
  });

  test("joins the account with the address that the provider has verified", async () => {
    const id = await member({ username: "ana", email: "Ana@example.org" });
    expect(await signIn("ana")).toMatchObject({ session: { personId: id } });
    expect(await getAccount(database.db, { ...admin, id, role: "member" }, id)).toMatchObject({
      providers: [{ provider: "other", email: "ana@example.org" }],
    });
  });

  test("does not join the account of an unverified address", async () => {
    const id = await member({ username: "ana", email: "ana@example.org" });
    const came = await signIn("eve");
    expect(came).toMatchObject({ kind: "confirm-address" });
    expect(await people()).toMatchObject([
      { username: "ana" },
      { username: "eve", state: "unverified", email: null },
    ]);
    expect(
      await one(database.db, sql`select count(*)::int as n from provider_identities where person_id = ${id}`),
    ).toEqual({ n: 0 });
    await sendAccountMails(database, open().accounts);
    expect((await listMailbox(database.db, "ana@example.org"))[0]?.subject).toBe(
      "Connect Other to your account",
    );
  });

  test("replaces an account whose address was never confirmed here", async () => {
    await member({ username: "squatter", email: "ana@example.org", state: "unverified" });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
    expect(await people()).toMatchObject([{ username: "ana.berg", state: "active" }]);
  });

  test("confirms the address first when the provider has not verified it", async () => {
    const app = open();
    const came = await signIn("nomail", app);
    if (came.kind !== "confirm-address") throw new Error("An address should be asked for.");
    await app.accounts.changePendingAddress(came.pending, "nomail@example.org", from);
    await sendAccountMails(database, app.accounts);
    const token =
      /token=([\w-]+)/.exec((await listMailbox(database.db, "nomail@example.org"))[0]?.text ?? "")?.[1] ?? "";
    await app.accounts.confirmEmail(token, { pending: came.pending });
    expect(await signIn("nomail", app)).toMatchObject({ kind: "signed-in" });
    expect(await people()).toMatchObject([{ username: "no.mail", state: "active" }]);
  });

  test("follows the registration settings: closed, or with approval", async () => {
    const app = open();
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "closed" }));
    await expect(signIn("ana", app)).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await people()).toEqual([]);
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "approval" }));
    expect(await signIn("ana", app)).toMatchObject({ kind: "awaiting-approval" });
    await expect(signIn("ana", app)).rejects.toMatchObject({ state: "pending_approval" });
  });

  test("asks for a reason once where staff approve accounts", async () => {
    const app = open();
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "approval" }));
    const came = await signIn("ana", app);
    if (came.kind !== "awaiting-approval") throw new Error("A human should be waited for.");
    expect(await app.accounts.asksWhy(came.pending)).toBe(true);
    for (const none of [" ", "x".repeat(1_001)])
      await expect(app.accounts.sayWhy(came.pending, none)).rejects.toMatchObject({
        reason: "invalid",
        fields: { reason: expect.any(String) },
      });
    await app.accounts.sayWhy(came.pending, "I like walnuts.");
    expect(
      await one(database.db, sql`select join_reason as reason from people where username = 'ana.berg'`),
    ).toEqual({
      reason: "I like walnuts.",
    });
    expect(await app.accounts.asksWhy(came.pending)).toBe(false);
    for (const late of [came.pending, "made up"])
      await expect(app.accounts.sayWhy(late, "More.")).rejects.toMatchObject({ reason: "gone" });
    expect(await app.accounts.asksWhy("made up")).toBe(false);
  });

  test("accepts an invitation to the provider's address where registration is closed", async () => {
    const app = open();
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "closed" }));
    const invitedTo = await invitations();
    const forEve = await invitedTo("eve@example.org");
    await expect(signIn("ana", app, undefined, forEve)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(signIn("nomail", app, undefined, forEve)).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await signIn("ana", app, undefined, await invitedTo("Ana@example.org"))).toMatchObject({
      kind: "signed-in",
    });
    const link = await invitedTo(null);
    expect(await signIn("nomail", app, undefined, link)).toMatchObject({ kind: "confirm-address" });
    await expect(signIn("eve", app, undefined, link)).rejects.toMatchObject({ reason: "gone" });
  });

  test("creates one account from two tabs at the same moment", async () => {
    const app = open();
    const both = await Promise.all([signIn("ana", app), signIn("ana", app)]);
    expect(both.map((it) => it.kind)).toEqual(["signed-in", "signed-in"]);
    expect(await people()).toHaveLength(1);
  });
});

describe("returning person", () => {
  test("cannot sign in while suspended", async () => {
    const id = await member({ username: "ana", email: "ana@example.org" });
    await signIn("ana");
    await run(database.db, sql`update people set state = 'suspended' where id = ${id}`);
    await expect(signIn("ana")).rejects.toMatchObject({ state: "suspended" });
  });

  test("still needs the second factor", async () => {
    const id = await member({ username: "ana", email: "ana@example.org" });
    await run(
      database.db,
      sql`insert into totp_secrets (person_id, secret_sealed, confirmed_at, created_at) values (${id}, '', now(), now())`,
    );
    expect(await signIn("ana")).toMatchObject({ kind: "second-step" });
  });

  test("connects the provider unless another account has it, and disconnects it again", async () => {
    const app = open();
    const [ana, ben] = await Promise.all(
      ["ana", "ben"].map(async (username) => ({
        ...admin,
        role: "member" as const,
        id: await member({ username, email: `${username}@example.net` }),
      })),
    );
    expect(await signIn("ana", app, ana)).toMatchObject({ kind: "linked" });
    await expect(signIn("ana", app, ben)).rejects.toMatchObject({ reason: "conflict" });
    await app.accounts.unlinkProvider(ana!, "other");
    expect(await signIn("ana", app, ben)).toMatchObject({ kind: "linked" });
  });

  test("cannot disconnect the only sign-in method", async () => {
    const id = await member({ username: "ana", passwordHash: null, email: null });
    const ana = { ...admin, id, role: "member" as const };
    await run(
      database.db,
      sql`insert into provider_identities (provider, subject, person_id, linked_at) values ('other', 'x', ${id}, now())`,
    );
    await expect(open().accounts.unlinkProvider(ana, "other")).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});

describe("provider callback", () => {
  test("must match what this browser began", async () => {
    const { accounts } = open();
    const [mine, another] = [
      await accounts.beginProviderSignIn("other", "/"),
      await accounts.beginProviderSignIn("other", "/"),
    ];
    const callback = await ctx(mine.redirectTo, "ana");
    for (const remember of [another.remember, "", "made-up", mine.remember.slice(0, -4)])
      await expect(
        accounts.finishProviderSignIn("other", callback, remember, from, "web"),
      ).rejects.toMatchObject({ reason: "invalid" });
    expect(await people()).toEqual([]);
  });

  test("fails with a wrong state, without a code, and on reuse", async () => {
    const { accounts } = open();
    const begun = await accounts.beginProviderSignIn("other", "/");
    const callback = await ctx(begun.redirectTo, "ana");
    const finish = (url: string) => accounts.finishProviderSignIn("other", url, begun.remember, from, "web");
    const stateless = new URL(callback);
    stateless.searchParams.set("state", "another");
    await expect(finish(stateless.href)).rejects.toMatchObject({ reason: "invalid" });
    await expect(finish(`${ORIGIN}/login/from/other`)).rejects.toMatchObject({ reason: "invalid" });
    expect(await finish(callback)).toMatchObject({ kind: "signed-in" });
    await expect(finish(callback)).rejects.toMatchObject({ reason: "invalid" });
  });

  test("fails with a wrong nonce", async () => {
    const { accounts } = open();
    const begun = await accounts.beginProviderSignIn("other", "/");
    const elsewhere = new URL(begun.redirectTo);
    elsewhere.searchParams.set("nonce", "somebody-elses-nonce");
    const callback = await ctx(elsewhere.href, "ana");
    await expect(
      accounts.finishProviderSignIn("other", callback, begun.remember, from, "web"),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("expires after ten minutes", async () => {
    const { accounts } = open();
    const begun = await accounts.beginProviderSignIn("other", "/");
    const callback = await ctx(begun.redirectTo, "ana");
    database.clock.pass(601_000);
    await expect(
      accounts.finishProviderSignIn("other", callback, begun.remember, from, "web"),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("reports that the person declined", async () => {
    const { accounts } = open();
    const { redirectTo, remember } = await accounts.beginProviderSignIn("other", "/");
    const state = new URL(redirectTo).searchParams.get("state") ?? "";
    const answer = new URLSearchParams({ error: "access_denied", state, iss: issuer });
    await expect(
      accounts.finishProviderSignIn("other", `${ORIGIN}/login/from/other?${answer}`, remember, from, "web"),
    ).rejects.toMatchObject({ reason: "not-allowed" });
  });
});

describe("sign-in provider", () => {
  test("causes an error while unreachable, and works again the next time", async () => {
    const { accounts } = open("http://127.0.0.1:1");
    for (const _ of [1, 2])
      await expect(accounts.beginProviderSignIn("other", "/")).rejects.toMatchObject({
        reason: "unavailable",
        retryAfter: 30,
      });
  });

  test("returns 404 for an unknown name", async () => {
    const { accounts } = open();
    expect(accounts.providers()).toEqual(["other"]);
    await expect(accounts.beginProviderSignIn("nobody", "/")).rejects.toMatchObject({ reason: "not-found" });
  });

  test("works without https on this machine only", async () => {
    let asked = 0;
    const count = () => void (asked += 1);
    other.server.on("request", count);
    // The same server under a name that is not loopback.
    await expect(
      open(issuer.replace("127.0.0.1", "0.0.0.0")).accounts.beginProviderSignIn("other", "/"),
    ).rejects.toMatchObject({
      reason: "unavailable",
    });
    expect(asked).toBe(0);
    await open().accounts.beginProviderSignIn("other", "/");
    expect(asked).toBeGreaterThan(0);
    other.server.off("request", count);
  });
});
