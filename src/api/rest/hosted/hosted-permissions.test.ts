import { beforeEach, describe, expect, test } from "vitest";
import { APP, CLIENT, PASSWORD, SERVER } from "../../../../test/support/rest/rest-server.ts";
import {
  clientSdk,
  testApi,
  callManagement,
  createUserInput,
  getOutcome,
  type Row,
  createClient,
  serverSdk,
  VERSIONS,
} from "../../../../test/support/rest/hosted-api.ts";

type Grants = Record<
  "grantForUser" | "grantForRole" | "denyForUser" | "denyForRole",
  (to: string, it: unknown) => Promise<unknown>
> &
  Record<
    "grantForAllUsers" | "grantForAllRoles" | "denyForAllUsers" | "denyForAllRoles",
    (it: unknown) => Promise<unknown>
  >;
type Permissions = Record<string, Grants>;
const tableOf = (sdk: ReturnType<typeof clientSdk>, name: string) =>
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
  test("can set every permission of a record, a user and a file", async () => {
    const sdk = createClient(version);
    const user = await tableOf(sdk, "Users").save(createUserInput());
    const record = await tableOf(sdk, "Incident").save({});
    await setAll(
      sdk.Data.Permissions as unknown as Permissions,
      ["FIND", "UPDATE", "REMOVE"],
      user.objectId,
      record,
    );
    expect(await tableOf(sdk, "Incident").find()).toEqual([]);
    await setAll(
      sdk.Data.Permissions as unknown as Permissions,
      ["FIND", "UPDATE", "REMOVE"],
      user.objectId,
      user,
    );
    expect(await getOutcome(tableOf(sdk, "Users").findById(user.objectId))).toMatchObject({
      code: 1000,
    });
    // Version 6 of the client sends files from browsers only, so the current version creates the file.
    await clientSdk().Files.saveFile("permissions", "test.txt", "x");
    const path = "permissions/test.txt";
    await setAll(
      sdk.Files.Permissions as unknown as Permissions,
      ["READ", "WRITE", "DELETE"],
      user.objectId,
      path,
    );
    expect(await sdk.Files.exists(path)).toBe(false);
    expect(await createClient(version, SERVER).Files.exists(path)).toBe(true);
  });
});

describe("permissions of users", () => {
  let user: Row;
  const permissions = () => clientSdk().Data.Permissions as unknown as Permissions;
  beforeEach(async () => void (user = await tableOf(clientSdk(), "Users").save(createUserInput())));

  test("can forbid named people to change a user", async () => {
    const other = createUserInput();
    const { objectId } = await tableOf(clientSdk(), "Users").save(other);
    const sdk = clientSdk();
    await sdk.UserService.login(other.email, other.password);
    await permissions()["UPDATE"]!.denyForUser(objectId, user);
    const change = { objectId: user.objectId, name: "Changed" };
    expect(await getOutcome(tableOf(sdk, "Users").save(change))).toMatchObject({ code: 1011 });
    await permissions()["UPDATE"]!.grantForUser(objectId, user);
    expect(await tableOf(sdk, "Users").save(change)).toMatchObject({ name: "Changed" });
    expect(await tableOf(serverSdk(), "Users").save({ ...change, name: "Again" })).toMatchObject({
      name: "Again",
    });
  });

  test("cannot reveal users whom the community hides", async () => {
    const hidden = await testApi.member("hidden");
    await permissions()["FIND"]!.grantForAllUsers({ ___class: "Users", objectId: user.objectId });
    expect(
      await getOutcome(permissions()["FIND"]!.grantForAllUsers({ ___class: "Users", objectId: hidden })),
    ).toMatchObject({
      code: 1000,
    });
    expect(await getOutcome(tableOf(clientSdk(), "Users").findById(hidden))).toMatchObject({
      code: 1000,
    });
  });

  test("refuse other community tables and invalid ids", async () => {
    const call = (table: string, id: string) =>
      testApi.call("PUT", `/${APP}/${CLIENT}/data/${table}/permissions/GRANT/${id}`, {
        permission: "FIND",
        user: "*",
      });
    expect((await call("Groups", user.objectId)).body).toMatchObject({ code: 1023 });
    for (const id of ["nobody", "01900000-0000-7000-8000-000000000000"])
      expect((await call("Users", id)).body).toMatchObject({ code: 1000 });
  });
});

describe("API without the hosted-service defaults", () => {
  test("names the setting that would allow a refused call", async () => {
    const record = await tableOf(serverSdk(), "Incident").save({});
    await serverSdk().Files.saveFile("d", "a.txt", "x");
    await testApi.set({ apiDefaults: "careful" });
    testApi.forget();
    const member = await testApi.member("mira");
    const mira = clientSdk();
    await mira.UserService.login("mira", PASSWORD);
    const allows = { message: expect.stringContaining("KITH_API_DEFAULTS=hosted allows this call.") };
    const data = mira.Data.Permissions as unknown as Permissions;
    expect(await getOutcome(data["FIND"]!.denyForAllUsers(record))).toMatchObject({
      code: 1011,
      ...allows,
    });
    expect(
      await getOutcome(data["FIND"]!.denyForAllUsers({ ___class: "Users", objectId: member })),
    ).toMatchObject(allows);
    const files = mira.Files.Permissions as unknown as Permissions;
    expect(await getOutcome(files["READ"]!.denyForAllUsers("d/a.txt"))).toMatchObject({
      code: 403,
      ...allows,
    });
    const column = await callManagement("POST", "/data/table/Users/columns", {
      name: "plan",
      dataType: "STRING",
    });
    expect(column).toMatchObject(allows);
  });
});
