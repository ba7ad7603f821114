import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { listMailbox } from "#platform/mail";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { NewAccount, deleteUnverified } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);

const form = (more: Partial<Record<keyof NewAccount, string>> = {}) =>
  NewAccount.parse({ email: "zoe@example.org", password: PASSWORD, name: "Zoë Müller", ...more });
const register = (more: Parameters<typeof form>[0] = {}, by = clientInfo()) =>
  app.accounts.register(form(more), by);
const people = () =>
  many(
    database.db,
    sql<{
      username: string;
      email: string;
      state: string;
      locale: string;
    }>`select username, email, state, locale from people`,
  );

describe("registration", () => {
  test("creates an unconfirmed account that the emailed link opens", async () => {
    const registered = await register({}, clientInfo("203.0.113.1", { acceptLanguage: "DE-at,en;q=0.5" }));
    expect(registered).toMatchObject({ username: "zoe.mueller", state: "unverified" });
    expect(await people()).toEqual([
      { username: "zoe.mueller", email: "zoe@example.org", state: "unverified", locale: "de" },
    ]);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({
      subject: "Bestätige deine Adresse für Kith",
    });

    const opened = await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), {
      password: PASSWORD,
    });
    expect(opened).toMatchObject({ kind: "confirmed", personId: registered.id, state: "active" });
    expect(await app.events("person.joined")).toHaveLength(1);
  });

  test("stores the join reason and the accepted rules version", async () => {
    const said = { reason: "I like walnuts.", rulesVersion: 2 };
    const { id } = await app.accounts.register(form(), clientInfo(), { said });
    const kept = sql`select join_reason as reason, rules_accepted_version as "rulesVersion" from people where id = ${id}`;
    expect(await one(database.db, kept)).toEqual(said);
    await app.member({ username: "ben", email: "ben@example.org" });
    await app.accounts.register(form({ email: "ben@example.org" }), clientInfo(), { said });
    const saying = await many(
      database.db,
      sql`select email from people where join_reason <> '' order by created_at, id`,
    );
    expect(saying).toEqual([{ email: "zoe@example.org" }, { email: null }]);
  });

  test("gives the same answer for a taken address, whose owner gets an email", async () => {
    await app.member({ username: "zoe", email: "Zoe@Example.org" });
    const registered = await register({ username: "zoe.two" });
    expect(registered).toMatchObject({ username: "zoe.two", state: "unverified" });
    expect(await people()).toMatchObject([
      { username: "zoe", email: "Zoe@Example.org", state: "active" },
      { username: "zoe.two", email: null, state: "unverified" },
    ]);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({ subject: "You already have an account" });
  });

  test("refuses when registration is closed", async () => {
    await app.set({ registration: "closed" });
    await expect(register()).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("waits for approval where the settings require it", async () => {
    await app.set({ registration: "approval" });
    const { id } = await register();
    expect(
      await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD }),
    ).toMatchObject({
      state: "pending_approval",
    });
    await expect(
      app.accounts.signIn({ login: "zoe@example.org", password: PASSWORD }, clientInfo(), "web"),
    ).rejects.toMatchObject({
      state: "pending_approval",
    });

    await expect(app.accounts.approve(await app.member({ username: "ben" }), id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await app.accounts.approve(await app.member({ username: "moe", role: "moderator" }), id);
    expect(await app.mailTo("zoe@example.org")).toMatchObject({ subject: "Welcome to Kith" });
    expect(
      await app.accounts.signIn({ login: "zoe.mueller", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("opens the account at once without confirmation, and then reveals a taken address", async () => {
    await app.set({ confirmAddress: false });
    expect(await register()).toMatchObject({ state: "active" });
    await expect(register({}, clientInfo("203.0.113.9"))).rejects.toMatchObject({
      reason: "conflict",
      fields: { email: expect.any(String) },
    });
  });

  test("turns an API guest into a member", async () => {
    const session = await app.accounts.signInAsGuest(clientInfo(), "wire");
    const { id } = await app.accounts.register(form(), clientInfo(), { guestId: session.personId });
    expect(id).toBe(session.personId);
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    expect(await people()).toMatchObject([{ username: "zoe.mueller", state: "active" }]);
    await expect(
      app.accounts.register(form({ email: "z2@example.org" }), clientInfo(), { guestId: session.personId }),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
  });

  test("creates one account for two concurrent requests with the same address", async () => {
    await Promise.all([register(), register(), register()]);
    expect(await people()).toHaveLength(1);
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
  });
});

describe("username", () => {
  test("goes to one of two concurrent requests", async () => {
    const both = await Promise.allSettled([
      register({ email: "a@example.org", username: "robin" }),
      register({ email: "b@example.org", username: "robin" }, clientInfo("198.51.100.4")),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({
      reason: "conflict",
      fields: { username: expect.any(String) },
    });
  });

  test("suggests another for the second person with the same name", async () => {
    const both = await Promise.all([
      register({ email: "a@example.org" }),
      register({ email: "b@example.org" }, clientInfo("198.51.100.4")),
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
  ])("suggests for %s the username %s", async (name, username) => {
    expect(await app.accounts.suggestUsername(name)).toBe(username);
  });
});

describe("password rules", () => {
  test.each([
    ["short one", /at least 10/],
    ["aaaabbbbcccc", /6 different/],
    ["Password123!", /first that others/],
    ["1234567890", /first that others/],
    ["the zoe.mueller way", /leave your name/],
    ["long words ".repeat(24), /at most 256/],
  ])("rejects %j", async (password, sentence) => {
    await expect(register({ password })).rejects.toMatchObject({
      reason: "invalid",
      fields: { password: expect.stringMatching(sentence) },
    });
    expect(await people()).toEqual([]);
  });

  test("accepts any sentence in any script", async () => {
    expect(await register({ password: "七只棕色的母鸡在唱歌呢" })).toMatchObject({ state: "unverified" });
  });
});

describe("bot check", () => {
  const guarded = (honeypot: string, started: string) =>
    app.accounts.register(form(), clientInfo(), { guard: { honeypot, started } });

  test("accepts a form that took a while to fill in", async () => {
    const started = app.accounts.formStart();
    database.clock.pass(3 * SECOND);
    expect(await guarded("", started)).toMatchObject({ state: "unverified" });
  });

  test("asks to resubmit a form that came too quickly or has a forged start", async () => {
    await expect(guarded("", app.accounts.formStart())).rejects.toMatchObject({ reason: "invalid" });
    await expect(guarded("", "made-up")).rejects.toMatchObject({ reason: "invalid" });
  });

  test("pretends success when the honeypot is filled in, and creates nothing", async () => {
    const started = app.accounts.formStart();
    database.clock.pass(3 * SECOND);
    expect(await guarded("https://spam.example", started)).toMatchObject({
      state: "unverified",
      username: "zoe.mueller",
    });
    expect(await people()).toEqual([]);
    expect(await listMailbox(database.db)).toEqual([]);
  });

  test("allows three accounts a day per network", async () => {
    for (const n of [1, 2, 3])
      await register({ email: `p${n}@example.org` }, clientInfo(`2001:db8:1:2::${n}`));
    await expect(
      register({ email: "p4@example.org" }, clientInfo("2001:db8:1:2:ffff::4")),
    ).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: expect.any(Number),
    });
    expect(await register({ email: "p5@example.org" }, clientInfo("2001:db8:1:3::1"))).toMatchObject({
      state: "unverified",
    });
  });
});

describe("confirmation link", () => {
  test("works once, even when opened twice at once", async () => {
    await register();
    const token = await app.tokenTo("zoe@example.org");
    const both = await Promise.allSettled([
      app.accounts.confirmEmail(token, { password: PASSWORD }),
      app.accounts.confirmEmail(token, { password: PASSWORD }),
    ]);
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(app.accounts.confirmEmail(token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("expires after 48 hours", async () => {
    await register();
    const token = await app.tokenTo("zoe@example.org");
    database.clock.pass(48 * HOUR);
    await expect(app.accounts.confirmEmail(token, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("resends at most once a minute, and only the newest works", async () => {
    const { pending } = await register();
    const first = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.resendConfirmation(pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: 60,
    });
    database.clock.pass(MINUTE);
    await app.accounts.resendConfirmation(pending, clientInfo());
    await expect(app.accounts.resendConfirmation(pending, clientInfo())).rejects.toMatchObject({
      reason: "too-many",
    });
    const second = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.confirmEmail(first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    expect(await app.accounts.confirmEmail(second, { password: PASSWORD })).toMatchObject({
      state: "active",
    });
  });

  test("goes to a corrected address, and the first link stops working", async () => {
    const { pending } = await register();
    const first = await app.tokenTo("zoe@example.org");
    await expect(app.accounts.changePendingAddress(pending, "nonsense", clientInfo())).rejects.toMatchObject({
      fields: { email: expect.any(String) },
    });
    await app.accounts.changePendingAddress(pending, "zoe@example.net", clientInfo());
    await expect(app.accounts.confirmEmail(first, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.net"), { password: PASSWORD });
    expect(await people()).toMatchObject([{ email: "zoe@example.net", state: "active" }]);
    await expect(
      app.accounts.changePendingAddress(pending, "zoe@example.com", clientInfo()),
    ).rejects.toMatchObject({ reason: "conflict" });
  });

  test("lets a person who mistyped into another's address continue with their own", async () => {
    await app.member({ username: "ben", email: "ben@example.org" });
    const { pending } = await register({ email: "ben@example.org" });
    await app.accounts.changePendingAddress(pending, "zoe@example.org", clientInfo());
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    expect(
      await app.accounts.signIn({ login: "zoe@example.org", password: PASSWORD }, clientInfo(), "web"),
    ).toMatchObject({
      kind: "signed-in",
    });
  });

  test("does not restart a replaced registration once registration is closed", async () => {
    const { pending } = await register({ username: "first" });
    await register({ username: "second" }, clientInfo("198.51.100.4"));
    await app.set({ registration: "closed" });
    const correct = () => app.accounts.changePendingAddress(pending, "zoe@example.net", clientInfo());
    await expect(correct()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await people()).toMatchObject([{ username: "second" }]);
    await app.set({ registration: "open" });
    await correct();
    expect(await people()).toHaveLength(2);
  });

  test("belongs to the latest registration, which replaces an earlier one for the same address", async () => {
    await register({ password: "somebody else knows this", username: "stranger" });
    const planted = await app.tokenTo("zoe@example.org");
    database.clock.pass(SECOND);
    await register({}, clientInfo("198.51.100.4"));
    await expect(app.accounts.confirmEmail(planted, { password: PASSWORD })).rejects.toMatchObject({
      reason: "gone",
    });
    await app.accounts.confirmEmail(await app.tokenTo("zoe@example.org"), { password: PASSWORD });
    await expect(
      app.accounts.signIn(
        { login: "zoe@example.org", password: "somebody else knows this" },
        clientInfo(),
        "web",
      ),
    ).rejects.toMatchObject({ reason: "invalid" });
  });
});

test("unconfirmed registration is deleted after 14 days", async () => {
  await register();
  database.clock.pass(14 * DAY);
  expect(await database.inTransaction(deleteUnverified)).toBe(0);
  database.clock.pass(SECOND);
  expect(await database.inTransaction(deleteUnverified)).toBe(1);
  expect((await one(database.db, sql<{ n: number }>`select count(*)::int as n from people`)).n).toBe(0);
});
