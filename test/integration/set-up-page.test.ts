import { expect, test } from "vitest";
import { ensureFirstAdmin } from "#community/accounts";
import { openSettings } from "#community/settings";
import { one, sql } from "#platform/database";
import { createTestAccounts } from "../support/accounts/test-accounts.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server } = await serveBuiltPages(database);

/** Starts an empty community; pages use the real clock. */
async function startEmpty(): Promise<string> {
  database.clock.pass(Date.now() - database.clock.at.getTime());
  const app = createTestAccounts(database, {
    settings: openSettings(database),
    origin: () => "http://kith.test",
  });
  const admin = await ensureFirstAdmin(app, { email: "admin@kith.test", password: null });
  return admin!.link!.replace("http://kith.test", "");
}

const FORM = {
  community: "Riverside",
  sentence: "Neighbours by the river.",
  accent: "#0b6b5d",
  name: "Lena Berg",
  username: "",
  email: "lena@example.org",
  password: "walnut kettle orbit seven",
  group: "everyone",
  groupName: "General",
};
const post = (url: string, fields: Record<string, string>, cookies = "") =>
  server.inject({
    url,
    method: "POST",
    headers: {
      host: "kith.test",
      origin: "http://kith.test",
      "content-type": "application/x-www-form-urlencoded",
      ...(cookies && { cookie: cookies }),
    },
    payload: new URLSearchParams(fields).toString(),
  });
type Answer = Awaited<ReturnType<typeof post>>;
const cookiesOf = ({ headers }: Answer) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

test("the set-up page signs the first admin in and shows an invite link and the checklist", async () => {
  const link = await startEmpty();
  const page = await server.inject({ url: link });
  expect(page.body).toContain('name="community"');
  expect(page.body).not.toContain("admin@kith.test");
  expect(page.headers["referrer-policy"]).toBe("same-origin");
  // The address that earlier starts printed leads there too.
  const old = await server.inject({ url: link.replace("/setup", "/resetPassword") });
  expect(old.headers.location).toBe(link);

  const refused = await post(link, { ...FORM, password: "short" });
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('value="Riverside"');
  const ready = await post(link, FORM);
  expect(ready.body).toContain("Riverside is ready");
  const invitation = /http:\/\/kith\.test(\/invite\/[\w-]{43})/.exec(ready.body)![1]!;
  expect((await server.inject({ url: invitation })).body).toContain("Lena Berg invites you to");

  const cookie = cookiesOf(ready);
  const home = (await server.inject({ url: "/", headers: { cookie } })).body;
  expect(home).toContain("Write the community rules");
  expect(await one(database.db, sql`select recipient from mails`)).toEqual({ recipient: "lena@example.org" });
  expect((await server.inject({ url: link })).body).toContain("This link no longer works");

  expect((await post("/setup/checklist", { intent: "dismiss" }, cookie)).headers.location).toBe("/");
  expect((await server.inject({ url: "/", headers: { cookie } })).body).not.toContain(
    "Write the community rules",
  );
});

test("the set-up page shows nothing without its link, and guests cannot change the checklist", async () => {
  await startEmpty();
  for (const url of ["/setup", "/setup?token=nonsense"]) {
    const { body } = await server.inject({ url });
    expect(body).toContain("This link no longer works");
    expect(body).not.toContain('name="community"');
  }
  expect((await post("/setup?token=nonsense", FORM)).body).not.toContain("is ready");
  expect((await post("/setup/checklist", { intent: "dismiss" })).statusCode).not.toBe(302);
  expect(await openSettings(database).get()).toMatchObject({ setupChecklist: true, name: "Kith" });
});
