import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import type { Relation, Table } from "../catalogue/types.ts";
import { findRecords } from "./index.ts";
import {
  createCaller,
  catalogue,
  insertRecords,
  createSampleTables,
  SAMPLE_TABLES,
} from "../../../../test/support/data/sample-tables.ts";
import { measureCpu } from "../../../../test/support/cpu-time.ts";

const database = await testDatabase();
const person = SAMPLE_TABLES.get("Person")!;
const mira = createCaller("mira");

beforeAll(async () => {
  await createSampleTables(database);
  await insertRecords(database, "Person", [{ objectId: "a", profile: { name: 1 } }]);
});

/** A table with many relations to itself. */
function wide(count: number): Table {
  const one = person.relations.get("home")!;
  const relations = Array.from({ length: count }, (_, at): Relation => ({
    ...one,
    name: `r${at}`,
    toTable: "Person",
    autoLoad: false,
  }));
  return { ...person, relations: new Map(relations.map((it) => [it.name, it])) };
}

describe("cost of a query", () => {
  const ask = (query: object, engine = { db: database.db, catalogue }, table = person) =>
    findRecords(engine, mira, table, query);

  test("remains bounded for any length of JSON path", async () => {
    const cost = await measureCpu(async () => {
      const [found] = await ask({ props: `profile->'$.name',profile->'$."${"a".repeat(31_000)} "'` });
      expect(found).toMatchObject({ name: 1 });
    });
    expect(cost).toBeLessThan(1_000);
  });

  test("remains bounded for any number of nested relations", async () => {
    const table = wide(12);
    const engine = { db: database.db, catalogue: { ...catalogue, known: () => table } };
    for (const query of [{ relationsDepth: 5 }, { relationsDepth: 5, where: "objectId = 'nobody'" }])
      await expect(ask(query, engine, table)).rejects.toMatchObject({
        reason: "invalid",
        message: /relations at most/,
      });
    expect(await ask({ relationsDepth: 1, where: "objectId = 'nobody'" }, engine, table)).toEqual([]);
    const ofMany = (count: number) => ask({ relationsDepth: 1 }, engine, wide(count));
    expect(Object.keys((await ofMany(59))[0]!).filter((name) => /^r\d+$/.test(name))).toHaveLength(59);
    await expect(ofMany(61)).rejects.toMatchObject({ reason: "invalid", message: /60 relations at most/ });
  });

  test("remains bounded for any number of columns that depend on the caller", async () => {
    const often = (times: number) =>
      ask({ where: Array.from({ length: times }, () => "mail = 'x'").join(" or ") });
    expect(await often(100)).toEqual([]);
    await expect(often(101)).rejects.toMatchObject({ reason: "invalid", message: /100 times/ });
  });
});
