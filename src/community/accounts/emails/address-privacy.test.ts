import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { many, sql } from "#platform/database";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { NewAccount } from "../account-forms.ts";
import {
  sendResetLink,
  sendSignInLink,
  register,
  signIn,
  sendPasswordLink,
  resendConfirmationTo,
  changeEmail,
  changePendingAddress,
} from "../index.ts";

/**
 * Requests with an address run the same statements in the same order for known and unknown ones, so that
 * timing does not reveal who is a member.
 */
const database = await testDatabase();
const app = createAccountsContext(database);
afterEach(() => void vi.restoreAllMocks());

/** Runs `work` and returns all statements that it sends to the database. */
async function statementsOf(work: () => Promise<unknown>) {
  const texts: string[] = [];
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given as [string | { text: string }];
    texts.push(typeof first === "string" ? first : first.text);
    return query.apply(this, given) as never;
  });
  await work();
  spy.mockRestore();
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

const OPEN = {
  registration: "open",
  confirmAddress: true,
  registrationTries: 0,
  accountsPerAddress: 0,
  wrongPasswordsLock: 10,
} as const;
const account = (email: string, username: string) =>
  NewAccount.parse({ email, username, name: "Somebody", password: PASSWORD });

const ASKED: [string, (email: string, n: string) => Promise<unknown>][] = [
  ["password reset", (email) => sendResetLink(app, email, clientInfo())],
  ["sign-in link", (email) => sendSignInLink(app, email, clientInfo())],
  ["registration", (email, n) => register(app, account(email, `some.${n}`), clientInfo())],
  [
    "sign-in with a wrong password",
    (email) => signIn(app, { login: email, password: "not it at all" }, clientInfo(), "web").catch(() => {}),
  ],
  [
    "password reset by a program",
    (email) => sendPasswordLink(app, { id: null, role: "guest" } as never, email, clientInfo()),
  ],
  [
    "confirmation asked for again",
    (email) => resendConfirmationTo(app, { id: null, role: "guest" } as never, email, clientInfo()),
  ],
  [
    "address asked for by a member",
    async (email) => {
      const me = await app.member({ username: `me${email.length}${email[0]}` });
      return changeEmail(app, me, { email, password: PASSWORD });
    },
  ],
];

test.each(ASKED)(
  "the function %s does the same work for a known and an unknown address",
  async (_what, ask) => {
    await app.set(OPEN);
    await app.member({ username: "ana" });
    await app.member({ username: "uma", state: "unverified" });
    await app.settings.get();
    // Warm-up, so that nothing is measured that happens only once.
    await ask("first@example.org", "first");
    const unknown = await statementsOf(() => ask("nobody@example.org", "a"));
    const known = await statementsOf(() => ask("ana@example.org", "b"));
    const waiting = await statementsOf(() => ask("uma@example.org", "c"));
    expect(unknown.length).toBeGreaterThan(0);
    expect(known).toEqual(unknown);
    expect(waiting).toEqual(unknown);
  },
);

test("registration reserves the username and gives the same answer whether or not the address is taken", async () => {
  await app.set(OPEN);
  await app.member({ username: "ana" });
  const free = await register(app, account("new@example.org", "first.wish"), clientInfo());
  const registrationResult = await register(app, account("ana@example.org", "second.wish"), clientInfo());
  expect([registrationResult.state, Object.keys(registrationResult)]).toEqual([
    free.state,
    Object.keys(free),
  ]);
  for (const username of ["first.wish", "second.wish"])
    await expect(register(app, account("other@example.org", username), clientInfo())).rejects.toMatchObject({
      fields: { username: expect.any(String) as string },
    });
  const move = (it: typeof free, email: string) =>
    statementsOf(() => changePendingAddress(app, it.pending, email, clientInfo()));
  expect(await move(registrationResult, "x@example.org")).toEqual(await move(free, "y@example.org"));
  expect((await app.mailTo("x@example.org"))!.text).toContain("/login/confirm?token=");
  expect((await app.mailTo("ana@example.org"))!.text).toContain("/resetPassword");
});

test("the limit for resending an email is the same for an unknown address", async () => {
  await app.set(OPEN);
  await app.member({ username: "uma", state: "unverified" });
  const again = (email: string) =>
    resendConfirmationTo(app, { id: null, role: "guest" } as never, email, clientInfo());
  for (const email of ["uma@example.org", "nobody@example.org"]) {
    await again(email);
    await expect(again(email)).rejects.toMatchObject({ reason: "too-many" });
  }
});

test("a job that contains an address is deleted once its email is sent", async () => {
  await app.member({ username: "ana" });
  await sendResetLink(app, "ana@example.org", clientInfo());
  expect((await app.mailTo("ana@example.org"))!.text).toContain("/resetPassword?token=");
  expect(
    await many(database.db, sql`select from graphile_worker.jobs where task_identifier = 'account-mail'`),
  ).toEqual([]);
});
