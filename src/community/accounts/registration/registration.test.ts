import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import {
  NewAccount,
  deleteUnverified,
  confirmEmail,
  register,
  signIn,
  approveAccount,
  signInAsGuest,
  suggestUsername,
} from "../index.ts";
import {
  parseAccountForm,
  createRegistrationSetup,
} from "../../../../test/support/accounts/registration-setup.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { registerPerson, listPeople } = createRegistrationSetup(database, app);

describe("registration", () => {
  test("creates an unconfirmed account that the link in the email activates", async () => {
    const registered = await registerPerson(
      {},
      clientInfo("203.0.113.1", { acceptLanguage: "DE-at,en;q=0.5" }),
    );
    expect(registered).toMatchObject({ username: "zoe.mueller", state: "unverified" });
    expect(await listPeople()).toEqual([
      { username: "zoe.mueller", email: "zoe@example.org", state: "unverified", locale: "de" },
    ]);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({
      subject: "Bestätige deine E-Mail-Adresse für Kith",
    });

    const opened = await confirmEmail(app, await app.tokenTo("zoe@example.org"), {
      password: PASSWORD,
    });
    expect(opened).toMatchObject({ kind: "confirmed", personId: registered.id, state: "active" });
    expect(await app.events("person.joined")).toHaveLength(1);
  });

  test("stores the join reason and the accepted rules version", async () => {
    const statement = { reason: "I like walnuts.", rulesVersion: 2 };
    const { id } = await register(app, parseAccountForm(), clientInfo(), { statement });
    const kept = sql`select join_reason as reason, rules_accepted_version as "rulesVersion" from people
      where id = ${id}`;
    expect(await one(database.db, kept)).toEqual(statement);
    await app.member({ username: "ben", email: "ben@example.org" });
    await register(app, parseAccountForm({ email: "ben@example.org" }), clientInfo(), { statement });
    const peopleWithReason = await many(
      database.db,
      sql`select email from people where join_reason <> '' order by created_at, id`,
    );
    expect(peopleWithReason).toEqual([{ email: "zoe@example.org" }, { email: null }]);
  });

  test("refuses a link in the display name where links of new members need approval", async () => {
    const name = "Buy at https://beans.example";
    await app.set({ firstPosts: "links" });
    for (const refused of [name, "Nora beans.example"])
      await expect(register(app, parseAccountForm({ name: refused }), clientInfo())).rejects.toMatchObject({
        reason: "invalid",
        fields: { name: expect.stringContaining("display name") },
      });
    await app.set({ firstPosts: "off" });
    await register(app, parseAccountForm({ name }), clientInfo());
  });

  test("gives the same answer for a taken address, whose owner gets an email", async () => {
    await app.member({ username: "zoe", email: "Zoe@Example.org" });
    const registered = await registerPerson({ username: "zoe.two" });
    expect(registered).toMatchObject({ username: "zoe.two", state: "unverified" });
    expect(await listPeople()).toMatchObject([
      { username: "zoe", email: "Zoe@Example.org", state: "active" },
      { username: "zoe.two", email: null, state: "unverified" },
    ]);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({ subject: "You already have an account" });
  });

  test("fails while registration is closed", async () => {
    await app.set({ registration: "closed" });
    await expect(registerPerson()).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("waits for approval where the settings require it", async () => {
    await app.set({ registration: "approval" });
    const { id } = await registerPerson();
    expect(
      await confirmEmail(app, await app.tokenTo("zoe@example.org"), { password: PASSWORD }),
    ).toMatchObject({
      state: "pending_approval",
    });
    await expect(
      signIn(app, { login: "zoe@example.org", password: PASSWORD }, clientInfo(), "web"),
    ).rejects.toMatchObject({
      state: "pending_approval",
    });

    await expect(approveAccount(app, await app.member({ username: "ben" }), id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await approveAccount(app, await app.member({ username: "moe", role: "moderator" }), id);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({ subject: "Welcome to Kith" });
    expect(
      await signIn(app, { login: "zoe.mueller", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("activates the account at once where no confirmation is required, and reports a taken address", async () => {
    await app.set({ confirmAddress: false });
    expect(await registerPerson()).toMatchObject({ state: "active" });
    await expect(registerPerson({}, clientInfo("203.0.113.9"))).rejects.toMatchObject({
      reason: "conflict",
      fields: { email: expect.any(String) },
    });
  });

  test("turns an API guest into a member", async () => {
    const session = await signInAsGuest(app, clientInfo(), "api");
    const { id } = await register(app, parseAccountForm(), clientInfo(), {
      guestId: session.personId,
    });
    expect(id).toBe(session.personId);
    await confirmEmail(app, await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    expect(await listPeople()).toMatchObject([{ username: "zoe.mueller", state: "active" }]);
    await expect(
      register(app, parseAccountForm({ email: "z2@example.org" }), clientInfo(), {
        guestId: session.personId,
      }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("creates one account for two concurrent requests with the same address", async () => {
    await Promise.all([registerPerson(), registerPerson(), registerPerson()]);
    expect(await listPeople()).toHaveLength(1);
    await confirmEmail(app, await app.tokenTo("zoe@example.org"), { password: PASSWORD });
  });
});

describe("username", () => {
  test("can be taken by only one of two concurrent requests", async () => {
    const both = await Promise.allSettled([
      registerPerson({ email: "a@example.org", username: "robin" }),
      registerPerson({ email: "b@example.org", username: "robin" }, clientInfo("198.51.100.4")),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({
      reason: "conflict",
      fields: { username: expect.any(String) },
    });
  });

  test("gets a numeric suffix for the second person with the same name", async () => {
    const both = await Promise.all([
      registerPerson({ email: "a@example.org" }),
      registerPerson({ email: "b@example.org" }, clientInfo("198.51.100.4")),
    ]);
    expect(both.map((it) => it.username).sort()).toEqual(["zoe.mueller", "zoe.mueller2"]);
  });

  test.each(["ab", "a".repeat(21), "Zoë", "with space", "admin", "guest.42", "..."])(
    "rejects %j",
    (username) => {
      expect(
        NewAccount.safeParse({ email: "zoe@example.org", password: PASSWORD, name: "Zoe", username }).success,
      ).toBe(false);
    },
  );

  test.each([
    ["李小龍", "member2"],
    ["Østen Ågård", "oesten.aagaard"],
    ["Admin", "admin2"],
    ["A very long name that goes on", "a.very.long.name.tha"],
  ])("suggested for %s is %s", async (name, username) => {
    expect(await suggestUsername(app.database.db, name)).toBe(username);
  });
});

describe("password rules", () => {
  test.each([
    ["short one", /^At least 10 /],
    ["aaaabbbbcccc", /^At least 6 different /],
    ["Password123!", /too common/],
    ["1234567890", /too common/],
    ["the zoe.mueller way", /cannot contain your name/],
    ["long words ".repeat(24), /^At most 256 /],
  ])("refuse %j", async (password, sentence) => {
    await expect(registerPerson({ password })).rejects.toMatchObject({
      reason: "invalid",
      fields: { password: expect.stringMatching(sentence) },
    });
    expect(await listPeople()).toEqual([]);
  });

  test("accept any sentence in any script", async () => {
    expect(await registerPerson({ password: "七只棕色的母鸡在唱歌呢" })).toMatchObject({
      state: "unverified",
    });
  });
});

test("an unconfirmed registration is deleted after 14 days", async () => {
  await registerPerson();
  database.clock.pass(14 * DAY);
  expect(await database.inTransaction(deleteUnverified)).toBe(0);
  database.clock.pass(SECOND);
  expect(await database.inTransaction(deleteUnverified)).toBe(1);
  expect((await one(database.db, sql<{ n: number }>`select count(*)::int as n from people`)).n).toBe(0);
});
