import { beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  clientSdk,
  database,
  testApi,
  callManagement,
  createUserInput,
  getOutcome,
  type Row,
  createClient,
  serverSdk,
  VERSIONS,
} from "../../../../test/support/rest/hosted-api.ts";

const users = (sdk = clientSdk()) =>
  sdk.Data.of("Users") as unknown as {
    bulkCreate: (users: object[]) => Promise<string[]>;
    find: (query: object) => Promise<Row[]>;
    save: (user: object) => Promise<Row>;
  } & Record<
    "addRelation" | "setRelation" | "deleteRelation",
    (parent: string, relation: string, children: unknown) => Promise<number>
  >;
const relation = (name: string, toTable: string, relationshipType = "ONE_TO_MANY") =>
  callManagement("POST", "/data/table/Users/columns/relation", { name, toTable, relationshipType });

let ids: string[];
beforeEach(async () => {
  ids = await users(serverSdk()).bulkCreate(["a", "b", "c", "d"].map((name) => createUserInput({ name })));
});

describe.each(VERSIONS)("relations with client %s", (version) => {
  test("can relate users to each other and load the related users", async () => {
    expect(await relation("friends", "Users")).toEqual({
      name: "friends",
      toTable: "Users",
      relationshipType: "ONE_TO_MANY",
      autoLoad: false,
    });
    await relation("blocked", "Users");
    const store = users(createClient(version));
    const [a, b, c, d] = ids as [string, string, string, string];
    expect(await store.addRelation(a, "friends", [b, c])).toBe(2);
    expect(await store.addRelation(a, "blocked", [b, c, d])).toBe(3);
    expect(await store.deleteRelation(a, "blocked", "name = 'd'")).toBe(1);
    const sdk = createClient(version);
    const query = sdk.DataQueryBuilder.create()
      .setWhereClause(`objectId = '${a}'`)
      .setRelated(["friends", "blocked"]);
    const [found] = await users(sdk).find(query);
    expect(found).toMatchObject({ objectId: a });
    const idsOf = (rows: unknown) => (rows as Row[]).map(({ objectId }) => objectId).sort();
    expect([idsOf(found!["friends"]), idsOf(found!["blocked"])]).toEqual([
      [b, c],
      [b, c],
    ]);
    expect(found!["friends"]).toEqual(found!["blocked"]);
    const friendly = sdk.DataQueryBuilder.create().setWhereClause("friends.name = 'c'");
    expect(idsOf(await users(sdk).find(friendly))).toEqual([a]);
  });
});

describe("columns of users", () => {
  test("can be added, described and removed with their values", async () => {
    expect(
      await callManagement("POST", "/data/table/Users/columns", { name: "plan", dataType: "STRING" }),
    ).toMatchObject({
      name: "plan",
      dataType: "STRING",
    });
    const [id] = ids as [string];
    expect(await users(serverSdk()).save({ objectId: id, plan: "gold" })).toMatchObject({ plan: "gold" });
    expect(await getOutcome(users(serverSdk()).save({ objectId: id, plan: 7 }))).toMatchObject({
      code: 3021,
    });
    const described = (await clientSdk().Data.describe("Users")) as unknown as {
      name: string;
      type: string;
    }[];
    expect(described).toContainEqual(expect.objectContaining({ name: "plan", type: "STRING" }));
    expect(await callManagement("DELETE", "/data/table/Users/columns/plan")).toEqual({ deleted: true });
    expect(await many(database.db, sql`select from people where properties ? 'plan'`)).toEqual([]);
    expect(await callManagement("DELETE", "/data/table/Users/columns/plan")).toMatchObject({ code: 404 });
  });

  test.each([
    ["the name of a standard column", { name: "email", dataType: "STRING" }, 1022],
    ["the name of a relation", { name: "posts", dataType: "STRING" }, 1022],
    ["an unsupported type", { name: "home", dataType: "POINT" }, 3021],
    ["further properties of a column", { name: "plan", dataType: "STRING", unique: true }, 1022],
  ])("refuse %s", async (_what, column, code) => {
    expect(await callManagement("POST", "/data/table/Users/columns", column)).toMatchObject({ code });
  });
});

describe("relations of users", () => {
  test("can refer to data tables, and disappear with the table", async () => {
    const order = (await clientSdk().Data.of("Order").save({ title: "x" })) as unknown as Row;
    expect(await users().setRelation(ids[0]!, "orders:Order:n", [order.objectId])).toBe(1);
    expect(await users().setRelation(ids[0]!, "favourite:Order:1", [order.objectId])).toBe(1);
    const query = clientSdk()
      .DataQueryBuilder.create()
      .setWhereClause("favourite.title = 'x'")
      .setRelated(["orders"]);
    expect(await users().find(query)).toMatchObject([{ objectId: ids[0], orders: [{ title: "x" }] }]);
    expect(await callManagement("DELETE", "/data/table/Order")).toEqual({ deleted: true });
    const tables = (await callManagement("GET", "/data/tables")) as unknown as {
      name: string;
      relations: { name: string }[];
    }[];
    const { relations } = tables.find(({ name }) => name === "Users")!;
    expect(relations.map(({ name }) => name)).not.toContain("orders");
    expect(await relation("email", "Users")).toMatchObject({ code: 1022 });
    expect(await relation("posts", "Users")).toMatchObject({ code: 1022 });
  });

  test("remain unchanged when a loaded user is saved", async () => {
    await relation("friends", "Users");
    await users().setRelation(ids[0]!, "friends", [ids[1]]);
    const query = clientSdk()
      .DataQueryBuilder.create()
      .setWhereClause(`objectId = '${ids[0]}'`)
      .setRelated(["friends"]);
    const [loaded] = await users(serverSdk()).find(query);
    expect(await users(serverSdk()).save({ ...loaded, name: "renamed" })).toMatchObject({ name: "renamed" });
    expect(await serverSdk().UserService.update({ ...loaded, name: "once more" } as never)).toMatchObject({
      name: "once more",
    });
    expect(await many(database.db, sql`select name from person_properties where name = 'friends'`)).toEqual(
      [],
    );
    expect(await users().find(query)).toMatchObject([{ friends: [{ objectId: ids[1] }] }]);
  });

  test("require the server key without the hosted-service defaults", async () => {
    await relation("friends", "Users");
    expect(await getOutcome(users().addRelation(ids[0]!, "posts", [ids[1]]))).toMatchObject({
      code: 1023,
    });
    expect(await getOutcome(users().addRelation("nobody", "friends", [ids[1]]))).toMatchObject({
      code: 1000,
    });
    await testApi.set({ apiDefaults: "careful" });
    testApi.forget();
    expect(await getOutcome(users().addRelation(ids[0]!, "friends", [ids[1]]))).toMatchObject({
      code: 1011,
    });
    expect(await users(serverSdk()).addRelation(ids[0]!, "friends", [ids[1]])).toBe(1);
    expect(await relation("enemies", "Users")).toMatchObject({
      message: expect.stringContaining("KITH_API_DEFAULTS=hosted"),
    });
  });

  test("disappear with a reset of the installation", async () => {
    await relation("friends", "Users");
    testApi.app.allowReset = true;
    expect(await callManagement("POST", "/reset", { confirm: testApi.app.appId })).toEqual({ emptied: true });
    expect(await many(database.db, sql`select name from data_tables`)).toEqual([]);
  });
});
