import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { many, sql } from "#platform/database";
import { type DomainEvent, onCommitted, type EventRecords } from "#platform/outbox";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  type Caller,
  createTable,
  withTable,
  createDataTableStore,
  findRecords,
  setObjectPermission,
  runUnitOfWork,
  saveObject,
  type DataTables,
} from "../index.ts";
import { reserveRows } from "../data-tables.ts";
import { countStatements, createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const { db, queries } = countStatements(database.db);
const COLUMNS = [
  { name: "n", dataType: "INT" as const },
  { name: "name", dataType: "TEXT" as const },
  { name: "at", dataType: "DATETIME" as const },
  { name: "notes", dataType: "JSON" as const },
  { name: "open", dataType: "BOOLEAN" as const, defaultValue: true },
];

let tables: DataTables;
beforeEach(async () => {
  tables = createDataTableStore({ database: { ...database, db }, dynamicSchema: false });
  await createTable(tables, { name: "Thing", columns: COLUMNS });
  // Measures the quota here, so that the tests do not count its query.
  await reserveRows(tables, "Thing", 1);
  queries.times = 0;
});

type Heard = { domainEvent: DomainEvent; id: string; whole: EventRecords | null };
function collectEvents(): Heard[] {
  const all: Heard[] = [];
  onTestFinished(onCommitted((domainEvent, id, whole) => all.push({ domainEvent, id, whole })));
  return all;
}

const make = (record: object, caller: Caller = SERVER) => saveObject(tables, caller, "Thing", record);
const outcomes = async (works: Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map(({ status }) => status);
const stored = () =>
  withTable(tables, "Thing", (table) => findRecords(tables, SERVER, table, { sortBy: "n", pageSize: 100 }));

describe("concurrent inserts", () => {
  test("share one statement with separate values and owners", async () => {
    const inputs = [
      { n: 0, name: 'a "b" {c},\\', at: 5, notes: { a: ["x", null] } },
      { n: 1, open: false, notes: [] },
      { n: 2, name: "", at: null },
      { n: 3 },
    ];
    const records = await Promise.all(inputs.map((it, n) => make(it, createMember(`p${n}`))));
    expect(queries.times).toBe(1);
    const nothing = { name: null, at: null, notes: null, open: true, updated: null };
    const whole = inputs.map((it, n) => ({ ...nothing, ...it, ___class: "Thing", ownerId: `p${n}` }));
    expect(records).toMatchObject(whole);
    expect(await stored()).toEqual(records);
  });

  test("emit one domain event each", async () => {
    const all = collectEvents();
    const records = await Promise.all([0, 1, 2].map((n) => make({ n }, createMember(`p${n}`))));
    expect(all.map(({ domainEvent, whole }) => [domainEvent, whole])).toEqual(
      records.map((record, n) => [
        { type: "record.created", table: "Thing", by: `p${n}`, objectId: record["objectId"] },
        { record, grants: undefined },
      ]),
    );
    const rows = await many(
      database.db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where type = 'record.created' order by id`,
    );
    expect(rows.map(({ id, payload }) => [id, payload])).toEqual(
      all.map(({ id, domainEvent }) => [id, domainEvent]).toSorted(([a], [b]) => Number(a) - Number(b)),
    );
  });

  test("wait for a running insert, then share one statement", async () => {
    const first = make({ n: 0 });
    await expect.poll(() => queries.times).toBe(1);
    await Promise.all([first, make({ n: 1 }), make({ n: 2 })]);
    expect([queries.times, (await stored()).length]).toEqual([2, 3]);
  });

  test("with errors fail individually while valid ones succeed", async () => {
    const wrong = [
      make({ n: 1, name: "a\u0000b" }),
      make({ n: 2, name: "x" }),
      make({ n: 3, notes: { a: "\u0000" } }),
      make({ n: 4 }),
    ];
    expect(await outcomes(wrong)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    expect((await stored()).map(({ n }) => n)).toEqual([2, 4]);
  });

  test("give the new records no row permissions", async () => {
    const { objectId } = await make({ n: 0 });
    await setObjectPermission(tables, SERVER, {
      table: "Thing",
      objectId: String(objectId),
      allowed: true,
      body: { permission: "FIND", user: "mira" },
    });
    const all = collectEvents();
    await Promise.all([make({ n: 1 }), make({ n: 2 })]);
    expect(all.map(({ whole }) => whole?.["grants"])).toEqual([[], []]);
  });
});

describe("separate insert statement", () => {
  test("contains a long record", async () => {
    await Promise.all([0, 1, 2].map((n) => make({ n, name: "x".repeat(10_001) })));
    expect(queries.times).toBe(3);
  });

  test("contains a record that may conflict with another", async () => {
    await createTable(tables, { name: "Seat", columns: [{ name: "row", dataType: "INT", unique: true }] });
    const seats = [1, 2, 1].map((row) => saveObject(tables, SERVER, "Seat", { row }));
    expect((await outcomes(seats)).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  test("contains records of a transaction", async () => {
    const operations = [
      { operationType: "CREATE", table: "Thing", payload: { n: 1 }, opResultId: "a" },
      { operationType: "CREATE", table: "Thing", payload: { n: "x" }, opResultId: "b" },
    ];
    const [unit] = await Promise.all([runUnitOfWork(tables, SERVER, { operations }), make({ n: 5 })]);
    expect(unit).toMatchObject({ success: false });
    expect((await stored()).map(({ n }) => n)).toEqual([5]);
  });
});
