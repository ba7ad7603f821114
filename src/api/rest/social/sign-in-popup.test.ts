import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { openOidcProvider, signInAtProvider } from "../../../../test/support/oidc-provider.ts";
import {
  APP,
  CLIENT,
  openTestApi,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let other: Awaited<ReturnType<typeof openOidcProvider>>;
let door: TestRestApi;
beforeAll(async () => {
  const port = await new Promise<number>((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => found(free));
    });
  });
  other = await openOidcProvider([`http://127.0.0.1:${port}/api/users/social/return/google`]);
  const google = {
    kind: "openid" as const,
    name: "google",
    issuer: other.issuer,
    clientId: "kith",
    clientSecret: "secret-of-kith",
  };
  door = await openTestApi(database, { providers: [google], port });
});
beforeEach(async () => {
  door.forget();
  await door.set({ accountsPerAddress: 0, apiCalls: 0 });
});
afterAll(async () => {
  await door.close();
  await other.close();
});

const PAGE = "http://localhost:8000";
const askFor = (path: string, body: object, origin = PAGE) =>
  door.call("POST", `/${APP}/${CLIENT}${path}`, body, { origin });
const asText = (answer: { text: string }) => JSON.parse(answer.text) as string;

/** Runs a popup from our URL to the provider and back, with its one cookie, to the last page. */
async function popup(url: string, login: string, cookie?: string) {
  const begun = await fetch(url, { redirect: "manual" });
  const kept = begun.headers.getSetCookie()[0]!.split(";")[0]!;
  const back = await signInAtProvider(begun.headers.get("location")!, login, door.origin());
  return fetch(back, { redirect: "manual", headers: { cookie: cookie ?? kept } });
}

/** The message posted by the last page, and its target origin. */
async function posted(answer: Response) {
  const said: { data: string; origin: string }[] = [];
  const script = /<script nonce="[^"]+">(.*)<\/script>/s.exec(await answer.text())![1]!;
  const opener = { postMessage: (data: string, origin: string) => said.push({ data, origin }) };
  runInNewContext(script, { window: { opener } });
  expect(said).toHaveLength(1);
  return { to: said[0]!.origin, data: JSON.parse(said[0]!.data) as Record<string, unknown> };
}

describe("sign-in popup", () => {
  test("ends on a page that reports the person to its opener only", async () => {
    const url = asText(
      await askFor("/users/social/oauth/googleplus/request_url", { fieldsMapping: {}, permissions: [] }),
    );
    expect(new URL(url).origin).toBe(door.origin());
    const answer = await popup(url, "ana");
    expect(answer.headers.get("x-frame-options")).toBe(null);
    expect(answer.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const { to, data } = await posted(answer);
    expect(to).toBe(PAGE);
    expect(data).toMatchObject({
      ___class: "Users",
      name: "Ana Berg",
      email: "ana@example.org",
      socialAccount: "GOOGLE",
      userStatus: "ENABLED",
    });
    const roles = await door.call("GET", "/api/users/userroles", undefined, {
      "user-token": data["user-token"] as string,
    });
    expect(roles.body).toEqual(expect.arrayContaining(["SocialUser", "GooglePlusUser", "AuthenticatedUser"]));
  });

  test("accepts frame addressing of clients, with the same result", async () => {
    const url = asText(await askFor("/users/social/oauth/googleplus/request_url", {}));
    expect((await posted(await popup(`${url}&amp;output=embed`, "ana"))).data).toMatchObject({
      name: "Ana Berg",
    });
  });

  test("reports failures: refused people and callbacks without a start", async () => {
    const url = asText(await askFor("/users/social/oauth/google/request_url", {}));
    expect((await posted(await popup(url, "nomail"))).data).toEqual({
      fault: expect.stringContaining("Confirm your email address") as string,
    });
    expect(
      (await posted(await popup(url, "ana", "kith_coming=made-up.aHR0cDovL2xvY2FsaG9zdDo4MDAw"))).data,
    ).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
    await door.set({ registration: "closed" });
    expect((await posted(await popup(url, "eve"))).data).toEqual({
      fault: expect.stringContaining("closed") as string,
    });
  });

  test("serves our own pages and named origins only", async () => {
    const refused = { code: 3014 };
    expect(
      (await askFor("/users/social/oauth/google/request_url", {}, "https://evil.example")).body,
    ).toMatchObject(refused);
    expect(
      (await door.call("GET", "/api/users/social/begin/google?to=https://evil.example")).body,
    ).toMatchObject(refused);
    expect(
      (await door.call("GET", "/api/users/social/begin/google?to=javascript:alert(1)")).body,
    ).toMatchObject(refused);
    const planted = Buffer.from("https://evil.example").toString("base64url");
    expect(
      (
        await door.call("GET", "/api/users/social/return/google?code=x", undefined, {
          cookie: `kith_coming=x.${planted}`,
        })
      ).body,
    ).toMatchObject(refused);
    await door.set({ signInOrigins: "https://app.example\nhttps://other.example" });
    expect((await askFor("/users/social/oauth/google/request_url", {}, "https://app.example")).status).toBe(
      200,
    );
  });

  test.each(["facebook", "twitter", "nowhere", "__proto__"])(
    "refuses the unknown provider %s",
    async (provider) => {
      expect((await askFor(`/users/social/oauth/${provider}/request_url`, {})).body).toMatchObject({
        code: 3014,
      });
    },
  );
});

test("redirect link returns to its page with the result in the fragment, which no log contains", async () => {
  const wanted = {
    fieldsMapping: {},
    permissions: [],
    redirect: true,
    redirectAfterLoginUrl: `${PAGE}/after?x=1`,
    callbackUrlDomain: null,
  };
  const url = asText(await askFor("/users/oauth/google/request_url", wanted));
  const answer = await popup(url, "ana");
  const there = new URL(answer.headers.get("location")!);
  expect(`${there.origin}${there.pathname}${there.search}`).toBe(`${PAGE}/after?x=1`);
  const said = new URLSearchParams(there.hash.slice(1));
  expect((await door.call("GET", `/api/users/isvalidusertoken/${said.get("userToken")}`)).text).toBe("true");
  const elsewhere = { ...wanted, redirectAfterLoginUrl: "https://evil.example/after" };
  expect((await askFor("/users/oauth/google/request_url", elsewhere)).body).toMatchObject({ code: 3014 });
});

describe("access token of a sign-in provider", () => {
  test.each(["/users/social/googleplus/sdk/login", "/users/social/google/login"])(
    "unverified token is refused at %s",
    async (path) => {
      expect((await askFor(path, { accessToken: "made-up" })).body).toMatchObject({ code: 3014 });
      expect((await askFor(path, { accessToken: "x", accessTokenSecret: "y" })).body).toMatchObject({
        code: 3014,
      });
      expect((await askFor(path, {})).body).toMatchObject({ code: 3014 });
      expect(await many(database.db, sql`select 1 from people`)).toEqual([]);
    },
  );

  test("signs in when issued for our app and not for another", async () => {
    const own = door.sdk();
    const user = await own.UserService.loginWithOauth2("google", await other.tokenFor("kith", "ana"));
    expect(user).toMatchObject({ email: "ana@example.org", "user-token": expect.any(String) as string });
    expect(
      (await askFor("/users/social/google/login", { accessToken: await other.tokenFor("elsewhere", "ana") }))
        .body,
    ).toMatchObject({
      code: 3014,
    });
  });
});

describe("profile fields from a sign-in provider", () => {
  const fieldsMapping = {
    name: "fullName",
    email_verified: "vouched",
    email: "email",
    shoe_size: "shoeSize",
  };

  test("get stored under mapped names; missing fields do not", async () => {
    const user = await door
      .sdk()
      .UserService.loginWithOauth2("google", await other.tokenFor("kith", "ana"), undefined, fieldsMapping);
    expect(user).toMatchObject({ fullName: "Ana Berg", vouched: true, email: "ana@example.org" });
    expect(user).not.toHaveProperty("shoeSize");
  });

  test("get stored after a popup too", async () => {
    const url = asText(
      await askFor("/users/social/oauth/google/request_url", { fieldsMapping, permissions: [] }),
    );
    expect((await posted(await popup(url, "ana"))).data).toMatchObject({
      fullName: "Ana Berg",
      vouched: true,
    });
  });

  test("create no property with a static schema", async () => {
    await door.call("PUT", `/${APP}/${SERVER}/management/data/config`, { dynamicSchema: false });
    const user = await door
      .sdk()
      .UserService.loginWithOauth2("google", await other.tokenFor("kith", "ana"), undefined, {
        name: "fullName",
      });
    expect(user).not.toHaveProperty("fullName");
  });

  test.each([
    ["a list", ["name"]],
    ["names of no text", { name: 1 }],
    [
      "more than there is room for",
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, `p${n}`])),
    ],
  ])("refuse a mapping as %s", async (_what, wrong) => {
    const accessToken = await other.tokenFor("kith", "ana");
    const answers = [
      await askFor("/users/social/google/login", { accessToken, fieldsMapping: wrong }),
      await askFor("/users/social/oauth/google/request_url", { fieldsMapping: wrong }),
      await door.call(
        "GET",
        `/api/users/social/begin/google?to=${PAGE}&fields=${encodeURIComponent(JSON.stringify(wrong))}`,
      ),
    ];
    for (const { status, body } of answers) expect([status, body]).toMatchObject([400, { code: 3014 }]);
  });

  test("unfit value is refused by property name, and no one is signed in", async () => {
    await door
      .sdk()
      .UserService.loginWithOauth2("google", await other.tokenFor("kith", "ana"), undefined, {
        name: "fullName",
      });
    const asked = {
      accessToken: await other.tokenFor("kith", "ana"),
      fieldsMapping: { email_verified: "fullName" },
    };
    const answer = await askFor("/users/social/google/login", asked);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.stringContaining("fullName") as string });
  });
});

describe("guest account signing in with a provider", () => {
  const accessToken = () => other.tokenFor("kith", "ana");

  test("becomes that member under its own id and keeps its data", async () => {
    const own = door.sdk();
    const guest = await own.UserService.loginAsGuest();
    const guestUser = Object.assign(new own.User(), { objectId: guest.objectId });
    const user = await own.UserService.loginWithOauth2("google", await accessToken(), guestUser);
    expect(user).toMatchObject({
      objectId: guest.objectId,
      email: "ana@example.org",
      name: "Ana Berg",
      userStatus: "ENABLED",
    });
    expect(await many(database.db, sql`select state from people`)).toEqual([{ state: "active" }]);
  });

  test("stays a guest when the account already exists", async () => {
    const before = await door.sdk().UserService.loginWithOauth2("google", await accessToken());
    const own = door.sdk();
    const guest = await own.UserService.loginAsGuest();
    const user = await own.UserService.loginWithOauth2("google", await accessToken(), guest);
    expect(user.objectId).toBe(before.objectId);
    expect(await many(database.db, sql`select state from people order by state`)).toEqual([
      { state: "active" },
      { state: "guest" },
    ]);
  });

  test("cannot be claimed by naming another guest", async () => {
    const guest = await door.sdk().UserService.loginAsGuest();
    const user = await door.sdk().UserService.loginWithOauth2("google", await accessToken(), guest);
    expect(user.objectId).not.toBe(guest.objectId);
    expect(
      (await askFor("/users/social/google/login", { accessToken: await accessToken(), guestUser: "me" }))
        .body,
    ).toMatchObject({
      code: 3014,
    });
  });
});
