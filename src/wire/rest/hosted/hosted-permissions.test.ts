import { beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, PASSWORD, SERVER } from "../rest.fixture.ts";
import { app, door, manage, newUser, refused, type Row, sdkOf, server, VERSIONS } from "./hosted.fixture.ts";

type Grants = Record<"grantForUser" | "grantForRole" | "denyForUser" | "denyForRole", (to: string, it: unknown) => Promise<unknown>> &
  Record<"grantForAllUsers" | "grantForAllRoles" | "denyForAllUsers" | "denyForAllRoles", (it: unknown) => Promise<unknown>>;
type Permissions = Record<string, Grants>;
const tableOf = (sdk: ReturnType<typeof app>, name: string) =>
  sdk.Data.of(name) as unknown as {
    save: (record: object) => Promise<Row>;
    find: () => Promise<Row[]>;
    findById: (id: string) => Promise<Row>;
    remove: (id: string) => Promise<unknown>;
  };

/** Every grant, then every denial, of each permission, one call after the other. */
async function setAll(permissions: Permissions, names: string[], userId: string, it: unknown): Promise<void> {
  for (const how of ["grant", "deny"] as const)
    for (const name of names) {
      await permissions[name]![`${how}ForUser`](userId, it);
      await permissions[name]![`${how}ForRole`]("AuthenticatedUser", it);
      await permissions[name]![`${how}ForAllUsers`](it);
      await permissions[name]![`${how}ForAllRoles`](it);
    }
}

describe.each(VERSIONS)("client %s without a session", (version) => {
  test("sets every permission of a record, a user and a file", async () => {
    const sdk = sdkOf(version);
    const user = await tableOf(sdk, "Users").save(newUser());
    const record = await tableOf(sdk, "Incident").save({});
    await setAll(sdk.Data.Permissions as unknown as Permissions, ["FIND", "UPDATE", "REMOVE"], user.objectId, record);
    expect(await tableOf(sdk, "Incident").find()).toEqual([]);
    await setAll(sdk.Data.Permissions as unknown as Permissions, ["FIND", "UPDATE", "REMOVE"], user.objectId, user);
    expect(await refused(tableOf(sdk, "Users").findById(user.objectId))).toMatchObject({ code: 1000 });
    // Version 6 sends files from browsers only.
    await app().Files.saveFile("permissions", "test.txt", "x");
    const path = "permissions/test.txt";
    await setAll(sdk.Files.Permissions as unknown as Permissions, ["READ", "WRITE", "DELETE"], user.objectId, path);
    expect(await sdk.Files.exists(path)).toBe(false);
    expect(await sdkOf(version, SERVER).Files.exists(path)).toBe(true);
  });
});

describe("permissions of users", () => {
  let user: Row;
  const permissions = () => app().Data.Permissions as unknown as Permissions;
  beforeEach(async () => void (user = await tableOf(app(), "Users").save(newUser())));

  test("deny a change to the named people", async () => {
    const other = newUser();
    const { objectId } = await tableOf(app(), "Users").save(other);
    const sdk = app();
    await sdk.UserService.login(other.email, other.password);
    await permissions()["UPDATE"]!.denyForUser(objectId, user);
    const change = { objectId: user.objectId, name: "Changed" };
    expect(await refused(tableOf(sdk, "Users").save(change))).toMatchObject({ code: 1011 });
    await permissions()["UPDATE"]!.grantForUser(objectId, user);
    expect(await tableOf(sdk, "Users").save(change)).toMatchObject({ name: "Changed" });
    expect(await tableOf(server(), "Users").save({ ...change, name: "Again" })).toMatchObject({ name: "Again" });
  });

  test("grant nothing that the community does not show", async () => {
    const hidden = await door.member("hidden");
    await permissions()["FIND"]!.grantForAllUsers({ ___class: "Users", objectId: user.objectId });
    expect(await refused(permissions()["FIND"]!.grantForAllUsers({ ___class: "Users", objectId: hidden }))).toMatchObject({ code: 1000 });
    expect(await refused(tableOf(app(), "Users").findById(hidden))).toMatchObject({ code: 1000 });
  });

  test("refuse other community tables and invalid ids", async () => {
    const call = (table: string, id: string) =>
      door.call("PUT", `/${APP}/${CLIENT}/data/${table}/permissions/GRANT/${id}`, { permission: "FIND", user: "*" });
    expect((await call("Groups", user.objectId)).body).toMatchObject({ code: 1023 });
    for (const id of ["nobody", "01900000-0000-7000-8000-000000000000"])
      expect((await call("Users", id)).body).toMatchObject({ code: 1000 });
  });
});

describe("without the hosted-service defaults", () => {
  test("refusals name the setting that allows the call", async () => {
    const record = await tableOf(server(), "Incident").save({});
    await server().Files.saveFile("d", "a.txt", "x");
    await door.set({ apiDefaults: "careful" });
    door.forget();
    const member = await door.member("mira");
    const mira = app();
    await mira.UserService.login("mira", PASSWORD);
    const allows = { message: expect.stringContaining("KITH_API_DEFAULTS=hosted allows this call.") };
    const data = mira.Data.Permissions as unknown as Permissions;
    expect(await refused(data["FIND"]!.denyForAllUsers(record))).toMatchObject({ code: 1011, ...allows });
    expect(await refused(data["FIND"]!.denyForAllUsers({ ___class: "Users", objectId: member }))).toMatchObject(allows);
    const files = mira.Files.Permissions as unknown as Permissions;
    expect(await refused(files["READ"]!.denyForAllUsers("d/a.txt"))).toMatchObject({ code: 403, ...allows });
    const column = await manage("POST", "/data/table/Users/columns", { name: "plan", dataType: "STRING" });
    expect(column).toMatchObject(allows);
  });
});
