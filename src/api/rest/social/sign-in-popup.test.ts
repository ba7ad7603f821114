import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  database,
  provider,
  testApi,
  CLIENT_ORIGIN,
  postAs,
  readText,
  runPopup,
  readPostedMessage,
} from "../../../../test/support/rest/social-sign-in.ts";

describe("sign-in popup", () => {
  test("ends on a page that sends the user to its opener only", async () => {
    const url = readText(
      await postAs("/users/social/oauth/googleplus/request_url", { fieldsMapping: {}, permissions: [] }),
    );
    expect(new URL(url).origin).toBe(testApi.origin());
    const answer = await runPopup(url, "ana");
    expect(answer.headers.get("x-frame-options")).toBe(null);
    expect(answer.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    const { to, data } = await readPostedMessage(answer);
    expect(to).toBe(CLIENT_ORIGIN);
    expect(data).toMatchObject({
      ___class: "Users",
      name: "Ana Berg",
      email: "ana@example.org",
      socialAccount: "GOOGLE",
      userStatus: "ENABLED",
    });
    const roles = await testApi.call("GET", "/api/users/userroles", undefined, {
      "user-token": data["user-token"] as string,
    });
    expect(roles.body).toEqual(expect.arrayContaining(["SocialUser", "GooglePlusUser", "AuthenticatedUser"]));
  });

  test("accepts the URL of an embedded frame", async () => {
    const url = readText(await postAs("/users/social/oauth/googleplus/request_url", {}));
    expect((await readPostedMessage(await runPopup(`${url}&amp;output=embed`, "ana"))).data).toMatchObject({
      name: "Ana Berg",
    });
  });

  test("reports a refused person, or a sign-in that another browser started, as an error", async () => {
    const url = readText(await postAs("/users/social/oauth/google/request_url", {}));
    expect((await readPostedMessage(await runPopup(url, "nomail"))).data).toEqual({
      fault: expect.stringContaining("Confirm your email address") as string,
    });
    expect(
      (
        await readPostedMessage(
          await runPopup(url, "ana", "kith_coming=made-up.aHR0cDovL2xvY2FsaG9zdDo4MDAw"),
        )
      ).data,
    ).toEqual({
      fault: expect.stringContaining("not started in this browser") as string,
    });
    await testApi.set({ registration: "closed" });
    expect((await readPostedMessage(await runPopup(url, "eve"))).data).toEqual({
      fault: expect.stringContaining("closed") as string,
    });
  });

  test("works only for our own pages and configured origins", async () => {
    const refused = { code: 3014 };
    expect(
      (await postAs("/users/social/oauth/google/request_url", {}, "https://evil.example")).body,
    ).toMatchObject(refused);
    expect(
      (await testApi.call("GET", "/api/users/social/begin/google?to=https://evil.example")).body,
    ).toMatchObject(refused);
    expect(
      (await testApi.call("GET", "/api/users/social/begin/google?to=javascript:alert(1)")).body,
    ).toMatchObject(refused);
    const planted = Buffer.from("https://evil.example").toString("base64url");
    expect(
      (
        await testApi.call("GET", "/api/users/social/return/google?code=x", undefined, {
          cookie: `kith_coming=x.${planted}`,
        })
      ).body,
    ).toMatchObject(refused);
    await testApi.set({ signInOrigins: "https://app.example\nhttps://other.example" });
    expect((await postAs("/users/social/oauth/google/request_url", {}, "https://app.example")).status).toBe(
      200,
    );
  });

  test.each(["facebook", "twitter", "nowhere", "__proto__"])(
    "refuses the unknown provider %s",
    async (name) => {
      expect((await postAs(`/users/social/oauth/${name}/request_url`, {})).body).toMatchObject({
        code: 3014,
      });
    },
  );
});

test("sign-in redirect returns to the given page with the result in the fragment", async () => {
  const wanted = {
    fieldsMapping: {},
    permissions: [],
    redirect: true,
    redirectAfterLoginUrl: `${CLIENT_ORIGIN}/after?x=1`,
    callbackUrlDomain: null,
  };
  const url = readText(await postAs("/users/oauth/google/request_url", wanted));
  const answer = await runPopup(url, "ana");
  const there = new URL(answer.headers.get("location")!);
  expect(`${there.origin}${there.pathname}${there.search}`).toBe(`${CLIENT_ORIGIN}/after?x=1`);
  const params = new URLSearchParams(there.hash.slice(1));
  expect((await testApi.call("GET", `/api/users/isvalidusertoken/${params.get("userToken")}`)).text).toBe(
    "true",
  );
  const elsewhere = { ...wanted, redirectAfterLoginUrl: "https://evil.example/after" };
  expect((await postAs("/users/oauth/google/request_url", elsewhere)).body).toMatchObject({ code: 3014 });
});

describe("access token of a sign-in provider", () => {
  test.each(["/users/social/googleplus/sdk/login", "/users/social/google/login"])(
    "gets refused when unverified at %s",
    async (path) => {
      expect((await postAs(path, { accessToken: "made-up" })).body).toMatchObject({ code: 3014 });
      expect((await postAs(path, { accessToken: "x", accessTokenSecret: "y" })).body).toMatchObject({
        code: 3014,
      });
      expect((await postAs(path, {})).body).toMatchObject({ code: 3014 });
      expect(await many(database.db, sql`select 1 from people`)).toEqual([]);
    },
  );

  test("signs in if it was issued for our app", async () => {
    const own = testApi.sdk();
    const user = await own.UserService.loginWithOauth2("google", await provider.tokenFor("kith", "ana"));
    expect(user).toMatchObject({ email: "ana@example.org", "user-token": expect.any(String) as string });
    expect(
      (
        await postAs("/users/social/google/login", {
          accessToken: await provider.tokenFor("elsewhere", "ana"),
        })
      ).body,
    ).toMatchObject({
      code: 3014,
    });
  });
});
