import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  addRelation,
  bulkCreateObjects,
  createTable,
  findPage,
  findRecords,
  withTable,
  createDataTableStore,
  setObjectPermission,
  relateObjects,
  saveObject,
  setTableAccess,
  type DataTables,
  SerializedPage,
} from "../index.ts";
import { createMember, SERVER } from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();

let tables: DataTables;
beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  const columns = [
    { name: "name", dataType: "STRING" as const },
    { name: "n", dataType: "INT" as const },
    { name: "price", dataType: "DOUBLE" as const },
    { name: "open", dataType: "BOOLEAN" as const },
    { name: "at", dataType: "DATETIME" as const },
    { name: "notes", dataType: "JSON" as const },
    { name: "twice", dataType: "DOUBLE" as const, expression: "n + n" },
  ];
  await createTable(tables, { name: "Thing", columns });
});

/** The result of both paths for one query: the answer, or the refusal. */
async function both(query: object, caller = SERVER) {
  const outcomeOf = (work: Promise<unknown>) =>
    work.catch((error: { code: number; message: string }) => [error.code, error.message]);
  const page = await outcomeOf(withTable(tables, "Thing", (table) => findPage(tables, caller, table, query)));
  const records = await outcomeOf(
    withTable(tables, "Thing", (table) => findRecords(tables, caller, table, query)),
  );
  return {
    page: page instanceof SerializedPage ? JSON.parse(page.json) : page,
    records: JSON.parse(JSON.stringify(records)),
    page_: page,
  };
}

const isWritten = async (query: object, caller = SERVER) =>
  (await both(query, caller)).page_ instanceof SerializedPage;

const value = fc.record(
  {
    name: fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom('"', "\\", "\u2028</script>", "\t\n\u0001\u007f", "😀é", ""),
    ),
    n: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
    price: fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(-0, 1e-7, 1e21, 1e300, 5e-324),
    ),
    open: fc.boolean(),
    at: fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 }),
    notes: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
);
/** Whether PostgreSQL can store the value: it refuses NUL characters and lone surrogates. */
const storable = (it: unknown) =>
  !JSON.stringify(it).includes("\\u0000") && !/\\ud[89a-f]/i.test(JSON.stringify(it));

describe("page written by PostgreSQL", () => {
  test(
    "equals the page built from records",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(value.filter(storable), { minLength: 1, maxLength: 20 }),
          async (records) => {
            const ids = await bulkCreateObjects(tables, SERVER, "Thing", records);
            const {
              page,
              records: read,
              page_,
            } = await both({ where: `objectId in (${ids.map((id) => `'${id}'`).join(",")})`, pageSize: 20 });
            expect(page_).toBeInstanceOf(SerializedPage);
            expect(page).toEqual(read);
          },
        ),
        { numRuns: countCases(50, 10) },
      );
    },
    FUZZ_TIMEOUT,
  );

  test.each([
    ["order, page size and offset", { sortBy: "n desc, name", pageSize: 3, offset: 2 }],
    ["no matching record", { where: "n > 100" }],
    ["no condition", {}],
    ["a condition on a computed column", { where: "twice > 4", sortBy: "twice" }],
    ["an unknown column", { where: "color = 'red'" }],
    ["an unknown sort column", { sortBy: "color" }],
    ["a page size above the maximum", { pageSize: 101 }],
    ["an invalid clause", { where: "n = = 1" }],
    ["selected columns", { props: ["name", "n"] }],
    ["an excluded column", { excludeProps: "name" }],
    ["a count by group", { props: ["count(objectId)"], groupBy: ["open"] }],
    ["an order by a related column", { sortBy: "other.n" }],
    ["a loaded relation", { loadRelations: "other" }],
    ["a relation depth", { relationsDepth: 1 }],
  ])("equals the records for a query with %s", async (_, query) => {
    await addRelation(tables, "Thing", { name: "other", toTable: "Thing", relationshipType: "ONE_TO_ONE" });
    const ids = await bulkCreateObjects(
      tables,
      SERVER,
      "Thing",
      Array.from({ length: 8 }, (_it, n) => ({ name: `thing ${n % 3}`, n, open: n % 2 === 0 })),
    );
    await relateObjects(tables, SERVER, "set", {
      table: "Thing",
      parentId: ids[0]!,
      relation: "other",
      children: { ids: [ids[7]!] },
    });
    const { page, records } = await both(query);
    expect(page).toEqual(records);
  });

  test("applies the caller's permissions to the table and its rows", async () => {
    const [own, other] = await bulkCreateObjects(tables, SERVER, "Thing", [
      { n: 1, ownerId: "mira" },
      { n: 2, ownerId: "ada" },
    ]);
    await setTableAccess(tables, "Thing", { AuthenticatedUser: { find: false }, Owner: { find: true } });
    expect((await both({}, createMember("mira"))).page).toMatchObject([{ objectId: own }]);
    await setObjectPermission(tables, SERVER, {
      table: "Thing",
      objectId: other!,
      allowed: true,
      body: { permission: "FIND", user: "mira" },
    });
    const { page, records } = await both({ sortBy: "n" }, createMember("mira"));
    expect([page.length, page]).toEqual([2, records]);
    await setTableAccess(tables, "Thing", { Owner: { find: false } });
    expect((await both({}, { userId: null, roles: ["NotAuthenticatedUser"], server: false })).page).toEqual(
      [],
    );
  });

  test("refuses a table without read permission before any other error", async () => {
    await setTableAccess(tables, "Thing", { AuthenticatedUser: { find: false }, Owner: { find: false } });
    const { page, records } = await both({ where: "color = 'red'" }, createMember("mira"));
    expect([page[0], page]).toEqual([1011, records]);
  });

  test("includes a column that another process has just added", async () => {
    await saveObject(tables, SERVER, "Thing", { n: 1 });
    expect(await isWritten({})).toBe(true);
    const elsewhere = createDataTableStore({ database, dynamicSchema: true });
    await saveObject(elsewhere, SERVER, "Thing", { n: 2, color: "red" });
    expect((await both({ sortBy: "n" })).page).toMatchObject([{ color: null }, { color: "red" }]);
  });

  test("supports more columns than a PostgreSQL function call accepts arguments", async () => {
    const columns = Array.from({ length: 120 }, (_, n) => ({ name: `c${n}`, dataType: "INT" as const }));
    await createTable(tables, { name: "Wide", columns });
    await saveObject(tables, SERVER, "Wide", Object.fromEntries(columns.map(({ name }, n) => [name, n])));
    const page = await withTable(tables, "Wide", (table) => findPage(tables, SERVER, table, {}));
    expect(page).toBeInstanceOf(SerializedPage);
    expect(JSON.parse((page as SerializedPage).json)).toMatchObject([{ ___class: "Wide", c0: 0, c119: 119 }]);
  });

  test("falls back to records for geometries and relations", async () => {
    await createTable(tables, { name: "Place", columns: [{ name: "at", dataType: "POINT" }] });
    await saveObject(tables, SERVER, "Place", { at: "POINT(1 2)" });
    const places = await withTable(tables, "Place", (table) => findPage(tables, SERVER, table, {}));
    expect(places).toMatchObject([
      { at: { ___class: "com.backendless.persistence.Point", coordinates: [1, 2] } },
    ]);
    await addRelation(tables, "Thing", {
      name: "place",
      toTable: "Place",
      relationshipType: "ONE_TO_ONE",
      autoLoad: true,
    });
    await saveObject(tables, SERVER, "Thing", { n: 1 });
    expect((await both({})).page_).toMatchObject([{ n: 1, place: null }]);
  });
});
