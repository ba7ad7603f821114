import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  addRelation,
  bulkCreate,
  bulkDelete,
  bulkUpdate,
  bulkUpsert,
  createTable,
  dropTable,
  openTables,
  remove,
  runUnit,
  save,
  saveDeep,
  type Tables,
  upsert,
} from "./index.ts";

const database = await testDatabase();
const SERVER = { userId: null, roles: ["ServerCodeUser"], server: true };
let quota = { rows: 0, bytes: 0 };
let tables: Tables;

beforeEach(async () => {
  quota = { rows: 0, bytes: 0 };
  tables = openTables({ database, dynamicSchema: true, quota: async () => quota });
  await createTable(tables, { name: "T", columns: [{ name: "n", dataType: "INT" }] });
});

const few = (count: number) => Array.from({ length: count }, (_, n) => ({ objectId: `it${n}`, n }));
const refused = expect.objectContaining({ code: 1021 }) as Error;
/** Updates the statistics from which PostgreSQL knows sizes without counting. */
const known = async () => {
  const { sqlName } = await tables.catalogue.table("T");
  await run(database.db, sql`analyze ${sql.id("data", sqlName)}`);
  database.clock.pass(20_000);
};

describe("data quota", () => {
  test("counts rows, at once and as stored", async () => {
    quota = { rows: 10, bytes: 0 };
    await bulkCreate(tables, SERVER, "T", few(8));
    await expect(bulkCreate(tables, SERVER, "T", [{}, {}, {}])).rejects.toThrow(refused);
    await known();
    expect(await tables.room.state()).toMatchObject({ used: { rows: 8 }, quota });
    await save(tables, SERVER, "T", { n: 9 });
    await save(tables, SERVER, "T", { n: 10 });
    await expect(save(tables, SERVER, "T", { n: 11 })).rejects.toThrow(/room for 10 records/);
    await expect(bulkUpsert(tables, SERVER, "T", [{ n: 12 }])).rejects.toThrow(refused);
    await expect(bulkUpsert(tables, SERVER, "T", few(11).slice(10))).rejects.toThrow(refused);
    const unit = { operations: [{ operationType: "CREATE", table: "T", payload: {}, opResultId: "a" }] };
    await expect(runUnit(tables, SERVER, unit)).rejects.toThrow(refused);
    // No table is created either.
    await expect(save(tables, SERVER, "Another", { n: 1 })).rejects.toThrow(refused);
    expect(tables.catalogue.known("Another")).toBeUndefined();
    // Existing objects can be changed and removed, which frees space.
    expect(await save(tables, SERVER, "T", { objectId: "it1", n: 5 })).toMatchObject({ n: 5 });
    expect(await bulkUpsert(tables, SERVER, "T", few(8))).toHaveLength(8);
    expect(await upsert(tables, SERVER, "T", { objectId: "it1", n: 5 })).toMatchObject({ n: 5 });
    expect(await bulkDelete(tables, SERVER, "T", "n >= 3")).toBeGreaterThan(3);
    await known();
    await save(tables, SERVER, "T", { n: 1 });
  });

  test("counts each new record nested in a deep save, and none that exists", async () => {
    await addRelation(tables, "T", { name: "below", toTable: "T", relationshipType: "ONE_TO_MANY" });
    quota = { rows: (await tables.room.state()).used.rows + 5, bytes: 0 };
    const { objectId } = await saveDeep(tables, SERVER, "T", { n: 1, below: [{ n: 2 }, { n: 3, below: [{ n: 4 }] }] });
    await expect(saveDeep(tables, SERVER, "T", { objectId, below: [{ n: 5 }, { n: 6 }] })).rejects.toThrow(refused);
    await saveDeep(tables, SERVER, "T", { objectId, n: 7, below: [{ n: 5 }] });
    expect(await saveDeep(tables, SERVER, "T", { objectId, n: 8 })).toMatchObject({ n: 8 });
  });

  test("counts bytes, for anything that makes a table larger", async () => {
    await bulkCreate(tables, SERVER, "T", few(3));
    quota = { rows: 0, bytes: (await tables.room.state()).used.bytes };
    for (const larger of [
      () => save(tables, SERVER, "T", {}),
      () => save(tables, SERVER, "T", { objectId: "it1", n: 5 }),
      () => bulkUpdate(tables, SERVER, "T", "1=1", { n: 5 }),
    ])
      await expect(larger()).rejects.toThrow(/room for 0 MB/);
    await remove(tables, SERVER, "T", "it1");
    await dropTable(tables, "T");
    await expect(save(tables, SERVER, "Another", { n: 1 })).resolves.toMatchObject({ n: 1 });
  });
});
