import { describe, expect, test } from "vitest";
import { SECOND } from "#platform/clock";
import { listMailbox } from "#platform/mail";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { clientInfo, createAccountsContext } from "../../../../test/support/accounts/accounts-context.ts";
import {
  parseAccountForm,
  createRegistrationSetup,
} from "../../../../test/support/accounts/registration-setup.ts";
import { register, createFormToken } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { registerPerson, listPeople } = createRegistrationSetup(database, app);

describe("bot check", () => {
  const guarded = (honeypot: string, started: string) =>
    register(app, parseAccountForm(), clientInfo(), { botCheck: { honeypot, started } });

  test("accepts a form that took a few seconds to fill in", async () => {
    const started = createFormToken(app);
    database.clock.pass(3 * SECOND);
    expect(await guarded("", started)).toMatchObject({ state: "unverified" });
  });

  test("refuses a form that was sent too quickly or has a forged start time", async () => {
    await expect(guarded("", createFormToken(app))).rejects.toMatchObject({ reason: "invalid" });
    await expect(guarded("", "made-up")).rejects.toMatchObject({ reason: "invalid" });
  });

  test("reports success when the honeypot is filled in, but creates nothing", async () => {
    const started = createFormToken(app);
    database.clock.pass(3 * SECOND);
    expect(await guarded("https://spam.example", started)).toMatchObject({
      state: "unverified",
      username: "zoe.mueller",
    });
    expect(await listPeople()).toEqual([]);
    expect(await listMailbox(database.db)).toEqual([]);
  });

  test("allows three accounts a day per network", async () => {
    for (const n of [1, 2, 3])
      await registerPerson({ email: `p${n}@example.org` }, clientInfo(`2001:db8:1:2::${n}`));
    await expect(
      registerPerson({ email: "p4@example.org" }, clientInfo("2001:db8:1:2:ffff::4")),
    ).rejects.toMatchObject({
      reason: "too-many",
      retryAfter: expect.any(Number),
    });
    expect(await registerPerson({ email: "p5@example.org" }, clientInfo("2001:db8:1:3::1"))).toMatchObject({
      state: "unverified",
    });
  });
});
