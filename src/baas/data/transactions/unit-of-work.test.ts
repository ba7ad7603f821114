import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { OperationResults } from "./operation-references.ts";
import {
  addColumn,
  countRecords,
  createTable,
  findOne,
  createDataTableStore,
  runUnitOfWork,
  saveObject,
  type DataTables,
} from "../index.ts";

const database = await testDatabase();
const SERVER = { userId: null, roles: ["ServerCodeUser"], server: true };
let tables: DataTables;

beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "T" });
});

const creating = (count: number) => ({
  operations: Array.from({ length: count }, (_, at) => ({
    operationType: "CREATE",
    table: "T",
    payload: {},
    opResultId: `it${at}`,
  })),
});
const counted = async () => countRecords(tables, SERVER, await tables.catalogue.table("T"), {});

test("results of a transaction are limited in size", () => {
  const results = new OperationResults(1_000);
  results.add("a", { operationType: "FIND", result: [{ objectId: "1", text: "x".repeat(500) }] });
  expect(results.get("a")).toMatchObject({ operationType: "FIND" });
  const more = {
    operationType: "FIND",
    result: [{ objectId: "2", deep: { text: "x".repeat(500) } }],
  } as const;
  expect(() => results.add("b", more)).toThrow(expect.objectContaining({ code: 1021 }));
  expect(Object.keys(results.all())).toEqual(["a"]);
});

test("slow transaction is aborted as a whole", async () => {
  let at = 0;
  /** Each call of the clock returns a time five seconds later. */
  const slow = { ...tables, runtime: { ...tables.runtime, now: () => new Date((at += 5_000)) } };
  expect(await runUnitOfWork(slow, SERVER, creating(4))).toMatchObject({ success: true });
  expect(await runUnitOfWork(slow, SERVER, creating(6))).toMatchObject({
    success: false,
    refusal: { code: 1018, reason: "unavailable" },
    operation: { opResultId: "it4" },
  });
  expect(await counted()).toBe(4);
});

test("concurrent transactions on the same rows all succeed, one after another", async () => {
  await addColumn(tables, "T", { name: "points", dataType: "INT" });
  const { objectId } = await saveObject(tables, SERVER, "T", { points: 0 });
  const points = { ___class: "BackendlessExpression", value: "points + 1" };
  const adding = {
    operations: [{ operationType: "UPDATE", table: "T", payload: { objectId, points }, opResultId: "it" }],
  };
  const results = await Promise.all(Array.from({ length: 40 }, () => runUnitOfWork(tables, SERVER, adding)));
  expect(results.filter(({ success }) => !success)).toEqual([]);
  expect(await findOne(tables, SERVER, await tables.catalogue.table("T"), String(objectId))).toMatchObject({
    points: 40,
  });
});
