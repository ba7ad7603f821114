import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { sql } from "#platform/database";
import {
  addRelation,
  countRecords,
  createTable,
  dropAllTables,
  findRecords,
  type EntityTable,
  withTable,
  createDataTableStore,
  setObjectPermission,
  relateObjects,
  runUnitOfWork,
  saveObject,
  saveObjectDeep,
  type DataTables,
} from "../index.ts";
import { createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const MIRA = createMember("01900000-0000-7000-8000-000000000001");
/** Twice as many transactions as connections. */
const MANY = Array.from({ length: 16 }, (_, n) => n);
const users: EntityTable = {
  name: "Users",
  sqlName: "users",
  columns: [],
  relations: [],
  visible: () => sql`true`,
};
let tables: DataTables;
let rose: string;

/** Runs transactions that begin right after the catalogue was invalidated. */
const inTransaction: typeof database.inTransaction = (work) =>
  database.inTransaction((tx) => {
    tables.catalogue.forget();
    return work(tx);
  });

beforeEach(async () => {
  tables = createDataTableStore({
    database: { ...database, inTransaction },
    entities: [users],
    dynamicSchema: true,
  });
  await dropAllTables(tables);
  await createTable(tables, { name: "Plant", columns: [{ name: "name", dataType: "STRING" }] });
  await createTable(tables, { name: "Bed" });
  await addRelation(tables, "Plant", { name: "bed", toTable: "Bed", relationshipType: "ONE_TO_ONE" });
  rose = String((await saveObject(tables, MIRA, "Plant", { name: "rose" }))["objectId"]);
  const bed = String((await saveObject(tables, MIRA, "Bed", {}))["objectId"]);
  await relateObjects(tables, MIRA, "set", {
    table: "Plant",
    parentId: rose,
    relation: "bed",
    children: { ids: [bed] },
  });
});

const plants = (query: object) =>
  withTable(tables, "Plant", (table) => findRecords(tables, MIRA, table, query));
const count = (name: string, where: string) =>
  withTable(tables, name, (table) => countRecords(tables, SERVER, table, { where }));

describe("stale catalogue", () => {
  test("gets reloaded by concurrent transactions without a connection deadlock", async () => {
    const unit = (n: number) => ({
      operations: [
        { operationType: "CREATE", table: "Plant", payload: { name: `p${n}` }, opResultId: "one" },
      ],
    });
    const results = await Promise.all(MANY.map((n) => runUnitOfWork(tables, MIRA, unit(n))));
    expect(results.every(({ success }) => success)).toBe(true);
    const toBeds = { table: "Plant", parentId: rose, relation: "bed", children: { where: "1=1" } };
    expect(await Promise.all(MANY.map(() => relateObjects(tables, MIRA, "set", toBeds)))).toEqual(
      MANY.map(() => 1),
    );
    await Promise.all(MANY.map((n) => saveObjectDeep(tables, MIRA, "Plant", { name: `p${n}`, bed: {} })));
    expect(await count("Plant", "name like 'p%'")).toBe(2 * MANY.length);
  });

  test("does not affect a query that is already running", async () => {
    const requests = [
      plants({ where: "bed.objectId is not null" }),
      plants({ loadRelations: "bed" }),
      plants({ relationsDepth: 1 }),
    ];
    tables.catalogue.forget();
    for (const found of await Promise.all(requests)) expect(found).toMatchObject([{ name: "rose" }]);
    const [loaded] = await plants({ loadRelations: "bed" });
    expect(loaded).toMatchObject({ bed: { ___class: "Bed" } });
  });
});

describe("new property names", () => {
  test("in many concurrent requests are all stored", async () => {
    await Promise.all(
      MANY.map((n) => saveObject(tables, MIRA, "Tree", { name: `t${n}`, [`height${n % 3}`]: n })),
    );
    expect(await count("Tree", "height0 is not null or height1 is not null or height2 is not null")).toBe(
      MANY.length,
    );
  });
});

describe("row permission", () => {
  test("does not invalidate the cached catalogue, unless it is the first of its table", async () => {
    tables = createDataTableStore({ database, dynamicSchema: true });
    const grant = (user: string) =>
      setObjectPermission(tables, MIRA, {
        table: "Plant",
        objectId: rose,
        allowed: false,
        body: { permission: "FIND", user },
      });
    const before = await tables.catalogue.table("Plant");
    await grant("first");
    const granted = await tables.catalogue.table("Plant");
    expect([before.hasGrants, granted.hasGrants]).toEqual([false, true]);
    await grant("second");
    expect(await tables.catalogue.table("Plant")).toBe(granted);
  });
});
