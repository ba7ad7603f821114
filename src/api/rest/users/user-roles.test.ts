import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  app,
  database,
  testApi,
  signInUser,
  getUserCallOutcome,
  server,
  type User,
} from "../../../../test/support/rest/users-api.ts";

describe("user roles", () => {
  const make = (role: string) =>
    database.inTransaction((tx) =>
      run(tx, sql`insert into roles (name, created_at) values (${role}, ${tx.now})`),
    );

  test("combine system roles, key roles and assigned roles", async () => {
    await make("Editor");
    const id = await testApi.member("mira");
    expect(await app.UserService.getUserRoles()).toEqual(["JSUser", "RestUser", "NotAuthenticatedUser"]);
    await signInUser(app, "mira");
    await server.UserService.assignRole("mira@example.org", "Editor");
    await server.UserService.assignRole(id, "Editor");
    expect(new Set(await app.UserService.getUserRoles())).toEqual(
      new Set(["JSUser", "RestUser", "AuthenticatedUser", "Editor"]),
    );
    expect(new Set(await server.UserService.getUserRoles(id))).toEqual(
      new Set(["AuthenticatedUser", "Editor"]),
    );
    await server.UserService.unassignRole(id, "Editor");
    expect(await app.UserService.getUserRoles()).not.toContain("Editor");
  });

  test.each<[string, (id: string) => Promise<unknown>, number]>([
    ["assigning with the client key", (id) => app.UserService.assignRole(id, "Editor"), 2011],
    ["assigning an unknown role", (id) => server.UserService.assignRole(id, "Nobody"), 2005],
    ["assigning a system role", (id) => server.UserService.assignRole(id, "AuthenticatedUser"), 2007],
    ["revoking a system role", (id) => server.UserService.unassignRole(id, "AuthenticatedUser"), 2008],
    [
      "assigning to an unknown user",
      () => server.UserService.assignRole("nobody@example.org", "Editor"),
      1000,
    ],
    ["finding holders of an unknown role", () => server.UserService.findByRole("Nobody"), 2005],
    ["reading the roles of another person", (id) => app.UserService.getUserRoles(id), 1000],
    ["finding holders as a guest", () => app.UserService.findByRole("Editor"), 401],
  ])("get refused with an error code: %s", async (_what, ask, code) => {
    await make("Editor");
    expect(await getUserCallOutcome(ask(await testApi.member("mira")))).toMatchObject({ code });
  });

  test("show their holders to people who see them in the directory", async () => {
    await make("Editor");
    const [mira, tomas] = [await testApi.member("mira"), await testApi.member("tomas")];
    await database.inTransaction((tx) =>
      run(tx, sql`update people set privacy = '{"inDirectory":false}' where id = ${tomas}`),
    );
    for (const id of [mira, tomas]) await server.UserService.assignRole(id, "Editor");
    const all = await server.UserService.findByRole<User>("Editor", true, { pageSize: 5 });
    expect(all.map((user) => [user["username"], user["roles"]])).toEqual([
      ["tomas", ["AuthenticatedUser", "Editor"]],
      ["mira", ["AuthenticatedUser", "Editor"]],
    ]);
    await testApi.member("noor");
    await signInUser(app, "noor");
    const seen = await app.UserService.findByRole<User>("Editor");
    expect(seen.map((user) => Object.keys(user).toSorted())).toEqual([
      ["___class", "created", "name", "objectId", "ownerId", "updated", "username"],
    ]);
    expect(await app.UserService.findByRole("Editor", false, { properties: ["name"] })).toMatchObject([
      { objectId: mira, name: "mira" },
    ]);
    // For other people neither roles nor sign-in providers are returned.
    expect((await app.UserService.findByRole<User>("Editor", true))[0]).toMatchObject({ roles: [] });
    await database.inTransaction((tx) =>
      run(
        tx,
        sql`insert into provider_identities (provider, subject, person_id, linked_at)
          values ('google', '1', ${mira}, ${tx.now})`,
      ),
    );
    for (const role of ["SocialUser", "GooglePlusUser"]) {
      expect([role, await app.UserService.findByRole(role)]).toEqual([role, []]);
      expect(await server.UserService.findByRole<User>(role)).toMatchObject([{ username: "mira" }]);
    }
    expect(
      (await app.UserService.findByRole<User>("AuthenticatedUser")).map((user) => user["username"]),
    ).toEqual(["noor", "mira"]);
  });
});
