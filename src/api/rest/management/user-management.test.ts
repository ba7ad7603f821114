import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { APP, startTestApi, type TestRestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
beforeAll(async () => (testApi = await startTestApi(database, { allowReset: true })));
beforeEach(() => testApi.forget());
afterAll(() => testApi.close());

const manage = async (method: string, path: string, body?: unknown) =>
  (await testApi.call(method, `/${APP}/${SERVER}/management${path}`, body)).body;

describe("management of users and their limits", () => {
  test("applies settings that another process has just changed, without overwriting them", async () => {
    await testApi.app.settings.get();
    // Changes a setting without notifying this process.
    const set = (key: string, value: unknown) =>
      run(
        database.db,
        sql`insert into settings (key, value, changed_at)
          values (${key}, ${JSON.stringify(value)}::jsonb, now())`,
      );
    await set("registration", "closed");
    await set("apiCalls", 40);
    expect(await manage("GET", "/limits")).toMatchObject({ apiCalls: 40 });
    expect(await manage("PUT", "/users/registration", { approvalRequired: true })).toMatchObject({
      inviteOnly: true,
    });
    expect(await manage("GET", "/users/registration")).toMatchObject({
      inviteOnly: true,
      userRegistrationEnabled: false,
    });
  });

  test("changes only the given registration settings", async () => {
    const usual = {
      userRegistrationEnabled: true,
      emailConfirmationRequired: true,
      approvalRequired: false,
      inviteOnly: false,
      accountsPerAddress: 3,
      registrationTries: 5,
    };
    expect(await manage("GET", "/users/registration")).toEqual(usual);
    const open = { ...usual, emailConfirmationRequired: false, accountsPerAddress: 0 };
    expect(
      await manage("PUT", "/users/registration", { emailConfirmationRequired: false, accountsPerAddress: 0 }),
    ).toEqual(open);
    expect(await manage("PUT", "/users/registration", { approvalRequired: true })).toEqual({
      ...open,
      approvalRequired: true,
    });
    expect(await manage("PUT", "/users/registration", { userRegistrationEnabled: false })).toMatchObject({
      inviteOnly: true,
      userRegistrationEnabled: false,
    });
    expect(await manage("PUT", "/users/registration", { surprise: true })).toMatchObject({ code: 422 });
  });

  test("changes only settings that differ when all of them are sent back", async () => {
    const usual = await manage("GET", "/users/registration");
    const put = (changes: object) => manage("PUT", "/users/registration", { ...usual, ...changes });
    expect(await put({ userRegistrationEnabled: false })).toMatchObject({
      userRegistrationEnabled: false,
      inviteOnly: true,
    });
    const closed = await manage("GET", "/users/registration");
    expect(await manage("PUT", "/users/registration", { ...closed, userRegistrationEnabled: true })).toEqual(
      usual,
    );
    expect(await put({ inviteOnly: true })).toMatchObject({
      userRegistrationEnabled: false,
      inviteOnly: true,
    });
    expect(await manage("PUT", "/users/registration", { ...closed, inviteOnly: false })).toEqual(usual);
    expect(await put({ approvalRequired: true })).toMatchObject({
      approvalRequired: true,
      userRegistrationEnabled: true,
    });
    expect(await manage("PUT", "/users/registration", { userRegistrationEnabled: true })).toMatchObject({
      approvalRequired: true,
    });
    await manage("PUT", "/users/registration", usual);
  });

  test("rejects new sessions with logoutLastUser, as in the hosted service", async () => {
    expect(await manage("GET", "/users/login")).toMatchObject({ logoutLastUser: false });
    expect((await testApi.app.settings.getNow()).newLoginWins).toBe(true);
    expect(await manage("PUT", "/users/login", { logoutLastUser: true })).toMatchObject({
      logoutLastUser: true,
    });
    expect((await testApi.app.settings.getNow()).newLoginWins).toBe(false);
    expect(await manage("PUT", "/users/login", { lockMinutes: 7 })).toMatchObject({ logoutLastUser: true });
  });

  test("changes session and rate limits", async () => {
    const login = {
      enableMultipleLogins: true,
      maxConcurrentLogins: 3,
      logoutLastUser: false,
      failedLoginsLock: 5,
      lockMinutes: 1,
    };
    expect(await manage("PUT", "/users/login", login)).toEqual(login);
    expect(await manage("GET", "/users/login")).toEqual(login);
    expect(await manage("PUT", "/users/login", { maxConcurrentLogins: -1 })).toMatchObject({ code: 422 });
    expect(await manage("PUT", "/limits", { apiCalls: 10 })).toEqual({
      apiCalls: 10,
      apiCallsOfPerson: 1500,
      tableRows: 5_000_000,
      tableMegabytes: 5_000,
    });
  });

  test("changes people, and creates and deletes roles", async () => {
    const id = await testApi.member("mira");
    expect(await manage("PUT", `/users/${id}`, { name: "Mira B.", plan: "gold" })).toMatchObject({
      objectId: id,
      name: "Mira B.",
      plan: "gold",
    });
    expect(await manage("PUT", `/users/${id}`, { userStatus: "DISABLED" })).toMatchObject({
      userStatus: "DISABLED",
      plan: "gold",
    });
    expect(await manage("PUT", "/users/nobody", { name: "X" })).toMatchObject({ code: 1000 });
    expect(await manage("PUT", `/users/${id}`, { userStatus: "ENABLED", plan: "silver" })).toMatchObject({
      userStatus: "ENABLED",
      plan: "silver",
    });
    expect(await manage("PUT", "/roles/Editor")).toEqual({ name: "Editor" });
    expect(await manage("GET", "/roles")).toEqual(expect.arrayContaining(["Editor", "AuthenticatedUser"]));
    for (const name of ["JSUser", "a b", "1st"])
      expect(await manage("PUT", `/roles/${encodeURIComponent(name)}`)).toMatchObject({ code: 422 });
    expect(await manage("DELETE", "/roles/Editor")).toEqual({ deleted: true });
  });

  test("changes all given properties of a person or none", async () => {
    const id = await testApi.member("mira");
    const boss = await testApi.member("ines", { role: "admin" });
    const now = (of: string) =>
      one(
        database.db,
        sql`select state, display_name as name, properties ->> 'plan' as plan from people where id = ${of}`,
      );
    const before = { [id]: await now(id), [boss]: await now(boss) };
    for (const [of, changes] of [
      [id, { userStatus: "DISABLED", email: "nobody" }],
      [id, { userStatus: "DISABLED", name: "Mira B.", password: "short" }],
      [id, { userStatus: "DISABLED", username: "ines" }],
      [boss, { name: "Somebody else", plan: "gold", userStatus: "DISABLED" }],
    ] as const) {
      expect(await manage("PUT", `/users/${of}`, changes)).toMatchObject({ code: expect.any(Number) });
      expect(await now(of), JSON.stringify(changes)).toEqual(before[of]);
    }
  });
});
