import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  createTestTables,
  readLinks,
  type Row,
  readRows as standingIn,
  listRecordEvents,
} from "../../../../test/support/rest/data-rows.ts";
import { startTestApi, type TestRestApi } from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let sdk: typeof Backendless;
beforeAll(async () => {
  testApi = await startTestApi(database);
  sdk = testApi.sdk();
});
beforeEach(async () => {
  testApi.forget();
  await createTestTables(testApi.app.tables);
});
afterAll(() => testApi.close());

const standing = (name = "Person") => standingIn(testApi.app.tables, name);
const links = (relation = "orders") => readLinks(testApi.app.tables, "Person", relation);
const people = () => sdk.Data.of("Person");
const NOW = Date.parse("2026-05-04T09:00:00Z");

/** Result of an operation in the client; missing in its types. */
const resultOf = (operation: unknown) => (operation as { getResult: () => unknown }).getResult();

describe("transaction with the published client", () => {
  test("runs every operation, with references of every form", async () => {
    await sdk.Data.of("Order").bulkCreate([
      { objectId: "o1", title: "one" },
      { objectId: "o2", title: "two" },
    ] as never);
    const unit = new sdk.UnitOfWork();
    const operation = unit.create("Person", { objectId: "p", name: "Joe", born: new Date(NOW) } as never);
    const changed = unit.update(operation, { age: 3, name: operation.resolveTo("name") } as never);
    const upserted = unit.upsert("Person", {
      objectId: "q",
      name: changed.resolveTo("name"),
      profile: { of: operation },
    } as never);
    const bulk = unit.bulkCreate("Person", [{ objectId: "r" }, { objectId: "s" }] as never);
    const found = unit.find(
      "Order",
      sdk.DataQueryBuilder.create().setSortBy("title").setWhereClause("title like '%'"),
    );
    const set = unit.setRelation(operation, "orders", found as never);
    const added = unit.addToRelation("Person", "q", "orders", [found.resolveTo(0)] as never);
    const dropped = unit.deleteRelation(operation, "orders", "title = 'one'");
    const friend = unit.setRelation("Person", "q", "friend", [bulk.resolveTo(1)] as never);
    const counted = unit.bulkUpdate(bulk, { age: 9 } as never);
    const upserts = unit.bulkUpsert("Person", [{ objectId: "r", name: "R" }, { objectId: "t" }] as never);
    const bulkDeletion = unit.bulkDelete("Person", ["t", "nobody"] as never);
    const removed = unit.delete("Person", "s");
    const result = await unit.execute();

    expect([result.isSuccess(), result.getError()]).toEqual([true, null]);
    const results = [
      operation,
      changed,
      upserted,
      bulk,
      found,
      set,
      added,
      dropped,
      friend,
      counted,
      upserts,
      bulkDeletion,
      removed,
    ].map(resultOf);
    expect(results).toMatchObject([
      { objectId: "p", name: "Joe", age: null, born: NOW, ___class: "Person", updated: null },
      { objectId: "p", name: "Joe", age: 3, updated: NOW },
      { objectId: "q", name: "Joe", profile: { of: "p" } },
      ["r", "s"],
      [{ objectId: "o1" }, { objectId: "o2" }],
      2,
      1,
      1,
      1,
      2,
      ["r", "t"],
      1,
      NOW,
    ]);
    expect((await standing()).map(({ objectId, age }) => [objectId, age])).toEqual([
      ["p", 3],
      ["q", null],
      ["r", 9],
    ]);
    expect([await links(), await links("friend")]).toEqual([["o2", "o1"], []]);
    expect((await listRecordEvents(database.db)).slice(1).map(({ type }) => type)).toEqual([
      "record.created",
      "record.updated",
      "record.upserted",
      "records.created",
      "relation.set",
      "relation.added",
      "relation.deleted",
      "relation.set",
      "records.updated",
      "records.created",
      "records.updated",
      "records.upserted",
      "records.deleted",
      "record.deleted",
    ]);
    expect(
      (await listRecordEvents(database.db)).find(({ type }) => type === "records.updated"),
    ).toMatchObject({
      whereClause: "objectId IN ('r','s')",
      count: 2,
    });
  });

  test("can use the results of a find in later operations", async () => {
    await sdk.Data.of("Order").bulkCreate(["x", "y"].map((objectId) => ({ objectId, title: objectId })));
    const unit = new sdk.UnitOfWork();
    const query = () => sdk.DataQueryBuilder.create().setSortBy("title");
    const found = unit.find("Order", query().setProperties(["title"]));
    unit.update(found.resolveTo(1), { title: "z" });
    unit.find("Order", sdk.DataQueryBuilder.create().setProperties(["Count(objectId) as n"]));
    unit.bulkDelete(found);
    const done = (await unit.execute()) as unknown as {
      error: unknown;
      results: Record<string, { result: unknown }>;
    };
    expect(done.error).toBeNull();
    const results = Object.values(done.results).map(({ result }) => result);
    expect(results[0]).toEqual(["x", "y"].map((title) => ({ ___class: "Order", title, objectId: title })));
    expect(results.slice(2)).toEqual([[{ ___class: "Order", n: 2 }], 2]);
  });

  const MISSING = "All tables and columns must be present in the database before a transaction is executed.";
  test.each<[string, (unit: Backendless.UnitOfWork) => unknown, Row]>([
    [
      "a missing column",
      (unit) => unit.create("Person", { wings: 2 } as never),
      { message: `Column 'wings' in table 'Person' does not exists. ${MISSING}` },
    ],
    ["a missing table", (unit) => unit.create("Bird", { a: 1 } as never), { code: 1009 }],
    [
      "a bulk create that is too large",
      (unit) => unit.bulkCreate("Person", Array.from({ length: 101 }, () => ({})) as never),
      { message: "Bulk create operation supports no more than 100 objects" },
    ],
    [
      "an unknown id",
      (unit) => unit.update("Person", { objectId: "nobody", age: 1 } as never),
      { code: 1000, message: "Entity with ID nobody not found" },
    ],
    ["a value that must be unique", (unit) => unit.create("Person", { code: "B" } as never), { code: 1155 }],
    ["a value of another type", (unit) => unit.create("Person", { age: "x" } as never), { code: 1007 }],
    [
      "an index past the end",
      (unit) => unit.delete(unit.find("Person", sdk.DataQueryBuilder.create()).resolveTo(7)),
      { code: 1101 },
    ],
    ["an invalid clause", (unit) => unit.bulkDelete("Person", "age ="), { code: 1017 }],
  ])("rolls back completely for %s", async (_what, refused, error) => {
    await people().bulkCreate([{ objectId: "1" }, { objectId: "9", code: "B" }] as never);
    const before = [await standing(), await listRecordEvents(database.db)];
    const unit = new sdk.UnitOfWork(sdk.UnitOfWork.IsolationLevelEnum.SERIALIZABLE);
    unit.create("Person", { objectId: "2" } as never);
    unit.delete("Person", "1");
    const operation = refused(unit) as Backendless.OpResult;
    const result = await unit.execute();
    expect([result.isSuccess(), result.getResults()]).toEqual([false, null]);
    expect(result.getError()).toMatchObject(error);
    expect((operation as unknown as { getError: () => unknown }).getError()).toBe(result.getError());
    expect([await standing(), await listRecordEvents(database.db)]).toEqual(before);
  });

  test("may contain ten bulk creates of a hundred records, or no operation", async () => {
    const unit = new sdk.UnitOfWork();
    for (let n = 0; n < 10; n++)
      unit.bulkCreate("Person", Array.from({ length: 100 }, () => ({ name: `n${n}` })) as never);
    expect((await unit.execute()).isSuccess()).toBe(true);
    expect(await standing()).toHaveLength(1_000);
    expect(await new sdk.UnitOfWork().execute()).toMatchObject({ success: true, results: {} });
  });

  test.each(["READ_UNCOMMITTED", "READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"] as const)(
    "waits for the previous transaction at isolation level %s",
    async (level) => {
      await people().save({ objectId: "1", age: 0 }, true);
      const one = async () => {
        const unit = new sdk.UnitOfWork(sdk.UnitOfWork.IsolationLevelEnum[level]);
        unit.update("Person", { objectId: "1", age: new sdk.Expression("age + 1") } as never);
        return (await unit.execute()).isSuccess();
      };
      const done = await Promise.all([one(), one(), one()]);
      expect(done).toEqual([true, true, true]);
      expect(await standing()).toMatchObject([{ age: 3 }]);
    },
  );
});
