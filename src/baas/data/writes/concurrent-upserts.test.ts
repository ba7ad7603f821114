import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { many, sql } from "#platform/database";
import {
  bulkUpsertObjects,
  createTable,
  findRecords,
  withTable,
  createDataTableStore,
  runUnitOfWork,
  type DataTables,
  upsertObject,
} from "../index.ts";
import { SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const ALL = Array.from({ length: 8 }, (_, n) => n);
let tables: DataTables;
beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "Score", columns: [{ name: "points", dataType: "INT" }] });
});

const standing = () =>
  withTable(tables, "Score", (table) => findRecords(tables, SERVER, table, { sortBy: "objectId" }));
const made = async (type: string) =>
  (
    await many(
      database.db,
      sql<{ made: boolean }>`select payload -> 'made' as made from outbox where type = ${type}`,
    )
  ).filter((it) => it.made).length;

describe("concurrent upserts of the same new ids", () => {
  test("create one record a single time, then update it", async () => {
    const saved = await Promise.all(
      ALL.map((points) => upsertObject(tables, SERVER, "Score", { objectId: "mira", points })),
    );
    expect(saved.map(({ points }) => points)).toEqual(ALL);
    expect(await standing()).toMatchObject([{ objectId: "mira", updated: expect.any(Number) as number }]);
    expect(await made("record.upserted")).toBe(1);
  });

  test("create several records a single time, then update them", async () => {
    const records = (points: number) => ["mira", "tomas"].map((objectId) => ({ objectId, points }));
    const ids = await Promise.all(
      ALL.map((points) => bulkUpsertObjects(tables, SERVER, "Score", records(points))),
    );
    expect(ids).toEqual(ALL.map(() => ["mira", "tomas"]));
    expect(await standing()).toHaveLength(2);
  });

  test("create the records a single time in transactions, then update them", async () => {
    const payload = { objectId: "mira", points: 1 };
    const one = { operations: [{ operationType: "UPSERT", table: "Score", payload, opResultId: "it" }] };
    const two = {
      operations: [
        { operationType: "UPSERT_BULK", table: "Score", payload: [payload, { points: 2 }], opResultId: "it" },
      ],
    };
    const done = await Promise.all([
      runUnitOfWork(tables, SERVER, one),
      runUnitOfWork(tables, SERVER, two),
      runUnitOfWork(tables, SERVER, one),
    ]);
    expect(done.map(({ success }) => success)).toEqual([true, true, true]);
    expect(await standing()).toHaveLength(2);
  });
});
