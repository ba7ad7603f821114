import { afterEach, beforeEach, expect, test } from "vitest";
import { type Happening, onCommitted, type Whole } from "#platform/outbox";
import { testDatabase } from "../../../../test/setup/database.ts";
import {
  bulkCreate,
  bulkDelete,
  bulkUpdate,
  changedRecord,
  createTable,
  findersOfAll,
  findsChanged,
  openTables,
  permit,
  remove,
  save,
  type Tables,
  wholeOf,
} from "../index.ts";
import { person, SERVER } from "../query/tables.fixture.ts";

const database = await testDatabase();
const [MIRA, TOMAS] = [person("mira"), person("tomas")];

let tables: Tables;
let told: { happening: Happening; id: string; whole: Whole | null }[];
let unlisten: () => void;
beforeEach(async () => {
  tables = openTables({ database, dynamicSchema: false });
  await createTable(tables, { name: "Note", columns: [{ name: "n", dataType: "INT" }] });
  const notes = ["a", "b"].map((objectId) => ({ objectId, n: 1, ownerId: "mira" }));
  await bulkCreate(tables, SERVER, "Note", notes);
  await permitted(false, "tomas");
  told = [];
  unlisten = onCommitted((happening, id, whole) => told.push({ happening, id, whole }));
});
afterEach(() => unlisten());

const permitted = (allowed: boolean, user: string) =>
  permit(tables, SERVER, { table: "Note", objectId: "a", allowed, body: { permission: "FIND", user } });
const table = () => tables.catalogue.table("Note");

/**
 * The viewers notified of the first change, in this process and in another one, when it is delivered only
 * now.
 */
async function hearers() {
  const { happening, id, whole } = told[0]!;
  const hear = async (known: Whole | null) => {
    const seen = await table();
    const changed = await changedRecord(tables, seen, happening, id, known);
    return changed ? [MIRA, TOMAS].map((who) => (findsChanged(seen, who, changed) ? who.userId : null)) : "nobody";
  };
  return { here: await hear(whole), elsewhere: await hear(null) };
}

test("viewer without access to a record is not notified of its change, even after its deletion", async () => {
  await save(tables, SERVER, "Note", { objectId: "a", n: 2 });
  expect(await hearers()).toEqual({ here: ["mira", null], elsewhere: ["mira", null] });
  await remove(tables, SERVER, "Note", "a");
  expect(await hearers()).toEqual({ here: ["mira", null], elsewhere: "nobody" });
});

test("grants and denials made since the change count as well", async () => {
  await save(tables, SERVER, "Note", { objectId: "a", n: 2 });
  await permitted(true, "tomas");
  expect((await hearers()).here).toEqual(["mira", null]);
  await permitted(false, "mira");
  expect((await hearers()).here).toEqual([null, null]);
});

test.each<[string, () => Promise<unknown>]>([
  ["changed", () => bulkUpdate(tables, SERVER, "Note", "n = 1", { n: 2 })],
  ["taken away", () => bulkDelete(tables, SERVER, "Note", "n = 1")],
])("bulk change (%s) is hidden from a viewer without access to one of the records, even after its deletion", async (_how, act) => {
  await act();
  if (told[0]!.happening.type === "records.updated") await bulkDelete(tables, SERVER, "Note", "1=1");
  const { happening, id, whole } = told[0]!;
  expect(happening["whereClause"]).toBeNull();
  for (const known of [whole, await wholeOf(database.db, id)]) {
    const finds = await findersOfAll(tables, await table(), known);
    expect([MIRA, TOMAS].map(finds)).toEqual([true, false]);
  }
});
