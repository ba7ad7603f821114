import Backendless from "backendless";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setConfig } from "#backend/tables";
import { makeRole } from "#community/people";
import { OPERATOR } from "#community/rules";
import { many, sql } from "#platform/database";
import { testDatabase } from "../../../test/setup/database.ts";
import { furnish, linksOf, standing } from "./data.fixture.ts";
import { openRecorder } from "./recorder.fixture.ts";
import { APP, CLIENT, openDoor, PASSWORD, type RestDoor, SERVER } from "./rest.fixture.ts";

const database = await testDatabase();
let door: RestDoor;
let recorder: Awaited<ReturnType<typeof openRecorder>>;
beforeAll(async () => {
  door = await openDoor(database);
  recorder = await openRecorder(door.origin);
});
afterAll(async () => {
  await recorder.close();
  await door.close();
});

type Sdk = typeof Backendless;
type At = { app: Sdk; server: Sdk; ana: string; token: string };
type Line = {
  /** What the client is told to do. Its types do not know all that it can. */
  call: (at: At) => unknown;
  /** Method, path after the keys, and body that it sends for it. */
  sends: (at: At) => [method: string, path: string, body?: unknown];
  /** What the client makes of the answer: a value, or the number of a refusal. */
  gives: (at: At) => unknown;
  /** What stands in the database then. */
  keeps?: (at: At) => Promise<unknown>;
};

const any = <T>(type: T) => expect.any(type) as unknown;
const refusal = (code: number) => ({ code });
const users = async () =>
  (await many(database.db, sql<{ name: string }>`select display_name as name from people order by name`)).map(({ name }) => name);
const people = async () => (await standing(door.house.tables, "Person")).map(({ objectId, name, age }) => [objectId, name, age]);
const orders = () => linksOf(door.house.tables, "Person", "orders");
const grants = async () =>
  (
    await many(
      database.db,
      sql<{
        act: string;
        kind: string;
        subject: string;
        allowed: boolean;
      }>`select act, kind, subject, allowed from data_grants order by act, kind`,
    )
  ).map((it) => Object.values(it).join(" "));
const roles = async () => (await many(database.db, sql<{ role: string }>`select role from person_roles`)).map(({ role }) => role);
const on = ({ server }: At, table = "Person") => server.Data.of(table);
const loosely = (it: unknown) => it as Record<string, (...given: unknown[]) => Promise<unknown>>;
const provider = (it: unknown) => loosely((it as Record<string, unknown>)["UserService"]);
const P = { ___class: "Person", objectId: "p1" };

/** Sections 1 and 5 to 7 and 16 of the contract, every endpoint once, in an order in which each finds what it needs. */
const LINES: Record<string, Line> = {
  "user service: register": {
    call: ({ app }) => app.UserService.register({ email: "ana@example.org", password: PASSWORD, name: "Ana" }),
    sends: () => ["POST", "/users/register", { email: "ana@example.org", password: PASSWORD, name: "Ana" }],
    gives: () => ({ ___class: "Users", email: "ana@example.org", userStatus: "ENABLED" }),
    keeps: users,
  },
  "user service: createEmailConfirmationURL": {
    call: ({ server }) => server.UserService.createEmailConfirmationURL("ana@example.org"),
    sends: () => ["POST", "/users/createEmailConfirmationURL/ana@example.org"],
    gives: () => refusal(3020),
  },
  "user service: resendEmailConfirmation": {
    call: ({ app }) => app.UserService.resendEmailConfirmation("ana@example.org"),
    sends: () => ["POST", "/users/resendconfirmation/ana@example.org"],
    gives: () => "",
  },
  "user service: restorePassword": {
    call: ({ app }) => app.UserService.restorePassword("ana@example.org"),
    sends: () => ["GET", "/users/restorepassword/ana%40example.org"],
    gives: () => "",
  },
  "user service: loginAsGuest": {
    call: ({ server }) => server.UserService.loginAsGuest(),
    sends: () => ["POST", "/users/register/guest"],
    gives: () => ({ userStatus: "GUEST", "user-token": any(String) }),
  },
  "user service: logout": {
    call: ({ server }) => server.UserService.logout(),
    sends: () => ["GET", "/users/logout"],
    gives: () => undefined,
  },
  "user service: login": {
    call: ({ app }) => app.UserService.login("ana@example.org", PASSWORD),
    sends: () => ["POST", "/users/login", { login: "ana@example.org", password: PASSWORD }],
    gives: () => ({ name: "Ana", "user-token": any(String) }),
  },
  "user service: isValidLogin": {
    call: ({ app }) => app.UserService.isValidLogin(),
    sends: ({ token }) => ["GET", `/users/isvalidusertoken/${token}`],
    gives: () => true,
  },
  "user service: verifyPassword": {
    call: ({ app }) => provider(app)["verifyPassword"]!(PASSWORD),
    sends: () => ["POST", "/users/verifypassowrd", { password: PASSWORD }],
    gives: () => refusal(3122),
  },
  "user service: update": {
    call: ({ app, ana }) => app.UserService.update({ objectId: ana, name: "Anna", plot: 3 } as never),
    sends: ({ ana }) => ["PUT", `/users/${ana}`, { objectId: ana, name: "Anna", plot: 3 }],
    gives: () => ({ name: "Anna", plot: 3 }),
    keeps: users,
  },
  "user service: getCurrentUser, once more": {
    call: ({ app }) => app.UserService.getCurrentUser(true),
    sends: ({ ana }) => ["GET", `/data/Users/${ana}`],
    gives: () => ({ name: "Anna", plot: 3, email: "ana@example.org" }),
  },
  "user service: describeUserClass": {
    call: ({ app }) => app.UserService.describeUserClass(),
    sends: () => ["GET", "/users/userclassprops"],
    gives: () => expect.arrayContaining([expect.objectContaining({ name: "plot", type: "INT" })]) as unknown,
  },
  "user service: disableUser": {
    call: ({ server, ana }) => server.UserService.disableUser(ana),
    sends: ({ ana }) => ["PUT", `/users/${ana}/status`, { userStatus: "DISABLED" }],
    gives: () => "",
    keeps: async () => (await many(database.db, sql<{ state: string }>`select state from people where display_name = 'Anna'`))[0]!.state,
  },
  "user service: enableUser": {
    call: ({ server, ana }) => server.UserService.enableUser(ana),
    sends: ({ ana }) => ["PUT", `/users/${ana}/status`, { userStatus: "ENABLED" }],
    gives: () => "",
  },
  "roles: assignRole": {
    call: ({ server }) => server.UserService.assignRole("ana@example.org", "Editor"),
    sends: () => ["POST", "/users/assignRole", { user: "ana@example.org", roleName: "Editor" }],
    gives: () => "",
    keeps: roles,
  },
  "roles: getUserRoles": {
    call: ({ server, ana }) => server.UserService.getUserRoles(ana),
    sends: ({ ana }) => ["GET", `/users/userroles/${ana}`],
    gives: () => expect.arrayContaining(["Editor"]) as unknown,
  },
  "roles: findByRole": {
    call: ({ server }) => server.UserService.findByRole("Editor", true, { where: "plot = 3", pageSize: 5 }),
    sends: () => ["GET", "/users/role/Editor?loadRoles=true&pageSize=5&where=plot%20%3D%203"],
    gives: () => [{ name: "Anna", roles: expect.arrayContaining(["Editor"]) as unknown }],
  },
  "roles: unassignRole": {
    call: ({ server, ana }) => server.UserService.unassignRole(ana, "Editor"),
    sends: ({ ana }) => ["POST", "/users/unassignRole", { user: ana, roleName: "Editor" }],
    gives: () => "",
    keeps: roles,
  },
  "social: the address of a sign-in": {
    call: ({ app }) => provider(app)["getAuthorizationUrlLink"]!("here", { plot: "plot" }, ["email"], false),
    sends: () => ["POST", "/users/oauth/here/request_url", { fieldsMapping: { plot: "plot" }, permissions: ["email"] }],
    gives: () => refusal(3014),
  },
  "social: loginWithOauth2": {
    call: ({ app }) => provider(app)["loginWithOauth2"]!("here", "token", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token" }],
    gives: () => refusal(3014),
  },
  "social: loginWithOauth1": {
    call: ({ app }) => provider(app)["loginWithOauth1"]!("here", "token", "secret", {}),
    sends: () => ["POST", "/users/social/here/login", { accessToken: "token", accessTokenSecret: "secret" }],
    gives: () => refusal(3014),
  },
  "social: loginWithGooglePlusSdk": {
    call: ({ app }) => provider(app)["loginWithGooglePlusSdk"]!("token", {}),
    sends: () => ["POST", "/users/social/googleplus/sdk/login", { accessToken: "token" }],
    gives: () => refusal(3014),
  },
  "management: createTable": {
    call: ({ server }) =>
      loosely((server as unknown as { Management: { Data: unknown } }).Management.Data)["createTable"]!("Made", [
        { name: "n", dataType: "INT" },
      ]),
    sends: () => ["POST", "/management/data/table", { name: "Made", columns: [{ name: "n", dataType: "INT" }] }],
    gives: () => ({ name: "Made", published: false }),
  },
  "data: save, with an id that is new": {
    call: (at) => on(at).save({ objectId: "p1", name: "Joe" }, true),
    sends: () => ["PUT", "/data/Person/upsert", { objectId: "p1", name: "Joe" }],
    gives: () => ({ ...P, name: "Joe", age: null }),
    keeps: people,
  },
  "data: save, of what stands": {
    call: (at) => on(at).save({ objectId: "p1", age: 3 }),
    sends: () => ["PUT", "/data/Person", { objectId: "p1", age: 3 }],
    gives: () => ({ ...P, name: "Joe", age: 3 }),
    keeps: people,
  },
  "data: bulkCreate": {
    call: (at) =>
      on(at, "Order").bulkCreate([
        { objectId: "o1", title: "one" },
        { objectId: "o2", title: "two" },
      ] as never),
    sends: () => [
      "POST",
      "/data/bulk/Order",
      [
        { objectId: "o1", title: "one" },
        { objectId: "o2", title: "two" },
      ],
    ],
    gives: () => ["o1", "o2"],
  },
  "data: bulkUpsert": {
    call: (at) =>
      on(at).bulkUpsert([
        { objectId: "p1", age: 4 },
        { objectId: "p2", name: "Kim" },
      ] as never),
    sends: () => [
      "PUT",
      "/data/bulkupsert/Person",
      [
        { objectId: "p1", age: 4 },
        { objectId: "p2", name: "Kim" },
      ],
    ],
    gives: () => ["p1", "p2"],
    keeps: people,
  },
  "data: bulkUpdate": {
    call: (at) => on(at).bulkUpdate("age > 3", { age: 5 }),
    sends: () => ["PUT", "/data/bulk/Person?where=age%20%3E%203", { age: 5 }],
    gives: () => 1,
    keeps: people,
  },
  "data: deepSave": {
    call: (at) => on(at).deepSave({ objectId: "p2", friend: { objectId: "p1" } }),
    sends: () => ["PUT", "/data/Person/deep-save", { objectId: "p2", friend: { objectId: "p1" } }],
    gives: () => ({ objectId: "p2", friend: P }),
    keeps: () => linksOf(door.house.tables, "Person", "friend"),
  },
  "data: setRelation": {
    call: (at) => on(at).setRelation("p1", "orders", ["o1"]),
    sends: () => ["POST", "/data/Person/p1/orders", ["o1"]],
    gives: () => 1,
    keeps: orders,
  },
  "data: addRelation, by a clause": {
    call: (at) => on(at).addRelation("p1", "orders", "title = 'two'"),
    sends: () => ["PUT", "/data/Person/p1/orders?whereClause=title%20%3D%20%27two%27"],
    gives: () => 1,
    keeps: orders,
  },
  "data: loadRelations": {
    call: (at) => on(at).loadRelations("p1", at.server.LoadRelationsQueryBuilder.create().setRelationName("orders").setPageSize(1)),
    sends: () => ["GET", "/data/Person/p1/orders?pageSize=1"],
    gives: () => [{ ___class: "Order" }],
  },
  "data: deleteRelation": {
    call: (at) => on(at).deleteRelation("p1", "orders", ["o1"]),
    sends: () => ["DELETE", "/data/Person/p1/orders", ["o1"]],
    gives: () => 1,
    keeps: orders,
  },
  "data: find": {
    call: (at) => on(at).find({ where: "name like 'J%'", relations: ["orders"], sortBy: ["age desc"] }),
    sends: () => ["POST", "/data/Person/find", { where: "name like 'J%'", loadRelations: "orders", sortBy: "age desc" }],
    gives: () => [{ ...P, orders: [{ objectId: "o2" }] }],
  },
  "data: findFirst": {
    call: (at) => on(at).findFirst(),
    sends: () => ["POST", "/data/Person/find", { pageSize: 1, offset: 0, sortBy: "created asc" }],
    gives: () => ({ ___class: "Person" }),
  },
  "data: findLast": {
    call: (at) => on(at).findLast(),
    sends: () => ["POST", "/data/Person/find", { pageSize: 1, offset: 0, sortBy: "created desc" }],
    gives: () => ({ ___class: "Person" }),
  },
  "data: findById": {
    call: (at) => on(at).findById("p1", { properties: ["name"] }),
    sends: () => ["GET", "/data/Person/p1?property=name"],
    gives: () => ({ ...P, name: "Joe" }),
  },
  "data: findById, by other keys": {
    call: (at) => on(at).findById({ name: "Joe", age: 5 } as never),
    sends: () => ["GET", "/data/Person/pk?name=Joe&age=5"],
    gives: () => P,
  },
  "data: getObjectCount": {
    call: (at) => on(at).getObjectCount("age is not null"),
    sends: () => ["POST", "/data/Person/count", { where: "age is not null" }],
    gives: () => 1,
  },
  "data: group": {
    call: (at) => loosely(on(at))["group"]!({ groupBy: ["name"], pageSize: 5 }),
    sends: () => ["POST", "/data/data-grouping/Person", { groupBy: "name", pageSize: 5 }],
    gives: () => ({
      hasNextPage: false,
      items: [{ groupBy: { column: "name", value: "Joe" } }, { groupBy: { column: "name", value: "Kim" } }],
    }),
  },
  "data: countInGroup": {
    call: (at) => loosely(on(at))["countInGroup"]!({ groupBy: ["name"], groupPath: [{ column: "name", value: "Joe" }] }),
    sends: () => ["POST", "/data/data-grouping/Person/count", { groupBy: "name", groupPath: [{ column: "name", value: "Joe" }] }],
    gives: () => 1,
  },
  "data: describe": {
    call: ({ server }) => server.Data.describe("Order"),
    sends: () => ["GET", "/data/Order/properties"],
    gives: () => expect.arrayContaining([expect.objectContaining({ name: "title", type: "STRING", required: true })]) as unknown,
  },
  "data: getTableNameById": {
    call: ({ server }) => loosely(server.Data)["getTableNameById"]!("Users"),
    sends: () => ["GET", "/data/Users/table-name"],
    gives: () => "Users",
  },
  "data: grant to a user": {
    call: ({ server, ana }) => server.Data.Permissions.FIND.grantForUser(ana, P),
    sends: ({ ana }) => ["PUT", "/data/Person/permissions/GRANT/p1", { permission: "FIND", user: ana }],
    gives: () => "",
    keeps: async () => (await grants()).length,
  },
  "data: deny to all roles": {
    call: ({ server }) => server.Data.Permissions.REMOVE.denyForAllRoles(P),
    sends: () => ["PUT", "/data/Person/permissions/DENY/p1", { permission: "REMOVE", role: "*" }],
    gives: () => "",
    keeps: async () => (await grants())[1],
  },
  "transaction: from JSON": {
    call: ({ server }) =>
      (server.UnitOfWork as unknown as { initFromJSON: (it: object) => Backendless.UnitOfWork })
        .initFromJSON({
          operations: [{ operationType: "CREATE", table: "Order", payload: { objectId: "o3", title: "three" }, opResultId: "a" }],
        })
        .execute(),
    sends: () => [
      "POST",
      "/transaction/unit-of-work",
      { operations: [{ operationType: "CREATE", table: "Order", payload: { objectId: "o3", title: "three" }, opResultId: "a" }] },
    ],
    gives: () => ({ success: true, error: null, results: { a: { operationType: "CREATE", result: { objectId: "o3" } } } }),
  },
  "data: bulkDelete": {
    call: (at) => on(at, "Order").bulkDelete([{ objectId: "o1" }, { objectId: "o3" }] as never),
    sends: () => ["POST", "/data/bulk/Order/delete", { where: "objectId in ('o1','o3')" }],
    gives: () => 2,
  },
  "data: remove": {
    call: (at) => on(at).remove("p1"),
    sends: () => ["DELETE", "/data/Person/p1"],
    gives: () => ({ deletionTime: any(Number) }),
    keeps: people,
  },
};

/** What stands after those that change it. */
const KEPT: Record<string, unknown> = {
  "user service: register": ["Ana"],
  "user service: update": ["Anna", any(String)],
  "user service: disableUser": "suspended",
  "roles: assignRole": ["Editor"],
  "roles: unassignRole": [],
  "data: save, with an id that is new": [["p1", "Joe", null]],
  "data: save, of what stands": [["p1", "Joe", 3]],
  "data: bulkUpsert": [
    ["p1", "Joe", 4],
    ["p2", "Kim", null],
  ],
  "data: bulkUpdate": [
    ["p1", "Joe", 5],
    ["p2", "Kim", null],
  ],
  "data: deepSave": ["p1"],
  "data: setRelation": ["o1"],
  "data: addRelation, by a clause": ["o1", "o2"],
  "data: deleteRelation": ["o2"],
  "data: grant to a user": 1,
  "data: deny to all roles": "REMOVE role * false",
  "data: remove": [["p2", "Kim", null]],
};

const sdk = (apiKey: string) => Backendless.initApp({ appId: APP, apiKey, serverURL: recorder.url, standalone: true } as never) as Sdk;

test("the client as it is published: what each call sends, what it makes of the answer, and what is kept", async () => {
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0, apiCallsOfPerson: 0 });
  await furnish(door.house.tables);
  await setConfig(door.house.tables, { dynamicSchema: true });
  await database.inTransaction((tx) => makeRole(tx, OPERATOR, "Editor"));
  const at: At = { app: sdk(CLIENT), server: sdk(SERVER), ana: "", token: "" };
  for (const [name, { call, sends, gives, keeps }] of Object.entries(LINES)) {
    const from = recorder.heard.length;
    const given = await Promise.resolve()
      .then(() => call(at))
      .catch((error: unknown) => error);
    const { objectId, ["user-token"]: token } = (given ?? {}) as Record<string, string | undefined>;
    if (name.endsWith(": register")) at.ana = objectId!;
    if (name.endsWith(": login")) at.token = token!;
    const [method, path, body] = sends(at);
    const sent = recorder.heard.slice(from).filter((it) => !it.path.endsWith("/info"));
    const got = sent.map((it) => ({ method: it.method, path: it.path.replace(/^\/[^/]+\/[^/]+/, ""), body: it.body }));
    expect.soft({ name, sent: got }).toMatchObject({ name, sent: [{ method, path, ...(body !== undefined && { body }) }] });
    expect.soft({ name, given }).toMatchObject({ name, given: gives(at) });
    if (keeps) expect.soft({ name, kept: await keeps(at) }).toEqual({ name, kept: KEPT[name] });
  }
  expect(recorder.heard.filter(({ status }) => status >= 500)).toEqual([]);
  expect(recorder.heard.find(({ path }) => path.endsWith("/info"))?.answer).toMatchObject({ rtURL: any(String), loggers: any(Array) });
}, 120_000);
