import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { APP, SERVER } from "../../../../test/support/rest/rest-server.ts";
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

describe("profile fields from a sign-in provider", () => {
  const fieldsMapping = {
    name: "fullName",
    email_verified: "vouched",
    email: "email",
    shoe_size: "shoeSize",
  };

  test("get stored under the mapped names", async () => {
    const user = await testApi
      .sdk()
      .UserService.loginWithOauth2(
        "google",
        await provider.tokenFor("kith", "ana"),
        undefined,
        fieldsMapping,
      );
    expect(user).toMatchObject({ fullName: "Ana Berg", vouched: true, email: "ana@example.org" });
    expect(user).not.toHaveProperty("shoeSize");
  });

  test("get stored after a popup too", async () => {
    const url = readText(
      await postAs("/users/social/oauth/google/request_url", { fieldsMapping, permissions: [] }),
    );
    expect((await readPostedMessage(await runPopup(url, "ana"))).data).toMatchObject({
      fullName: "Ana Berg",
      vouched: true,
    });
  });

  test("create no user property when the schema is static", async () => {
    await testApi.call("PUT", `/${APP}/${SERVER}/management/data/config`, { dynamicSchema: false });
    const user = await testApi
      .sdk()
      .UserService.loginWithOauth2("google", await provider.tokenFor("kith", "ana"), undefined, {
        name: "fullName",
      });
    expect(user).not.toHaveProperty("fullName");
  });

  test.each([
    ["a list", ["name"]],
    ["non-text names", { name: 1 }],
    ["too many names", Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, `p${n}`]))],
  ])("cannot be mapped by %s", async (_what, wrong) => {
    const accessToken = await provider.tokenFor("kith", "ana");
    const answers = [
      await postAs("/users/social/google/login", { accessToken, fieldsMapping: wrong }),
      await postAs("/users/social/oauth/google/request_url", { fieldsMapping: wrong }),
      await testApi.call(
        "GET",
        `/api/users/social/begin/google?to=${CLIENT_ORIGIN}&fields=${encodeURIComponent(JSON.stringify(wrong))}`,
      ),
    ];
    for (const { status, body } of answers) expect([status, body]).toMatchObject([400, { code: 3014 }]);
  });

  test("cause a refusal that names the property when a value does not fit", async () => {
    await testApi
      .sdk()
      .UserService.loginWithOauth2("google", await provider.tokenFor("kith", "ana"), undefined, {
        name: "fullName",
      });
    const input = {
      accessToken: await provider.tokenFor("kith", "ana"),
      fieldsMapping: { email_verified: "fullName" },
    };
    const answer = await postAs("/users/social/google/login", input);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.stringContaining("fullName") as string });
  });
});

describe("guest account signing in with a provider", () => {
  const accessToken = () => provider.tokenFor("kith", "ana");

  test("becomes an active member with the same id", async () => {
    const own = testApi.sdk();
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

  test("remains a guest when the provider account already belongs to a member", async () => {
    const before = await testApi.sdk().UserService.loginWithOauth2("google", await accessToken());
    const own = testApi.sdk();
    const guest = await own.UserService.loginAsGuest();
    const user = await own.UserService.loginWithOauth2("google", await accessToken(), guest);
    expect(user.objectId).toBe(before.objectId);
    expect(await many(database.db, sql`select state from people order by state`)).toEqual([
      { state: "active" },
      { state: "guest" },
    ]);
  });

  test("cannot be taken over by someone who names its id", async () => {
    const guest = await testApi.sdk().UserService.loginAsGuest();
    const user = await testApi.sdk().UserService.loginWithOauth2("google", await accessToken(), guest);
    expect(user.objectId).not.toBe(guest.objectId);
    expect(
      (await postAs("/users/social/google/login", { accessToken: await accessToken(), guestUser: "me" }))
        .body,
    ).toMatchObject({
      code: 3014,
    });
  });
});
