import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "#platform/clock";
import { run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { sendSignInLink, signInByLink, confirmEmail } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const anywhere = (n: number) => clientInfo(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);

describe("sign-in link", () => {
  const ask = async (address = "ana@example.org") => ({
    ...(await sendSignInLink(app, address, clientInfo())),
    token: await app.tokenTo(address),
  });

  test("works once in the requesting browser, even when opened twice at once", async () => {
    await app.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    const both = await Promise.allSettled(
      [1, 2].map(() => signInByLink(app, token, { browserSecret }, clientInfo(), "web")),
    );
    expect(both.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((it) => it.status === "rejected")?.reason).toMatchObject({ reason: "gone" });
  });

  test("requires a confirmation in another browser, and stays valid", async () => {
    await app.member({ username: "ana" });
    const { token } = await ask();
    expect(await signInByLink(app, token, { browserSecret: "another" }, clientInfo(), "web")).toEqual({
      kind: "confirm",
    });
    expect(await signInByLink(app, token, {}, clientInfo(), "web")).toEqual({ kind: "confirm" });
    expect(await signInByLink(app, token, { confirmed: true }, clientInfo(), "web")).toMatchObject({
      kind: "signed-in",
    });
  });

  test("expires after 15 minutes and is replaced by the next", async () => {
    await app.member({ username: "ana" });
    const first = await ask();
    database.clock.pass(SECOND);
    const second = await ask();
    await expect(signInByLink(app, first.token, first, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
    database.clock.pass(15 * MINUTE);
    await expect(signInByLink(app, second.token, second, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
  });

  test("gives the same answer for an unknown address", async () => {
    expect(await sendSignInLink(app, "nobody@example.org", clientInfo())).toEqual({
      browserSecret: expect.any(String),
    });
    expect(await app.mailTo("nobody@example.org")).toBeUndefined();
    expect(await sendSignInLink(app, "not an address", clientInfo())).toEqual({
      browserSecret: expect.any(String),
    });
  });

  test("sends the confirmation email for an unconfirmed account", async () => {
    await app.member({ username: "ana", state: "unverified" });
    const { token, browserSecret } = await ask();
    await expect(signInByLink(app, token, { browserSecret }, clientInfo(), "web")).rejects.toMatchObject({
      reason: "gone",
    });
    expect(await confirmEmail(app, token, { password: PASSWORD })).toMatchObject({ state: "active" });
  });

  test("does not work for a suspended account", async () => {
    const ana = await app.member({ username: "ana" });
    const { token, browserSecret } = await ask();
    await run(database.db, sql`update people set state = 'suspended' where id = ${ana.id}`);
    await expect(signInByLink(app, token, { browserSecret }, clientInfo(), "web")).rejects.toMatchObject({
      state: "suspended",
    });
  });

  test("sends at most five emails in half an hour per address", async () => {
    for (let n = 0; n < 5; n++) await sendSignInLink(app, "ana@example.org", anywhere(n));
    await expect(sendSignInLink(app, "ana@example.org", anywhere(9))).rejects.toMatchObject({
      reason: "too-many",
    });
  });
});
