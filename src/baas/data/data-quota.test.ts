import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  addRelation,
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  bulkUpsertObjects,
  createTable,
  dropTable,
  createDataTableStore,
  removeObject,
  runUnitOfWork,
  saveObject,
  saveObjectDeep,
  type DataTables,
  upsertObject,
} from "./index.ts";

const database = await testDatabase();
const SERVER = { userId: null, roles: ["ServerCodeUser"], server: true };
let quota = { rows: 0, bytes: 0 };
let tables: DataTables;

beforeEach(async () => {
  quota = { rows: 0, bytes: 0 };
  tables = createDataTableStore({ database, dynamicSchema: true, quota: async () => quota });
  await createTable(tables, { name: "T", columns: [{ name: "n", dataType: "INT" }] });
});

const few = (count: number) => Array.from({ length: count }, (_, n) => ({ objectId: `it${n}`, n }));
const refused = expect.objectContaining({ code: 1021 }) as Error;
/** Updates the statistics from which PostgreSQL estimates sizes. */
const known = async () => {
  const { sqlName } = await tables.catalogue.table("T");
  await run(database.db, sql`analyze ${sql.id("data", sqlName)}`);
  database.clock.pass(20_000);
};

describe("data quota", () => {
  test("limits records per request and in total", async () => {
    quota = { rows: 10, bytes: 0 };
    await bulkCreateObjects(tables, SERVER, "T", few(8));
    await expect(bulkCreateObjects(tables, SERVER, "T", [{}, {}, {}])).rejects.toThrow(refused);
    await known();
    expect(await tables.quota.state()).toMatchObject({ used: { rows: 8 }, quota });
    await saveObject(tables, SERVER, "T", { n: 9 });
    await saveObject(tables, SERVER, "T", { n: 10 });
    await expect(saveObject(tables, SERVER, "T", { n: 11 })).rejects.toThrow(/limited to 10 records/);
    await expect(bulkUpsertObjects(tables, SERVER, "T", [{ n: 12 }])).rejects.toThrow(refused);
    await expect(bulkUpsertObjects(tables, SERVER, "T", few(11).slice(10))).rejects.toThrow(refused);
    const unit = { operations: [{ operationType: "CREATE", table: "T", payload: {}, opResultId: "a" }] };
    await expect(runUnitOfWork(tables, SERVER, unit)).rejects.toThrow(refused);
    // No table is created either.
    await expect(saveObject(tables, SERVER, "Another", { n: 1 })).rejects.toThrow(refused);
    expect(tables.catalogue.known("Another")).toBeUndefined();
    // Existing objects can be changed and removed, which frees space.
    expect(await saveObject(tables, SERVER, "T", { objectId: "it1", n: 5 })).toMatchObject({ n: 5 });
    expect(await bulkUpsertObjects(tables, SERVER, "T", few(8))).toHaveLength(8);
    expect(await upsertObject(tables, SERVER, "T", { objectId: "it1", n: 5 })).toMatchObject({ n: 5 });
    expect(await bulkDeleteObjects(tables, SERVER, "T", "n >= 3")).toBeGreaterThan(3);
    await known();
    await saveObject(tables, SERVER, "T", { n: 1 });
  });

  test("counts new records nested in a deep save, but no existing ones", async () => {
    await addRelation(tables, "T", { name: "below", toTable: "T", relationshipType: "ONE_TO_MANY" });
    quota = { rows: (await tables.quota.state()).used.rows + 5, bytes: 0 };
    const { objectId } = await saveObjectDeep(tables, SERVER, "T", {
      n: 1,
      below: [{ n: 2 }, { n: 3, below: [{ n: 4 }] }],
    });
    await expect(
      saveObjectDeep(tables, SERVER, "T", { objectId, below: [{ n: 5 }, { n: 6 }] }),
    ).rejects.toThrow(refused);
    await saveObjectDeep(tables, SERVER, "T", { objectId, n: 7, below: [{ n: 5 }] });
    expect(await saveObjectDeep(tables, SERVER, "T", { objectId, n: 8 })).toMatchObject({ n: 8 });
  });

  test("limits bytes for every operation that enlarges a table", async () => {
    await bulkCreateObjects(tables, SERVER, "T", few(3));
    quota = { rows: 0, bytes: (await tables.quota.state()).used.bytes };
    for (const larger of [
      () => saveObject(tables, SERVER, "T", {}),
      () => saveObject(tables, SERVER, "T", { objectId: "it1", n: 5 }),
      () => bulkUpdateObjects(tables, SERVER, "T", "1=1", { n: 5 }),
    ])
      await expect(larger()).rejects.toThrow(/limited to 0 MB/);
    await removeObject(tables, SERVER, "T", "it1");
    await dropTable(tables, "T");
    await expect(saveObject(tables, SERVER, "Another", { n: 1 })).resolves.toMatchObject({ n: 1 });
  });
});
