import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { many, run, sql } from "#platform/database";
import {
  getTableAccess,
  addColumn,
  addRelation,
  changeColumn,
  getDataConfig,
  createTable,
  dropAllTables,
  dropColumn,
  dropTable,
  type EntityTable,
  createDataTableStore,
  setTableAccess,
  changeDataConfig,
  listTables,
} from "../index.ts";

const database = await testDatabase();
const entity: EntityTable = {
  name: "Users",
  sqlName: "users",
  columns: [],
  relations: [],
  visible: () => sql`true`,
};
const open = () => createDataTableStore({ database, entities: [entity], dynamicSchema: false });

/** Tables in the data schema with their columns and types. */
const inDatabase = async (sqlName: string) =>
  many(
    database.db,
    sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'data' and table_name = ${sqlName} order by ordinal_position`,
  );
const sqlNameOf = async (tables: ReturnType<typeof open>, name: string) =>
  (await tables.catalogue.table(name)).sqlName;

describe("data table", () => {
  test("has safe SQL names, whatever its own name", async () => {
    const tables = open();
    const types = [
      "STRING",
      "TEXT",
      "INT",
      "DOUBLE",
      "BOOLEAN",
      "DATETIME",
      "JSON",
      "FILE_REF",
      "POINT",
      "LINESTRING",
      "POLYGON",
      "GEOMETRY",
    ];
    const table = await createTable(tables, {
      name: "Order",
      columns: types.map((dataType) => ({ name: `select_${dataType}`, dataType })),
    });
    expect(table).toMatchObject({ name: "Order", published: false, relations: [] });
    expect(table.columns.map(({ name }) => name)).toEqual([
      "objectId",
      "ownerId",
      "created",
      "updated",
      ...types.map((it) => `select_${it}`),
    ]);
    const columns = await inDatabase(await sqlNameOf(tables, "Order"));
    const time = "timestamp with time zone";
    const shapes = ["jsonb", "jsonb", "jsonb", "jsonb"];
    const own = ["text", "text", "integer", "double precision", "boolean", time, "jsonb", "text", ...shapes];
    expect(columns.map(({ type }) => type)).toEqual(["text", "text", time, time, ...own]);
    expect(columns.every(({ name }) => /^[a-z0-9_]+$/.test(name))).toBe(true);
  });

  test.each([
    [{ name: "1st" }, 1023],
    [{ name: 'a"; drop schema data cascade; --' }, 1023],
    [{ name: "x".repeat(65) }, 1023],
    [{ name: "bulk" }, 1022],
    [{ name: "Users" }, 1022],
    [{ name: "Standing" }, 1022],
    [{ name: "T", columns: [{ name: "a b", dataType: "INT" }] }, 1023],
    [{ name: "T", columns: [{ name: "created", dataType: "INT" }] }, 1022],
    [{ name: "T", columns: [{ name: "a", dataType: "STRING_ID" }] }, 1023],
    [{ name: "T", columns: [{ name: "a", dataType: "INT", defaultValue: "one" }] }, 1022],
    [{ name: "T", columns: [{ name: "a", dataType: "JSON", unique: true }] }, 1022],
    [
      { name: "T", columns: Array.from({ length: 201 }, (_, n) => ({ name: `c${n}`, dataType: "INT" })) },
      1023,
    ],
    [null, 1023],
  ])("cannot be created from the invalid definition %.60j", async (body, code) => {
    const tables = open();
    await createTable(tables, { name: "Standing" });
    await expect(createTable(tables, body)).rejects.toMatchObject({ code });
    expect((await listTables(tables)).map(({ name }) => name)).toEqual(["Standing", "Users"]);
  });

  test("becomes visible to other processes on creation, and disappears on deletion", async () => {
    const [here, there] = [open(), open()];
    await expect(there.catalogue.table("Late")).rejects.toMatchObject({ code: 1009 });
    await createTable(here, { name: "Late" });
    expect(await there.catalogue.table("Late")).toMatchObject({ name: "Late" });
    await dropTable(here, "Late");
    there.catalogue.forget();
    await expect(there.catalogue.table("Late")).rejects.toMatchObject({
      code: 1009,
      message: expect.stringMatching(/^Table not found by name 'Late'\. Make sure /),
    });
    expect(await many(database.db, sql`select type from outbox order by id`)).toEqual([
      { type: "tables.changed" },
      { type: "tables.changed" },
    ]);
  });

  test("disappears together with the relations to it", async () => {
    const tables = open();
    await createTable(tables, { name: "Parent" });
    await createTable(tables, { name: "Child" });
    await addRelation(tables, "Parent", {
      name: "children",
      toTable: "Child",
      relationshipType: "ONE_TO_MANY",
    });
    await addRelation(tables, "Parent", { name: "author", toTable: "Users", relationshipType: "ONE_TO_ONE" });
    await dropTable(tables, "Child");
    expect([...(await tables.catalogue.table("Parent")).relations.keys()]).toEqual(["author"]);
    await dropAllTables(tables);
    expect(await listTables(tables)).toMatchObject([{ name: "Users", published: true }]);
  });

  test("cannot be changed if it is an API entity", async () => {
    const tables = open();
    const column = { name: "extra", dataType: "INT" };
    const changes = [
      () => dropTable(tables, "Users"),
      () => addColumn(tables, "Users", column),
      () => dropColumn(tables, "Users", "email"),
    ];
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({ code: 1022, reason: "not-allowed" });
  });
});

describe("column", () => {
  const withColumn = async (column: object) => {
    const tables = open();
    await createTable(tables, { name: "T", columns: [{ name: "a", ...column }] });
    return tables;
  };
  const fill = async (tables: ReturnType<typeof open>, values: unknown[]) => {
    const table = await tables.catalogue.table("T");
    const [itself, column] = [sql.id("data", table.sqlName), sql.id(table.columns.get("a")!.sqlName)];
    for (const [n, value] of values.entries())
      await run(
        database.db,
        sql`insert into ${itself} (object_id, created, ${column}) values (${String(n)}, now(), ${value})`,
      );
  };

  test.each([
    [
      { dataType: "STRING", dataSize: 20 },
      { dataSize: 10, required: true, indexed: true },
      ["short"],
      { dataSize: 10, required: true, indexed: true },
    ],
    [
      { dataType: "INT" },
      { dataType: "DOUBLE", unique: true, defaultValue: 2.5 },
      [1, 2],
      { dataType: "DOUBLE", unique: true, defaultValue: 2.5 },
    ],
    [
      { dataType: "STRING" },
      { dataType: "TEXT", name: "long" },
      ["kept"],
      { name: "long", dataType: "TEXT", dataSize: null },
    ],
    [{ dataType: "POINT" }, { dataType: "GEOMETRY" }, [null], { dataType: "GEOMETRY" }],
  ])("defined as %j accepts the change %j", async (column, changes, values, expected) => {
    const tables = await withColumn(column);
    await fill(tables, values);
    expect(await changeColumn(tables, "T", "a", changes)).toMatchObject(expected);
    expect((await listTables(tables))[0]!.columns).toHaveLength(5);
  });

  test.each([
    [{ dataType: "STRING" }, { dataSize: 3 }, ["long"]],
    [{ dataType: "STRING" }, { required: true }, [null]],
    [{ dataType: "INT" }, { unique: true }, [1, 1]],
    [{ dataType: "STRING" }, { dataType: "INT" }, []],
    [{ dataType: "INT" }, { name: "objectId" }, []],
    [{ dataType: "INT" }, { defaultValue: "x" }, []],
    [{ dataType: "TEXT" }, { indexed: true }, []],
  ])("defined as %j refuses the change %j when it contains %j", async (column, changes, values) => {
    const tables = await withColumn(column);
    await fill(tables, values);
    await expect(changeColumn(tables, "T", "a", changes)).rejects.toMatchObject({ code: 1022 });
    expect((await tables.catalogue.table("T")).columns.get("a")).toMatchObject({
      type: column.dataType,
      required: false,
      unique: false,
    });
  });

  test("disappears together with its values, unless it is a system column", async () => {
    const tables = await withColumn({ dataType: "INT", indexed: true });
    await dropColumn(tables, "T", "a");
    await addColumn(tables, "T", { name: "a", dataType: "TEXT" });
    expect(await inDatabase(await sqlNameOf(tables, "T"))).toHaveLength(5);
    await expect(dropColumn(tables, "T", "objectId")).rejects.toMatchObject({ code: 1022 });
    await expect(dropColumn(tables, "T", "b")).rejects.toMatchObject({
      code: 1006,
      message: "Column 'b' does not exist in table 'T'",
    });
    await expect(addColumn(tables, "T", { name: "a", dataType: "INT" })).rejects.toMatchObject({
      code: 1022,
      reason: "conflict",
    });
  });
});

describe("settings of data tables", () => {
  test("default to the configuration until an operator changes them", async () => {
    const tables = open();
    expect(await getDataConfig(tables)).toEqual({ dynamicSchema: false, defaultAccess: "members" });
    expect(await changeDataConfig(tables, { dynamicSchema: true })).toEqual({
      dynamicSchema: true,
      defaultAccess: "members",
    });
    expect(await changeDataConfig(tables, { defaultAccess: "open" })).toEqual({
      dynamicSchema: true,
      defaultAccess: "open",
    });
    await expect(changeDataConfig(tables, { defaultAccess: "all" })).rejects.toMatchObject({ code: 1023 });
  });

  test("give access by role, and return to the default when empty", async () => {
    const tables = open();
    await createTable(tables, { name: "T" });
    const grid = { NotAuthenticatedUser: { find: true }, Owner: { remove: false } };
    expect(await setTableAccess(tables, "T", grid)).toEqual(grid);
    expect(await setTableAccess(tables, "T", {})).toEqual({});
    expect(await getTableAccess(tables, "T")).toEqual({});
    await expect(setTableAccess(tables, "T", { A: { fly: true } })).rejects.toMatchObject({ code: 1023 });
    await expect(setTableAccess(tables, "Users", {})).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
