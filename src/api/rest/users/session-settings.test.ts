import { describe, expect, test } from "vitest";
import { APP, CLIENT, PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  app,
  database,
  testApi,
  signInUser,
  getUserCallOutcome,
  server,
} from "../../../../test/support/rest/users-api.ts";

describe("session settings", () => {
  test("replace the older session with single login by default", async () => {
    await testApi.member("mira");
    const second = testApi.sdk();
    await signInUser(app, "mira");
    await signInUser(second, "mira");
    expect([await app.UserService.isValidLogin(), await second.UserService.isValidLogin()]).toEqual([
      false,
      true,
    ]);
  });

  test("can reject the newer session with single login instead", async () => {
    await testApi.set({ newLoginWins: false });
    await testApi.member("mira");
    const second = testApi.sdk();
    await signInUser(app, "mira");
    expect(await getUserCallOutcome(signInUser(second, "mira"))).toMatchObject({ code: 3002 });
    await app.UserService.logout();
    await signInUser(second, "mira");
  });

  test("allow several sessions per person up to the limit", async () => {
    await testApi.set({ severalLogins: true, mostLogins: 2 });
    await testApi.member("mira");
    const [second, third] = [testApi.sdk(), testApi.sdk()];
    for (const sdk of [app, second]) await signInUser(sdk, "mira");
    expect(await getUserCallOutcome(signInUser(third, "mira"))).toMatchObject({ code: 3044 });
    expect([await app.UserService.isValidLogin(), await second.UserService.isValidLogin()]).toEqual([
      true,
      true,
    ]);
  });

  test("lock the account after several wrong passwords; a right password resets the count", async () => {
    await testApi.set({ wrongPasswordsLock: 2, lockMinutes: 5 });
    const id = await testApi.member("mira");
    const attemptSignIns = async (...passwords: string[]) => {
      const codes = [];
      for (const password of passwords)
        codes.push(
          ((await getUserCallOutcome(signInUser(testApi.sdk(SERVER), "mira", password))) as { code?: number })
            .code ?? "in",
        );
      return codes;
    };
    expect(await attemptSignIns("wrong", PASSWORD, "wrong", "wrong", PASSWORD)).toEqual([
      3003,
      "in",
      3003,
      3003,
      3036,
    ]);
    database.clock.pass(5 * 60_000);
    expect(await attemptSignIns(PASSWORD)).toEqual(["in"]);
    expect(await attemptSignIns("wrong", "wrong", PASSWORD)).toEqual([3003, 3003, 3036]);
    await server.UserService.enableUser(id);
    expect(await attemptSignIns(PASSWORD)).toEqual(["in"]);
  });

  test("limit calls by session and address, but not for the server key", async () => {
    await testApi.set({ apiCalls: 3 });
    const ask = (key: string) => testApi.call("GET", `/${APP}/${key}/users/userroles`);
    for (let n = 0; n < 3; n++) expect((await ask(CLIENT)).status).toBe(200);
    const over = await ask(CLIENT);
    expect([over.status, Number(over.headers.get("retry-after")) > 0]).toEqual([429, true]);
    for (let n = 0; n < 5; n++) expect((await ask(SERVER)).status).toBe(200);
  });
});
