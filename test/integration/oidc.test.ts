import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { sendAccountMails } from "../support/account-mails.ts";
import { inviteAddress, createInviteLink } from "#community/groups";
import {
  getAccount,
  addPerson,
  hashPassword,
  beginProviderSignIn,
  finishProviderSignIn,
  changePendingAddress,
  confirmEmail,
  needsJoinReason,
  saveJoinReason,
  unlinkProvider,
} from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { createTestGroup, createTestUsers } from "../support/test-users.ts";
import {
  CLIENT,
  database,
  listPeople,
  createAccountsWithOidc,
  ORIGIN,
  visitProvider,
} from "../support/accounts/oidc-setup.ts";

const PASSWORD = "seven brown hens";
const admin: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};

async function signIn(
  login: string,
  accounts = createAccountsWithOidc(),
  linkTo?: SignedIn,
  invitation?: string,
) {
  const start = await beginProviderSignIn(accounts, "other", "/groups", { linkTo, invitation });
  const callback = await visitProvider(start.redirectTo, login);
  return finishProviderSignIn(accounts, "other", callback, start.remember, CLIENT, "web");
}

const member = (person: Partial<Parameters<typeof addPerson>[1]> & { username: string }) =>
  database.inTransaction(async (tx) =>
    addPerson(tx, { name: person.username, passwordHash: await hashPassword(PASSWORD), ...person }),
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
  test("creates an account, which the second sign-in finds", async () => {
    const app = createAccountsWithOidc();
    const first = await signIn("ana", app);
    expect(first).toMatchObject({ kind: "signed-in", returnTo: "/groups", session: { stay: true } });
    const second = await signIn("ana", app);
    expect(await listPeople()).toEqual([{ username: "ana.berg", state: "active", email: "ana@example.org" }]);
    expect(second).toMatchObject({
      kind: "signed-in",
      session: { personId: (first as { session: { personId: string } }).session.personId },
    });
  });

  test("connects to an existing account if both have verified the same address", async () => {
    const id = await member({ username: "ana", email: "Ana@example.org" });
    expect(await signIn("ana")).toMatchObject({ session: { personId: id } });
    expect(await getAccount(database.db, { ...admin, id, role: "member" }, id)).toMatchObject({
      providers: [{ provider: "other", email: "ana@example.org" }],
    });
  });

  test("does not connect to an existing account by an unverified address", async () => {
    const id = await member({ username: "ana", email: "ana@example.org" });
    const result = await signIn("eve");
    expect(result).toMatchObject({ kind: "confirm-address" });
    expect(await listPeople()).toMatchObject([
      { username: "ana" },
      { username: "eve", state: "unverified", email: null },
    ]);
    expect(
      await one(database.db, sql`select count(*)::int as n from provider_identities where person_id = ${id}`),
    ).toEqual({ n: 0 });
    await sendAccountMails(database, createAccountsWithOidc());
    expect((await listMailbox(database.db, "ana@example.org"))[0]?.subject).toBe(
      "Connect Other to your account",
    );
  });

  test("replaces an account that never confirmed its address", async () => {
    await member({ username: "squatter", email: "ana@example.org", state: "unverified" });
    expect(await signIn("ana")).toMatchObject({ kind: "signed-in" });
    expect(await listPeople()).toMatchObject([{ username: "ana.berg", state: "active" }]);
  });

  test("asks to confirm an address that the provider has not verified", async () => {
    const app = createAccountsWithOidc();
    const result = await signIn("nomail", app);
    if (result.kind !== "confirm-address") throw new Error("An address should be asked for.");
    await changePendingAddress(app, result.pending, "nomail@example.org", CLIENT);
    await sendAccountMails(database, app);
    const token =
      /token=([\w-]+)/.exec((await listMailbox(database.db, "nomail@example.org"))[0]?.text ?? "")?.[1] ?? "";
    await confirmEmail(app, token, { pending: result.pending });
    expect(await signIn("nomail", app)).toMatchObject({ kind: "signed-in" });
    expect(await listPeople()).toMatchObject([{ username: "no.mail", state: "active" }]);
  });

  test("follows the registration settings: closed, or with approval", async () => {
    const app = createAccountsWithOidc();
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "closed" }));
    await expect(signIn("ana", app)).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await listPeople()).toEqual([]);
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "approval" }));
    expect(await signIn("ana", app)).toMatchObject({ kind: "awaiting-approval" });
    await expect(signIn("ana", app)).rejects.toMatchObject({ state: "pending_approval" });
  });

  test("asks for a reason if staff approve accounts, until one is given", async () => {
    const app = createAccountsWithOidc();
    await database.inTransaction((tx) => app.settings.set(tx, admin, { registration: "approval" }));
    const result = await signIn("ana", app);
    if (result.kind !== "awaiting-approval") throw new Error("A human should be waited for.");
    expect(await needsJoinReason(app, result.pending)).toBe(true);
    for (const none of [" ", "x".repeat(1_001)])
      await expect(saveJoinReason(app, result.pending, none)).rejects.toMatchObject({
        reason: "invalid",
        fields: { reason: expect.any(String) },
      });
    await saveJoinReason(app, result.pending, "I like walnuts.");
    expect(
      await one(database.db, sql`select join_reason as reason from people where username = 'ana.berg'`),
    ).toEqual({
      reason: "I like walnuts.",
    });
    expect(await needsJoinReason(app, result.pending)).toBe(false);
    for (const late of [result.pending, "made up"])
      await expect(saveJoinReason(app, late, "More.")).rejects.toMatchObject({ reason: "gone" });
    expect(await needsJoinReason(app, "made up")).toBe(false);
  });

  test("accepts an invitation to the provider's address although registration is closed", async () => {
    const app = createAccountsWithOidc();
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

  test("creates one account even if two tabs finish at the same time", async () => {
    const app = createAccountsWithOidc();
    const both = await Promise.all([signIn("ana", app), signIn("ana", app)]);
    expect(both.map((it) => it.kind)).toEqual(["signed-in", "signed-in"]);
    expect(await listPeople()).toHaveLength(1);
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
      sql`insert into totp_secrets (person_id, secret_sealed, confirmed_at, created_at)
        values (${id}, '', now(), now())`,
    );
    expect(await signIn("ana")).toMatchObject({ kind: "second-step" });
  });

  test("can connect a provider identity that no other account has, and disconnect it", async () => {
    const app = createAccountsWithOidc();
    const [ana, ben] = await Promise.all(
      ["ana", "ben"].map(async (username) => ({
        ...admin,
        role: "member" as const,
        id: await member({ username, email: `${username}@example.net` }),
      })),
    );
    expect(await signIn("ana", app, ana)).toMatchObject({ kind: "linked" });
    await expect(signIn("ana", app, ben)).rejects.toMatchObject({ reason: "conflict" });
    await unlinkProvider(app, ana!, "other");
    expect(await signIn("ana", app, ben)).toMatchObject({ kind: "linked" });
  });

  test("cannot disconnect the only sign-in method", async () => {
    const id = await member({ username: "ana", passwordHash: null, email: null });
    const ana = { ...admin, id, role: "member" as const };
    await run(
      database.db,
      sql`insert into provider_identities (provider, subject, person_id, linked_at)
        values ('other', 'x', ${id}, now())`,
    );
    await expect(unlinkProvider(createAccountsWithOidc(), ana, "other")).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});
