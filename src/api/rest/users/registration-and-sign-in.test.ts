import { describe, expect, test } from "vitest";
import { changeDataConfig } from "#baas/data";
import { many, run, sql } from "#platform/database";
import { APP, CLIENT, PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  app,
  database,
  testApi,
  signInUser,
  getUserCallOutcome,
  registerUser,
  server,
  type User,
} from "../../../../test/support/rest/users-api.ts";
import { confirmEmail } from "#community/accounts";

describe("registration", () => {
  test("creates an account with custom properties and signs no one in", async () => {
    const born = new Date("1990-02-03T04:05:06.007Z");
    const user = await registerUser({
      email: "ana@example.org",
      password: PASSWORD,
      name: "Ana",
      age: 31,
      vip: true,
      tags: ["a"],
      born,
    });
    expect(user).toMatchObject({
      email: "ana@example.org",
      name: "Ana",
      userStatus: "ENABLED",
      age: 31,
      vip: true,
      tags: ["a"],
      born: born.getTime(),
      updated: null,
    });
    expect(user).toMatchObject({
      ___class: "Users",
      ownerId: user["objectId"],
      created: database.clock.at.getTime(),
    });
    expect(Object.keys(user)).not.toContain("password");
    expect(Object.keys(user)).not.toContain("user-token");
    const self = await signInUser(app, "ana@example.org");
    expect(self).toMatchObject({
      objectId: user["objectId"],
      age: 31,
      born: born.getTime(),
      "user-token": expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const columns = (await app.UserService.describeUserClass()) as {
      name: string;
      type: string;
      identity: boolean;
    }[];
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toMatchObject({
      objectId: "STRING_ID",
      email: "STRING",
      age: "INT",
      vip: "BOOLEAN",
      tags: "JSON",
      born: "DATETIME",
    });
    expect(Object.keys(columns[0]!).toSorted()).toEqual(
      "autoLoad,customRegex,defaultValue,expression,identity,isPrimaryKey,name,relatedTable,required,type".split(
        ",",
      ),
    );
    expect(columns.filter(({ identity }) => identity).map(({ name }) => name)).toEqual(["email"]);
  });

  test("ignores unknown properties with a static schema", async () => {
    await changeDataConfig(testApi.app.tables, { dynamicSchema: false });
    const user = await registerUser({
      email: "ana@example.org",
      password: PASSWORD,
      age: 31,
      userStatus: "ADMIN",
      role: "admin",
      ownerId: "x",
    });
    expect(user).not.toHaveProperty("age");
    expect(user).toMatchObject({ userStatus: "ENABLED", name: "ana", ownerId: user["objectId"] });
    expect(await many(database.db, sql`select site_role from people`)).toEqual([{ site_role: "member" }]);
  });

  test.each<[string, User, number]>([
    ["nothing", {}, 3011],
    ["no password", { email: "ana@example.org" }, 3011],
    ["a weak password", { email: "ana@example.org", password: "123456" }, 3021],
    ["no email address", { password: PASSWORD }, 3013],
    ["an invalid email address", { email: "ana", password: PASSWORD }, 3040],
    ["an id", { email: "ana@example.org", password: PASSWORD, id: "1" }, 3039],
    ["an invalid property name", { email: "ana@example.org", password: PASSWORD, "a b": 1 }, 3021],
    ["a taken email address", { email: "Mira@example.org", password: PASSWORD }, 3033],
  ])("with %s is refused with its code", async (_what, user, code) => {
    await testApi.member("mira");
    expect(await getUserCallOutcome(registerUser(user))).toMatchObject({ code });
  });

  test("does not reveal whether an email address is taken when addresses are confirmed", async () => {
    await testApi.set({ confirmAddress: true });
    await testApi.member("mira");
    const [taken, free] = [
      await registerUser({ email: "mira@example.org", password: PASSWORD }),
      await registerUser({ email: "nora@example.org", password: PASSWORD }),
    ];
    expect([taken["userStatus"], free["userStatus"]]).toEqual([
      "EMAIL_CONFIRMATION_PENDING",
      "EMAIL_CONFIRMATION_PENDING",
    ]);
    expect(Object.keys(taken)).toEqual(Object.keys(free));
    expect(await getUserCallOutcome(signInUser(app, "nora@example.org"))).toMatchObject({ code: 3087 });
    const { confirmationURL } = (await server.UserService.createEmailConfirmationURL(
      "nora@example.org",
    )) as unknown as {
      confirmationURL: string;
    };
    await confirmEmail(testApi.app, new URL(confirmationURL).searchParams.get("token")!, {
      password: PASSWORD,
    });
    expect(await signInUser(app, "nora@example.org")).toMatchObject({ userStatus: "ENABLED" });
  });

  test("fails with the client's own error code when registration is closed", async () => {
    await testApi.set({ registration: "closed" });
    expect(await getUserCallOutcome(registerUser({ email: "ana@example.org", password: PASSWORD }))).toEqual({
      code: 3009,
      status: 403,
      message: "User registration is denied for this version of application",
    });
  });

  test("turns the caller's own guest account into a member with the same id", async () => {
    const guest = (await app.UserService.loginAsGuest()) as unknown as User;
    expect(guest).toMatchObject({ userStatus: "GUEST", "user-token": expect.any(String) as string });
    const other = testApi.sdk();
    const stranger = (await other.UserService.register({
      email: "x@example.org",
      password: PASSWORD,
      objectId: guest["objectId"],
    })) as User;
    expect(stranger["objectId"]).not.toBe(guest["objectId"]);
    expect(
      await registerUser({ email: "ana@example.org", password: PASSWORD, objectId: guest["objectId"] }),
    ).toMatchObject({
      objectId: guest["objectId"],
      userStatus: "ENABLED",
    });
    expect(await signInUser(app, "ana@example.org")).toMatchObject({ objectId: guest["objectId"] });
  });
});

describe("sign-in", () => {
  test("works by address or name, with a token that is valid until it expires", async () => {
    await testApi.member("mira");
    expect(await signInUser(app, "mira")).toMatchObject({ username: "mira", email: "mira@example.org" });
    const token = (await signInUser(app, "MIRA@example.org"))["user-token"] as string;
    expect(await app.UserService.isValidLogin()).toBe(true);
    await app.UserService.logout();
    expect(
      (
        await testApi.call("GET", `/${APP}/${CLIENT}/users/isvalidusertoken/${token}`, undefined, {
          "user-token": token,
        })
      ).text,
    ).toBe("false");
    const late = await testApi.call("GET", `/${APP}/${CLIENT}/users/logout`, undefined, {
      "user-token": token,
    });
    expect(late).toMatchObject({ status: 200, text: "" });
    expect((await testApi.call("GET", `/${APP}/${CLIENT}/users/logout`)).text).toBe("");
  });

  test.each([
    ["a wrong password", { login: "mira", password: "wrong" }, 3003],
    ["an unknown name", { login: "nobody", password: PASSWORD }, 3003],
    ["nothing", {}, 3003],
    ["a list", [], 3021],
    ["a text", "mira", 3021],
  ])("with %s is refused with its code", async (_what, body, code) => {
    await testApi.member("mira");
    expect((await testApi.call("POST", `/${APP}/${CLIENT}/users/login`, body)).body).toMatchObject({ code });
  });

  test("by id requires the server key", async () => {
    const id = await testApi.member("mira");
    expect(await getUserCallOutcome(app.UserService.login(id))).toEqual({
      code: 2014,
      status: 400,
      message: "Login by object id is allowed only for Code Runner API key",
    });
    const self = await server.UserService.login<User>(id);
    expect(self).toMatchObject({ objectId: id, "user-token": expect.any(String) as string });
    expect(
      await getUserCallOutcome(testApi.sdk(SERVER).UserService.login("01900000-0000-7000-8000-000000000000")),
    ).toMatchObject({
      code: 1000,
    });
  });

  test("requires the second factor", async () => {
    const id = await testApi.member("mira");
    await database.inTransaction((tx) =>
      run(
        tx,
        sql`insert into totp_secrets (person_id, secret_sealed, confirmed_at, created_at)
          values (${id}, 'x', ${tx.now}, ${tx.now})`,
      ),
    );
    const answer = await testApi.call("POST", `/${APP}/${CLIENT}/users/login`, {
      login: "mira",
      password: PASSWORD,
    });
    expect(answer.body).toMatchObject({ code: 403, errorData: { secondStep: true } });
    expect(
      (
        await testApi.call("POST", `/${APP}/${CLIENT}/users/login`, {
          login: "mira",
          password: PASSWORD,
          code: "000000",
        })
      ).status,
    ).toBeGreaterThanOrEqual(400);
  });

  test("can be ended even with an unknown token", async () => {
    const id = await testApi.member("mira");
    await signInUser(app, "mira");
    await server.UserService.disableUser(id);
    await expect(app.UserService.logout()).resolves.toBe(undefined);
    expect(await app.UserService.getCurrentUser()).toBeNull();
    const token = { "user-token": "unknown" };
    expect(await testApi.call("GET", `/${APP}/${CLIENT}/users/logout`, undefined, token)).toMatchObject({
      status: 200,
    });
  });

  test("ignores an expired token in the header", async () => {
    await testApi.member("mira");
    const answer = await testApi.call(
      "POST",
      `/${APP}/${CLIENT}/users/login`,
      { login: "mira", password: PASSWORD },
      { "user-token": "stale" },
    );
    expect(answer.status).toBe(200);
  });
});
