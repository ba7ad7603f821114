import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  SOCIAL_APP as KEYS,
  startSocialProviders,
} from "../../../../test/support/accounts/social-providers.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let there: Awaited<ReturnType<typeof startSocialProviders>>;
let testApi: TestRestApi;
beforeAll(async () => {
  there = await startSocialProviders();
  testApi = await startTestApi(database, {
    providers: [
      { kind: "facebook", name: "facebook", ...KEYS, at: there.at },
      { kind: "twitter", name: "twitter", ...KEYS, at: there.at },
    ],
  });
});
beforeEach(async () => {
  testApi.forget();
  there.state.ill = false;
  await testApi.set({ accountsPerAddress: 0, apiCalls: 0 });
});
afterAll(async () => {
  await testApi.close();
  await there.close();
});

const askFor = (path: string, body: object) =>
  testApi.call("POST", `/${APP}/${CLIENT}${path}`, body, { origin: testApi.origin() });
const people = async () =>
  (await many(database.db, sql<{ email: string }>`select email from people order by email`)).map(
    (it) => it.email,
  );
const rolesOf = async (token: string) =>
  (await testApi.call("GET", "/api/users/userroles", undefined, { "user-token": token })).body;

/** Runs a popup to the provider and back; returns what its last page posts. */
async function popup(provider: string, change: (back: URL) => void = () => {}) {
  const urlResponse = await askFor(`/users/social/oauth/${provider}/request_url`, {
    fieldsMapping: {},
    permissions: [],
  });
  const startResponse = await fetch(JSON.parse(urlResponse.text) as string, { redirect: "manual" });
  const cookie = startResponse.headers.getSetCookie()[0]!.split(";")[0]!;
  const sent = startResponse.headers.get("location")!;
  const location = (await fetch(sent, { redirect: "manual" })).headers.get("location")!;
  const back = new URL(location, `${testApi.origin()}/api/users/social/return/${provider}`);
  change(back);
  const page = await (await fetch(back, { redirect: "manual", headers: { cookie } })).text();
  return JSON.parse(JSON.parse(/postMessage\((".*"),"http/.exec(page)![1]!) as string) as Record<
    string,
    unknown
  >;
}

describe("Facebook sign-in", () => {
  test("requires confirmation of the email address after the popup", async () => {
    expect(await popup("facebook")).toEqual({
      fault: expect.stringContaining("Confirm your email address") as string,
    });
    expect(await many(database.db, sql`select state from people`)).toEqual([{ state: "unverified" }]);
    expect(await popup("facebook", (back) => back.searchParams.set("code", "guessed"))).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
    expect(await popup("facebook", (back) => back.searchParams.set("state", "other"))).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
  });

  test("accepts an SDK token that was issued for our app", async () => {
    await known("facebook", "10158777700000001");
    const user = await testApi.sdk().UserService.loginWithFacebookSdk("fb-ana", {}, false);
    expect(user).toMatchObject({ name: "known", "user-token": expect.any(String) as string });
    expect(await rolesOf((user as unknown as Record<string, string>)["user-token"]!)).toEqual(
      expect.arrayContaining(["FacebookUser", "SocialUser"]),
    );
  });

  test.each([
    ["issued for another app", "fb-elsewhere"],
    ["made up", "made-up"],
    ["too long", "x".repeat(8_001)],
  ])("refuses a token that was %s", async (_which, accessToken) => {
    await known("facebook", "10158777700000001");
    expect((await askFor("/users/social/facebook/sdk/login", { accessToken })).body).toMatchObject({
      code: 3014,
    });
  });

  test("refuses a token with a secret, and reports a failing provider as unavailable", async () => {
    const input = { accessToken: "fb-ana", accessTokenSecret: "y" };
    expect((await askFor("/users/social/facebook/login", input)).body).toMatchObject({
      code: 3014,
      message: expect.stringContaining("OAuth 2") as string,
    });
    there.state.ill = true;
    expect((await askFor("/users/social/facebook/sdk/login", { accessToken: "fb-ana" })).status).toBe(503);
  });
});

describe("X sign-in", () => {
  test("returns the user from the popup, with the address confirmed by the provider", async () => {
    const user = await popup("twitter");
    expect(user).toMatchObject({ name: "Bo Lind", email: "bo@example.org", socialAccount: "TWITTER" });
    expect(await rolesOf(user["user-token"] as string)).toEqual(expect.arrayContaining(["TwitterUser"]));
    expect(await popup("twitter", (back) => back.searchParams.set("oauth_verifier", "no"))).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
    expect(await popup("twitter", (back) => back.searchParams.set("oauth_token", "another"))).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
    expect(await popup("twitter", (back) => (back.search = "?denied=asked"))).toEqual({
      fault: expect.stringContaining("did not allow") as string,
    });
  });

  test("requires a matching token and secret", async () => {
    const user = await testApi.sdk().UserService.loginWithOauth1("twitter", "x-bo", "secret-of-bo");
    expect(user).toMatchObject({ name: "Bo Lind" });
    for (const accessTokenSecret of ["guessed", "", null])
      expect(
        (await askFor("/users/social/twitter/login", { accessToken: "x-bo", accessTokenSecret })).body,
      ).toMatchObject({ code: 3014 });
    expect(await people()).toEqual(["bo@example.org"]);
  });

  test("reports a failing provider as unavailable", async () => {
    there.state.ill = true;
    expect(
      (await askFor("/users/social/twitter/login", { accessToken: "x-bo", accessTokenSecret: "y" })).status,
    ).toBe(503);
  });
});

/** A person who has signed in with the provider before. */
async function known(provider: string, subject: string) {
  const id = await testApi.member("known");
  await run(
    database.db,
    sql`insert into provider_identities (provider, subject, person_id, linked_at)
      values (${provider}, ${subject}, ${id}, ${database.clock.at})`,
  );
}
