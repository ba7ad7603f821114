import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setTableAccess, changeDataConfig } from "#baas/data";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createTestTables, type Row } from "../../../../test/support/rest/data-rows.ts";
import { CLIENT, startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let sdk: typeof Backendless;
beforeAll(async () => {
  testApi = await startTestApi(database);
  sdk = testApi.sdk();
});
afterAll(() => testApi.close());

const NOW = Date.parse("2026-05-04T09:00:00Z");
const people = () => sdk.Data.of("Person");
const builder = () => sdk.DataQueryBuilder.create();

/** Ann (20), Bob (30) and Cay (30), created a second apart; Ann is Bob's friend and has two orders. */
beforeEach(async () => {
  testApi.forget();
  await createTestTables(testApi.app.tables);
  for (const [n, name] of ["Ann", "Bob", "Cay"].entries()) {
    await people().save({ objectId: name, name, age: n === 0 ? 20 : 30, profile: { n } }, true);
    database.clock.pass(1_000);
  }
  await sdk.Data.of("Order").bulkCreate(["x", "y"].map((objectId) => ({ objectId, title: objectId })));
  await people().setRelation("Bob", "friend", ["Ann"]);
  await people().setRelation("Ann", "orders", ["x", "y"]);
});

const names = (rows: object[]) => rows.map((row) => (row as Row)["name"]);

describe("find with the published client", () => {
  test.each<[string, () => Promise<unknown>, unknown]>([
    ["all records, newest first", async () => names(await people().find()), ["Cay", "Bob", "Ann"]],
    [
      "a page in the given order",
      async () =>
        names(await people().find(builder().setSortBy("age desc, name").setPageSize(2).setOffset(1))),
      ["Cay", "Ann"],
    ],
    [
      "records by a clause",
      async () => names(await people().find(builder().setWhereClause("age = 30 and name like 'B%'"))),
      ["Bob"],
    ],
    [
      "records by a related column",
      async () => names(await people().find(builder().setWhereClause("friend.name = 'Ann'"))),
      ["Bob"],
    ],
    [
      "records by a relation of another record",
      async () => names(await people().find(builder().setWhereClause("Person[friend].objectId = 'Bob'"))),
      ["Ann"],
    ],
    [
      "selected properties",
      () => people().find(builder().setProperties(["name as called"]).setWhereClause("name='Ann'")),
      [{ ___class: "Person", called: "Ann", objectId: "Ann" }],
    ],
    [
      "sums",
      () => people().find(builder().setProperties("Count(objectId),age").setGroupBy("age").setSortBy("age")),
      [
        { ___class: "Person", count: 1, age: 20 },
        { ___class: "Person", count: 2, age: 30 },
      ],
    ],
    ["the first record", async () => names([await people().findFirst()]), ["Ann"]],
    ["the last record", async () => names([await people().findLast()]), ["Cay"]],
    [
      "a record by id",
      () => people().findById("Ann"),
      expect.objectContaining({ name: "Ann", created: NOW, profile: { n: 0 } }),
    ],
    [
      "a record by key columns",
      () => people().findById({ name: "Bob" } as never),
      expect.objectContaining({ objectId: "Bob" }),
    ],
    [
      "a record with a relation",
      () => people().findById("Bob", builder().setRelated("friend")),
      expect.objectContaining({ friend: expect.objectContaining({ name: "Ann" }) }),
    ],
    [
      "a record with all relations",
      () => people().findById("Ann", builder().setRelationsDepth(1)),
      expect.objectContaining({ friend: null, orders: [expect.anything(), expect.anything()] }),
    ],
    ["nothing beyond the last record", () => people().find(builder().setOffset(50)), []],
    ["a count", () => people().getObjectCount("age = 30"), 2],
    ["a count by a clause", () => people().getObjectCount(builder().setGroupBy("age")), 2],
  ])("returns %s", async (_what, ask, expected) => {
    expect(await ask()).toEqual(expected);
  });

  test("loads a page of relations", async () => {
    const query = sdk.LoadRelationsQueryBuilder.create()
      .setRelationName("orders")
      .setSortBy("title desc")
      .setPageSize(1);
    expect(await people().loadRelations("Ann", query)).toMatchObject([{ ___class: "Order", title: "y" }]);
  });

  test("groups records", async () => {
    const grouped = (await people().group(
      sdk.GroupQueryBuilder.create().setGroupBy("age").setSortBy("age"),
    )) as unknown as {
      items: Row[];
    };
    expect(grouped.items).toMatchObject([
      { groupBy: { column: "age", value: 20 } },
      { groupBy: { column: "age", value: 30 }, items: [{}, {}] },
    ]);
    const query = sdk.GroupQueryBuilder.create()
      .setGroupBy("age")
      .setGroupPath([{ column: "age", value: 30 }] as never);
    expect(await people().countInGroup(query as never)).toBe(2);
  });

  test.each<[string, () => Promise<unknown>, Row]>([
    ["a missing table", () => sdk.Data.of("None").find(), { code: 1009 }],
    [
      "a missing property",
      () => people().find(builder().setProperties(["wings"])),
      { code: 1006, message: "Column 'wings' does not exist in table 'Person'" },
    ],
    [
      "an unknown id",
      () => people().findById("nobody"),
      { code: 1000, message: "Entity with ID nobody not found" },
    ],
    ["an invalid clause", () => people().find(builder().setWhereClause("age >")), { code: 1017 }],
    [
      "a missing relation",
      () => people().loadRelations("Ann", sdk.LoadRelationsQueryBuilder.create().setRelationName("wings")),
      { code: 1006 },
    ],
    [
      "a missing parent",
      () => people().loadRelations("no", sdk.LoadRelationsQueryBuilder.create().setRelationName("orders")),
      { code: 1000 },
    ],
  ])("refuses %s", async (_what, ask, expected) => {
    await expect(ask()).rejects.toMatchObject(expected);
  });

  test("uses tables and columns that another process has just changed", async () => {
    const { catalogue } = testApi.app.tables;
    await people().find();
    const { sqlName, columns } = await catalogue.table("Person");
    // Another process has dropped the column, and its notification has not arrived here yet.
    await database.pool.query(
      "delete from data_columns where name = 'age'; update data_config set version = version + 1",
    );
    await database.pool.query(`alter table data.${sqlName} drop column ${columns.get("age")!.sqlName}`);
    expect(names(await people().find())).toEqual(["Cay", "Bob", "Ann"]);
    catalogue.forget();
    expect(Object.keys(await people().findById("Ann"))).not.toContain("age");
  });

  test("refuses forbidden tables, directly and through relations", async () => {
    await changeDataConfig(testApi.app.tables, { defaultAccess: "open" });
    await setTableAccess(testApi.app.tables, "Order", {
      JSUser: { find: false },
      RestUser: { find: false },
      NotAuthenticatedUser: { find: false },
    });
    await expect(sdk.Data.of("Order").find()).rejects.toMatchObject({ code: 1011, status: 403 });
    await expect(people().find(builder().setWhereClause("orders.title = 'x'"))).rejects.toMatchObject({
      code: 1011,
    });
    const answer = await testApi.call("GET", `/${testApi.app.appId}/${CLIENT}/data/Person/Ann/orders`);
    expect(answer.body).toMatchObject({ code: 1011 });
  });
});
