import { beforeEach, describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  bulkCreateObjects,
  type Caller,
  addRelation,
  createTable,
  findOne,
  withTable,
  createDataTableStore,
  setObjectPermission,
  relateObjects,
  saveObject,
  setTableAccess,
  type DataTables,
} from "../index.ts";
import { countStatements, createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const GUEST: Caller = { userId: null, roles: ["JSUser", "NotAuthenticatedUser"], server: false };
const IDS = Array.from({ length: 16 }, (_, n) => `t${n}`);

const { db, queries } = countStatements(database.db);

let tables: DataTables;
beforeEach(async () => {
  tables = createDataTableStore({ database: { ...database, db }, dynamicSchema: false });
  await createTable(tables, {
    name: "Thing",
    columns: [
      { name: "n", dataType: "INT" },
      { name: "at", dataType: "DATETIME" },
    ],
  });
  await bulkCreateObjects(
    tables,
    SERVER,
    "Thing",
    IDS.map((objectId, n) => ({ objectId, n, at: n, ownerId: `p${n}` })),
  );
  await tables.catalogue.all();
  queries.times = 0;
});

const get = (id: string, caller = SERVER, query?: unknown) =>
  withTable(tables, "Thing", (table) => findOne(tables, caller, table, id, query));
const outcome = (work: Promise<Record<string, unknown>>) =>
  work.then(
    ({ objectId }) => objectId,
    (error: { code: number }) => error.code,
  );

describe("concurrent requests for records", () => {
  test("share one statement, and each returns its own record", async () => {
    const found = await Promise.all(IDS.map((id) => get(id)));
    expect([found.map(({ objectId, n, at }) => [objectId, n, at]), queries.times]).toEqual([
      IDS.map((id, n) => [id, n, n]),
      1,
    ]);
  });

  test("return the current state, even those that arrive during an earlier read", async () => {
    const first = get("t1");
    await new Promise(setImmediate);
    await saveObject(tables, SERVER, "Thing", { objectId: "t1", n: 100 });
    const later = [get("t1"), get("t1"), get("t2")];
    expect([(await first)["objectId"], (await Promise.all(later)).map(({ n }) => n)]).toEqual([
      "t1",
      [100, 100, 2],
    ]);
  });

  test("report missing records individually", async () => {
    expect(await Promise.all(["t1", "nobody", "t2"].map((id) => outcome(get(id))))).toEqual([
      "t1",
      1000,
      "t2",
    ]);
    const [one, other] = await Promise.all([get("t1"), get("t1")]);
    one["n"] = "changed";
    expect([other["n"], one === other]).toEqual([1, false]);
  });

  test("include relations only where requested", async () => {
    await addRelation(tables, "Thing", { name: "next", toTable: "Thing", relationshipType: "ONE_TO_ONE" });
    await relateObjects(tables, SERVER, "set", {
      table: "Thing",
      parentId: "t1",
      relation: "next",
      children: { ids: ["t2"] },
    });
    const [one, other, some] = await Promise.all([
      get("t1", SERVER, { loadRelations: "next" }),
      get("t1"),
      get("t1", SERVER, { props: "n" }),
    ]);
    expect([one["next"], other["next"]]).toMatchObject([{ objectId: "t2" }, undefined]);
    expect(some).toEqual({ ___class: "Thing", n: 1, objectId: "t1" });
  });

  test("all fail when the database fails, but later requests succeed", async () => {
    const { sqlName } = await tables.catalogue.table("Thing");
    const two = () =>
      Promise.allSettled([get("t1"), get("t2")]).then((all) => all.map(({ status }) => status));
    await run(database.db, sql`alter table ${sql.id("data", sqlName)} rename to elsewhere`);
    expect(await two()).toEqual(["rejected", "rejected"]);
    await run(database.db, sql`alter table data.elsewhere rename to ${sql.id(sqlName)}`);
    expect(await two()).toEqual(["fulfilled", "fulfilled"]);
  });
});

describe("concurrent requests with different permissions", () => {
  const CALLERS = [SERVER, createMember("p1"), createMember("p2"), GUEST];
  const all = (id: string) => Promise.all(CALLERS.map((caller) => outcome(get(id, caller))));

  test("each get an answer for their own permissions", async () => {
    expect(await all("t1")).toEqual(["t1", "t1", "t1", 1011]);
    await setTableAccess(tables, "Thing", { AuthenticatedUser: { find: false } });
    expect(await all("t1")).toEqual(["t1", "t1", 1000, 1011]);
    await setTableAccess(tables, "Thing", { AuthenticatedUser: { find: true } });
    await setObjectPermission(tables, SERVER, {
      table: "Thing",
      objectId: "t1",
      allowed: false,
      body: { permission: "FIND", user: "p2" },
    });
    expect(await all("t1")).toEqual(["t1", "t1", 1000, 1000]);
  });
});
