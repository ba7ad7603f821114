import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { expect, test } from "vitest";
import { createFormToken, createSealer, listAccounts } from "#community/accounts";
import { createProofChallenge } from "#community/prevention";
import { openSettings } from "#community/settings";
import { SECOND } from "#platform/clock";
import { one, sql } from "#platform/database";
import { createTestUsers } from "../support/test-users.ts";
import { sendAccountMails } from "../support/account-mails.ts";
import { createTestAccounts } from "../support/accounts/test-accounts.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Registration with the setting that requires a proof of work. */

const database = await testDatabase();
const { inTransaction: within } = database;
const { server, signer } = await serveBuiltPages(database);

async function setup(proofForRegistration = true) {
  const { ada } = await createTestUsers(database);
  const settings = openSettings(database);
  await within((tx) => settings.set(tx, ada, { proofForRegistration }));
  const now = () => database.clock.at;
  const app = { settings, signer, now, proofEffort: 5 };
  const accounts = createTestAccounts(database, { settings, seal: Buffer.alloc(32) });
  async function solve() {
    const challenge = (await createProofChallenge(app, "register"))!;
    return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
  }
  async function register(email: string, proof: string) {
    const started = createFormToken({ sealer: createSealer(Buffer.alloc(32)), now });
    database.clock.pass(3 * SECOND);
    const fields = {
      name: "Zoe",
      email,
      password: "seven brown hens",
      website: "",
      started,
      next: "/",
      proof,
    };
    return server.inject({
      method: "POST",
      url: "/register",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "http://kith.test",
        host: "kith.test",
      },
      payload: new URLSearchParams(fields).toString(),
    });
  }
  /** Opens the emailed link in another browser; returns the email's text and the account's state. */
  async function confirm(email: string) {
    await sendAccountMails(database, accounts);
    const { text } = await one(
      database.db,
      sql<{ text: string }>`select body_text as text from mails where recipient = ${email}`,
    );
    await server.inject({
      method: "POST",
      url: `/login/confirm?token=${/token=([\w-]+)/.exec(text)![1]!}`,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "http://kith.test",
        host: "kith.test",
      },
      payload: "intent=without-password",
    });
    const { state } = await one(
      database.db,
      sql<{ state: string }>`select state from people where email = ${email}`,
    );
    return { text, state };
  }
  return { ada, register, solve, confirm };
}

test("registration with a proof of work opens the account, and each proof counts once", async () => {
  const { register, solve, confirm } = await setup();
  expect((await server.inject({ url: "/register" })).body).toContain('name="proof"');
  const proof = await solve();
  expect((await register("zoe@example.net", proof)).statusCode).toBe(302);
  const again = await register("zoe2@example.net", proof);
  expect(again.statusCode).toBe(422);
  expect(again.body).toContain("The form has expired. Send it again.");
  expect(await confirm("zoe@example.net")).toMatchObject({ state: "active" });
});

test("registration without a proof waits for approval, which page, email and moderators explain", async () => {
  const { ada, register, confirm } = await setup();
  const sent = await register("zoe@example.net", "");
  expect(sent.statusCode).toBe(302);
  const cookie = String(sent.headers["set-cookie"]).split(";")[0]!;
  const page = await server.inject({ url: "/login/sent", headers: { cookie } });
  expect(page.body).toContain("A moderator then reviews your registration.");
  const { text, state } = await confirm("zoe@example.net");
  expect(text).toMatch(/moderator\s+then\s+reviews\s+your\s+registration/);
  expect(state).toBe("pending_approval");
  const { accounts } = await listAccounts(database.db, ada, { state: "pending_approval" });
  expect(accounts).toMatchObject([{ name: "Zoe", lacksProof: true }]);
});

test("registration needs no proof where the setting is off", async () => {
  const { register, confirm } = await setup(false);
  expect((await server.inject({ url: "/register" })).body).not.toContain('name="proof"');
  expect((await register("zoe@example.net", "")).statusCode).toBe(302);
  expect(await confirm("zoe@example.net")).toMatchObject({ state: "active" });
});
