import { afterEach, beforeEach, expect, test } from "vitest";
import { type DomainEvent, onCommitted, type EventRecords } from "#platform/outbox";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  loadChangedRecord,
  createTable,
  createTableAccessCheck,
  canFindChanged,
  createDataTableStore,
  setObjectPermission,
  removeObject,
  saveObject,
  type DataTables,
  findFullEvent,
} from "../index.ts";
import { createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const [MIRA, TOMAS] = [createMember("mira"), createMember("tomas")];

let tables: DataTables;
let events: { domainEvent: DomainEvent; id: string; whole: EventRecords | null }[];
let unlisten: () => void;
beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  await createTable(tables, { name: "Note", columns: [{ name: "n", dataType: "INT" }] });
  const notes = ["a", "b"].map((objectId) => ({ objectId, n: 1, ownerId: "mira" }));
  await bulkCreateObjects(tables, SERVER, "Note", notes);
  await permitted(false, "tomas");
  events = [];
  unlisten = onCommitted((domainEvent, id, whole) => events.push({ domainEvent, id, whole }));
});
afterEach(() => unlisten());

const permitted = (allowed: boolean, user: string) =>
  setObjectPermission(tables, SERVER, {
    table: "Note",
    objectId: "a",
    allowed,
    body: { permission: "FIND", user },
  });
const table = () => tables.catalogue.table("Note");

/**
 * The viewers who are notified of the first change if it is delivered now, in this process and in another
 * one.
 */
async function hearers() {
  const { domainEvent, id, whole } = events[0]!;
  const loadChange = async (known: EventRecords | null) => {
    const seen = await table();
    const changed = await loadChangedRecord(tables, seen, domainEvent, id, known);
    return changed
      ? [MIRA, TOMAS].map((caller) => (canFindChanged(seen, caller, changed) ? caller.userId : null))
      : "nobody";
  };
  return { here: await loadChange(whole), elsewhere: await loadChange(null) };
}

test("viewer without access to a record is not notified of its change or deletion", async () => {
  await saveObject(tables, SERVER, "Note", { objectId: "a", n: 2 });
  expect(await hearers()).toEqual({ here: ["mira", null], elsewhere: ["mira", null] });
  await removeObject(tables, SERVER, "Note", "a");
  expect(await hearers()).toEqual({ here: ["mira", null], elsewhere: "nobody" });
});

test("recipients of a change are determined by current permissions, not by earlier ones", async () => {
  await saveObject(tables, SERVER, "Note", { objectId: "a", n: 2 });
  await permitted(true, "tomas");
  expect((await hearers()).here).toEqual(["mira", null]);
  await permitted(false, "mira");
  expect((await hearers()).here).toEqual([null, null]);
});

test.each<[string, () => Promise<unknown>]>([
  ["update", () => bulkUpdateObjects(tables, SERVER, "Note", "n = 1", { n: 2 })],
  ["delete", () => bulkDeleteObjects(tables, SERVER, "Note", "n = 1")],
])("bulk change (%s) is hidden from a viewer without access to one of the records", async (_how, act) => {
  await act();
  if (events[0]!.domainEvent.type === "records.updated")
    await bulkDeleteObjects(tables, SERVER, "Note", "1=1");
  const { domainEvent, id, whole } = events[0]!;
  expect(domainEvent["whereClause"]).toBeNull();
  for (const known of [whole, await findFullEvent(database.db, id)]) {
    const finds = await createTableAccessCheck(tables, await table(), known);
    expect([MIRA, TOMAS].map(finds)).toEqual([true, false]);
  }
});
