import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { sql } from "#platform/database";
import {
  getTableAccess,
  addColumn,
  addRelation,
  bulkUpdateObjects,
  changeColumn,
  getDataConfig,
  countRecords,
  createTable,
  describeTable,
  dropAllTables,
  dropColumn,
  dropTable,
  findRecords,
  findRelated,
  type EntityTable,
  withTable,
  createDataTableStore,
  relateObjects,
  runUnitOfWork,
  saveObject,
  saveObjectDeep,
  setTableAccess,
  changeDataConfig,
  getTableName,
  type DataTables,
  listTables,
} from "../index.ts";
import { createColumn, createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const MEMBER = createMember("01900000-0000-7000-8000-000000000001");
/** Columns of `Users` that another process has just added. */
let more: string[];
const users: EntityTable = {
  name: "Users",
  sqlName: "users",
  columns: [],
  more: async () => more.map((name) => createColumn(name, "STRING", { sqlName: "name" })),
  get stamp() {
    return sql`${more.join()}::text`;
  },
  relations: [],
  visible: () => sql`true`,
};
const open = () => createDataTableStore({ database, entities: [users], dynamicSchema: false });
let here: DataTables;
let there: DataTables;
/** Runs a query in another process, which has not been notified of the change. */
const find = (where: string) =>
  withTable(there, "Plant", (table) => findRecords(there, SERVER, table, { where }));

beforeEach(async () => {
  more = [];
  [here, there] = [open(), open()];
  await createTable(here, { name: "Plant", columns: [{ name: "name", dataType: "STRING" }] });
  await createTable(here, { name: "Bed" });
  await there.catalogue.all();
});

describe("table just changed by another process", () => {
  test("accepts a value of a new column", async () => {
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    expect(await saveObject(there, SERVER, "Plant", { height: 3 })).toMatchObject({ height: 3 });
    await addColumn(here, "Plant", { name: "width", dataType: "INT" });
    expect(await bulkUpdateObjects(there, SERVER, "Plant", "height = 3", { width: 4 })).toBe(1);
    expect(await find("width = 4")).toHaveLength(1);
  });

  test("accepts a value of a new column in a nested record", async () => {
    await addRelation(here, "Bed", { name: "plants", toTable: "Plant", relationshipType: "ONE_TO_MANY" });
    await there.catalogue.isBehind();
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    await there.catalogue.all();
    await saveObjectDeep(there, SERVER, "Bed", { plants: [{ name: "bean", height: 3 }] });
    expect(await find("height = 3")).toMatchObject([{ name: "bean" }]);
  });

  test("includes a new column in answers", async () => {
    const { objectId } = await saveObject(here, SERVER, "Plant", { name: "bean" });
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    await saveObject(here, SERVER, "Plant", { objectId, height: 3 });
    expect(await find("name = 'bean'")).toMatchObject([{ name: "bean", height: 3 }]);
    await dropColumn(here, "Plant", "height");
    expect((await find("name = 'bean'"))[0]).not.toHaveProperty("height");
  });

  test("can be queried by a new column or relation", async () => {
    const { objectId } = await saveObject(here, SERVER, "Plant", { name: "bean" });
    const bed = await saveObject(here, SERVER, "Bed", {});
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    expect(await find("height is null")).toHaveLength(1);
    await addRelation(here, "Bed", { name: "plants", toTable: "Plant", relationshipType: "ONE_TO_MANY" });
    const parentId = String(bed["objectId"]);
    const plants = { table: "Bed", parentId, relation: "plants", children: { ids: [String(objectId)] } };
    expect(await relateObjects(there, SERVER, "set", plants)).toBe(1);
    expect(await find("Bed[plants].objectId is not null")).toHaveLength(1);
    await addRelation(here, "Bed", { name: "first", toTable: "Plant", relationshipType: "ONE_TO_ONE" });
    expect(
      await withTable(there, "Bed", (table) => findRelated(there, SERVER, table, parentId, "first", {})),
    ).toEqual([]);
  });

  test("accepts values of a column whose type changed", async () => {
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    await there.catalogue.isBehind();
    await there.catalogue.all();
    await changeColumn(here, "Plant", "height", { dataType: "DOUBLE" });
    expect(await saveObject(there, SERVER, "Plant", { height: 1.5 })).toMatchObject({ height: 1.5 });
  });

  test("accepts a value of a new column in a transaction", async () => {
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    const operations = [
      { operationType: "CREATE", table: "Plant", payload: { height: 3 }, opResultId: "one" },
    ];
    expect(await runUnitOfWork(there, SERVER, { operations })).toMatchObject({ success: true });
  });

  test("applies the new permissions and schema settings", async () => {
    await setTableAccess(here, "Plant", { AuthenticatedUser: { create: false } });
    await there.catalogue.isBehind();
    await expect(saveObject(there, MEMBER, "Plant", { name: "bean" })).rejects.toMatchObject({ code: 1011 });
    await setTableAccess(here, "Plant", {});
    expect(await saveObject(there, MEMBER, "Plant", { name: "bean" })).toMatchObject({ name: "bean" });
    await changeDataConfig(here, { dynamicSchema: true });
    expect(await saveObject(there, SERVER, "Plant", { colour: "red" })).toMatchObject({ colour: "red" });
    await changeDataConfig(here, { dynamicSchema: false });
    expect(await getDataConfig(there)).toMatchObject({ dynamicSchema: false });
    await addColumn(here, "Plant", { name: "height", dataType: "INT" });
    expect(await describeTable(there, SERVER, "Plant")).toContainEqual(
      expect.objectContaining({ name: "height" }),
    );
    await setTableAccess(here, "Plant", { JSUser: { find: false } });
    expect(await getTableAccess(there, "Plant")).toEqual({ JSUser: { find: false } });
    const { id } = await createTable(here, { name: "Path" });
    expect(await getTableName(there, id)).toBe("Path");
    await createTable(here, { name: "Pond" });
    expect((await listTables(there)).map(({ name }) => name)).toContain("Pond");
  });

  test("gets deleted with all other tables", async () => {
    await dropTable(here, "Bed");
    await createTable(here, { name: "Pond" });
    await dropAllTables(there);
    expect((await listTables(here)).map(({ name }) => name)).toEqual(["Users"]);
  });

  test("can be queried by a new column if it is an API entity", async () => {
    more = ["plot"];
    const count = (where: string) =>
      withTable(there, "Users", (table) => countRecords(there, SERVER, table, { where }));
    expect(await count("plot = 'x'")).toBe(0);
    await expect(count("no = 'x'")).rejects.toMatchObject({ code: 1006 });
  });
});
