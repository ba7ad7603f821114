import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { createSigner } from "#platform/signing";
import { listApiMailRecipients } from "#community/mail";
import { openSettings } from "#community/settings";
import { GuestPageCache, type WebContext, servePages } from "#web/server";
import { loadWebBuild } from "../../src/app/web-build.ts";
import { createTestUsers, type TestUsers } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** The page behind `List-Unsubscribe`, as mail programs and people without a session reach it. */
const database = await testDatabase();
const signer = createSigner(Buffer.alloc(32, 7));
const settings = openSettings(database);
const app = {
  database,
  db: database.db,
  now: () => database.clock.at,
  settings,
  limits: new Limits(),
  log: createLog("silent"),
  signer,
  origin: () => "https://kith.test",
  mailboxOpen: false,
  signInProviders: new Map(),
  publicConfig: { appId: "", clientKey: "", searchKey: "", search: { lite: true, cache: true } },
  searchKeyOf: () => "",
  pushKey: "",
} as unknown as WebContext;
const server = createHttpServer({ log: app.log, trustProxy: false });
await servePages(server, { app, pages: new GuestPageCache(), build: await loadWebBuild(), production: true });
afterAll(() => server.close());

let people: TestUsers;
let path = "";
beforeEach(async () => {
  settings.forget();
  people = await createTestUsers(database);
  path = `/unsubscribe/${signer.sign("stop-mail", `${people.mira.id} digest`)}`;
});

const stops = async () =>
  (await one(database.db, sql<{ n: number }>`select count(*)::int as n from mail_suppressions`)).n;
const post = (payload: string, headers: Record<string, string> = {}, to = path) =>
  server.inject({
    method: "POST",
    url: to,
    payload,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

describe("one-click unsubscribe (RFC 8058)", () => {
  test("works without a cookie or redirect, also on repetition", async () => {
    for (const answer of [
      await post("List-Unsubscribe=One-Click"),
      await post("List-Unsubscribe=One-Click"),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect(await stops()).toBe(1);
  });

  test("stops only mail of API clients with their unsubscribe token", async () => {
    const reachable = () =>
      listApiMailRecipients({ db: database.db, signer, origin: () => "https://kith.test" }, [people.mira.id]);
    const [{ unsubscribe } = { unsubscribe: "" }] = await reachable();
    const to = unsubscribe.slice("https://kith.test".length);
    expect((await server.inject(to)).body).toContain(
      "You receive emails sent by API clients of this community.",
    );
    expect((await post("List-Unsubscribe=One-Click", {}, to)).body).toContain(
      "You will receive no more emails from API clients.",
    );
    expect(await reachable()).toEqual([]);
    expect(await one(database.db, sql`select mail_level from people where id = ${people.mira.id}`)).toEqual({
      mail_level: "important",
    });
    await post("wish=resume", {}, to);
    expect(await reachable()).toHaveLength(1);
  });

  test("works in a private community too", async () => {
    await run(
      database.db,
      sql`insert into settings (key, value, changed_at) values ('audience', '"private"', now())`,
    );
    expect((await post("List-Unsubscribe=One-Click")).statusCode).toBe(200);
    expect((await server.inject(path)).statusCode).toBe(200);
    expect(await stops()).toBe(1);
  });

  test("rejects a request from another site", async () => {
    expect((await post("List-Unsubscribe=One-Click", { origin: "https://elsewhere.test" })).statusCode).toBe(
      403,
    );
    expect(await stops()).toBe(0);
  });

  test.each(["nonsense", "a".repeat(900), "%00", signer.sign("stop-mail", "nobody digest")])(
    "rejects an invalid token: %s",
    async (token) => {
      const answer = await post("List-Unsubscribe=One-Click", {}, `/unsubscribe/${token}`);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      const page = await server.inject(`/unsubscribe/${token}`);
      expect(page.statusCode).toBeLessThan(500);
      if (page.statusCode === 404) expect(page.body).toContain("This link is incomplete.");
      expect(await stops()).toBe(0);
    },
  );
});

test("opening the unsubscribe page changes nothing; its buttons unsubscribe and resubscribe", async () => {
  const page = await server.inject(path);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("You receive digests of what you have not read.");
  expect(page.body).toContain("noindex");
  expect(page.headers["cache-control"]).toContain("private");
  expect(await stops()).toBe(0);
  expect((await post("wish=stop")).body).toContain("You will receive no more digests.");
  expect((await post("wish=resume")).body).toContain("You receive digests");
  expect(await stops()).toBe(0);
  expect((await post("wish=all")).body).toContain("You will receive no more emails.");
  expect(
    await one(database.db, sql`select mail_level as level from people where id = ${people.mira.id}`),
  ).toEqual({ level: "nothing" });
});
