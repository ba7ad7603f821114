import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { runConcurrently } from "../../../../test/support/concurrently.ts";
import { run, sql } from "#platform/database";
import {
  addRelation,
  createTable,
  findRelated,
  withTable,
  createDataTableStore,
  relateObjects,
  runUnitOfWork,
  saveObject,
  saveObjectDeep,
  type DataTables,
} from "../index.ts";
import { SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
let tables: DataTables;
let bed: string;
let rose: string;
beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "Bed" });
  await createTable(tables, { name: "Plant" });
  await addRelation(tables, "Bed", { name: "plants", toTable: "Plant", relationshipType: "ONE_TO_MANY" });
  [bed = "", rose = ""] = [await idOf("Bed"), await idOf("Plant")];
});

const idOf = async (name: string) => String((await saveObject(tables, SERVER, name, {}))["objectId"]);
const removing = async () => {
  const { sqlName } = await tables.catalogue.table("Plant");
  return atOnceWith((tx) => run(tx, sql`delete from ${sql.id("data", sqlName)} where object_id = ${rose}`));
};
const atOnceWith =
  (first: Parameters<typeof runConcurrently<number, unknown>>[1]) =>
  async <T>(work: () => Promise<T>) => {
    const [, done] = await runConcurrently(database, first, work);
    return done;
  };
const planted = () =>
  withTable(tables, "Bed", (table) => findRelated(tables, SERVER, table, bed, "plants", {}));

describe("object deleted while it is being related", () => {
  test.each(["set", "add"] as const)("counts as missing: %s", async (how) => {
    const iris = await idOf("Plant");
    const children = { ids: [rose, iris] };
    const beside = await removing();
    expect(
      await beside(() =>
        relateObjects(tables, SERVER, how, { table: "Bed", parentId: bed, relation: "plants", children }),
      ),
    ).toEqual({
      status: "fulfilled",
      value: 1,
    });
    expect(await planted()).toMatchObject([{ objectId: iris }]);
  });

  test("gets skipped by transactions and deep saves", async () => {
    const payload = { parentObject: bed, relationColumn: "plants", unconditional: [rose] };
    const unit = { operations: [{ operationType: "ADD_RELATION", table: "Bed", payload, opResultId: "it" }] };
    const inUnit = await (await removing())(() => runUnitOfWork(tables, SERVER, unit));
    expect(inUnit).toMatchObject({ value: { success: true, results: { it: { result: 0 } } } });
    rose = await idOf("Plant");
    const deep = await (
      await removing()
    )(() => saveObjectDeep(tables, SERVER, "Bed", { objectId: bed, plants: [{ objectId: rose }] }));
    expect(deep).toMatchObject({ status: "fulfilled" });
    expect(await planted()).toEqual([]);
  });
});
