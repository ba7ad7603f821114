import { beforeEach, describe, expect, test } from "vitest";
import {
  SERVER_CALLER,
  addRelation,
  bulkCreateObjects,
  createTable,
  findOne,
  createDataTableStore,
  saveObject,
  type DataTables,
} from "#baas/data";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { cellFieldNames } from "./cell-field-names.ts";
import { isColumnEditable, cellKind, cellHash, formatCell } from "./cell-values.ts";
import { addRecord, RECORD_COMMANDS } from "./record-commands.ts";
import { getApiTable } from "./server-caller.ts";

const database = await testDatabase();
let tables: DataTables;
const TYPES = [
  "STRING",
  "TEXT",
  "INT",
  "DOUBLE",
  "BOOLEAN",
  "DATETIME",
  "JSON",
  "FILE_REF",
  "POINT",
  "POLYGON",
] as const;

beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  const columns = TYPES.map((dataType) => ({ name: `a${dataType}`, dataType }));
  await createTable(tables, {
    name: "T",
    columns: [...columns, { name: "code", dataType: "STRING", unique: true, defaultValue: "x" }],
  });
  await addRelation(tables, "T", { name: "next", toTable: "T", relationshipType: "ONE_TO_MANY" });
});

const now = async (id: string) => findOne(tables, SERVER_CALLER, await tables.catalogue.table("T"), id);

/** The record form as the page renders it, with some cells filled in. */
async function formOf(id: string | null, typed: Record<string, string | null> = {}) {
  const { table } = await getApiTable(tables, "T");
  const record = id === null ? {} : await now(id);
  const form = new FormData();
  for (const [place, column] of table.columns.filter(isColumnEditable).entries()) {
    const { of, cell, none, was } = cellFieldNames(place);
    const [kind, value] = [cellKind(column), (record as Record<string, unknown>)[column.name]];
    form.set(of, column.name);
    if (id !== null) form.set(was, cellHash(kind, value));
    // Browsers submit line breaks as CRLF.
    form.set(cell, (typed[column.name] ?? formatCell(kind, value)).replaceAll("\n", "\r\n"));
    if (typed[column.name] === undefined ? (value ?? null) === null : typed[column.name] === null)
      form.set(none, "on");
  }
  return { tables, table, form };
}
const change = async (id: string, typed: Record<string, string | null>) =>
  RECORD_COMMANDS["change"]!({ ...(await formOf(id, typed)), id });

const VALUES = {
  aSTRING: "Joe's\n“word”",
  aTEXT: "one\ntwo",
  aINT: -7,
  aDOUBLE: 0.1,
  aBOOLEAN: false,
  aDATETIME: Date.parse("2026-05-04T09:00:00.123Z"),
  aJSON: { b: [1, null, "x"], a: { c: true } },
  aFILE_REF: "/files/a.txt",
  aPOINT: { type: "Point", coordinates: [10, 50.5] },
  aPOLYGON: {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  },
};

describe("record form", () => {
  test("adds a record with the filled-in cells and the defaults of the columns", async () => {
    const typed = Object.fromEntries(
      TYPES.map((type) => [`a${type}`, formatCell(cellKind({ dataType: type }), VALUES[`a${type}`])]),
    );
    const id = await addRecord(await formOf(null, typed));
    expect(await now(id)).toMatchObject({ ...VALUES, code: "x", ownerId: null });
    const { objectId } = await now(await addRecord(await formOf(null, { code: "y" })));
    expect(await now(String(objectId))).toMatchObject({
      aSTRING: null,
      aINT: null,
      code: "y",
      updated: null,
    });
  });

  test("changes nothing when submitted unchanged, for every cell content", async () => {
    await saveObject(tables, SERVER_CALLER, "T", { ...VALUES, code: "a" });
    const { objectId } = await saveObject(tables, SERVER_CALLER, "T", {
      ...VALUES,
      aTEXT: "\r\n",
      aSTRING: "",
      aJSON: null,
    });
    const before = await now(String(objectId));
    await change(String(objectId), {});
    expect(await now(String(objectId))).toEqual(before);
  });

  test("saves changed cells of each type, empty texts and null", async () => {
    const { objectId } = await saveObject(tables, SERVER_CALLER, "T", VALUES);
    const id = String(objectId);
    const typed = {
      aSTRING: "",
      aTEXT: null,
      aINT: "8",
      aDOUBLE: "1,5",
      aBOOLEAN: "true",
      aDATETIME: "2027-01-01T00:00",
      aJSON: "",
      aPOINT: "POINT(1 2)",
    };
    await change(id, { ...typed, aTEXT: "" });
    expect(await now(id)).toMatchObject({
      aSTRING: "",
      aTEXT: "",
      aINT: 8,
      aDOUBLE: 1.5,
      aBOOLEAN: true,
      aJSON: null,
      aPOINT: { coordinates: [1, 2] },
    });
    expect(await now(id)).toMatchObject({
      aDATETIME: Date.parse("2027-01-01T00:00:00Z"),
      aPOLYGON: VALUES.aPOLYGON,
    });
    const form = await formOf(id);
    form.form.set(cellFieldNames(1).cell, "");
    form.form.set(cellFieldNames(1).none, "on");
    await RECORD_COMMANDS["change"]!({ ...form, id });
    expect(await now(id)).toMatchObject({ aTEXT: null, aSTRING: "" });
  });

  test.each([
    ["aINT", "x", /not a number/],
    ["aINT", "1.5", /invalid data type.*aINT/],
    ["aDATETIME", "never", /not a date/],
    ["aJSON", "{", /not valid JSON/],
    ["aPOINT", '{"type":"Point"}', /aPOINT/],
    ["code", "taken", /property code/],
  ])("reports the error of field %s: %s is invalid", async (name, text, sentence) => {
    await saveObject(tables, SERVER_CALLER, "T", { code: "taken" });
    const { objectId } = await saveObject(tables, SERVER_CALLER, "T", VALUES);
    const place = [...TYPES.map((type) => `a${type}`), "code"].indexOf(name);
    await expect(change(String(objectId), { [name]: text })).rejects.toMatchObject({
      reason: "invalid",
      fields: { [cellFieldNames(place).cell]: expect.stringMatching(sentence) as string },
    });
  });

  test("rejects a cell that someone else has changed since the form was loaded", async () => {
    const { objectId } = await saveObject(tables, SERVER_CALLER, "T", VALUES);
    const id = String(objectId);
    const mine = await formOf(id, { aINT: "1", aSTRING: "mine" });
    const untouched = await formOf(id, { aTEXT: "mine" });
    await saveObject(tables, SERVER_CALLER, "T", { objectId, aINT: 2 });
    await expect(RECORD_COMMANDS["change"]!({ ...mine, id })).rejects.toMatchObject({
      reason: "conflict",
      fields: { [cellFieldNames(2).cell]: expect.stringMatching(/Someone else changed this/) as string },
    });
    expect(await now(id)).toMatchObject({ aINT: 2, aSTRING: VALUES.aSTRING });
    await RECORD_COMMANDS["change"]!({ ...untouched, id });
    expect(await now(id)).toMatchObject({ aINT: 2, aTEXT: "mine" });
  });

  test("adds relations, removes them, and deletes the record", async () => {
    const [a, b] = (await bulkCreateObjects(tables, SERVER_CALLER, "T", [{ code: "1" }, { code: "2" }])) as [
      string,
      string,
    ];
    const at = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return { tables, table: (await getApiTable(tables, "T")).table, id: a, form };
    };
    await RECORD_COMMANDS["link"]!(await at({ relation: "next", child: b }));
    for (const child of [b, "nobody"])
      await expect(RECORD_COMMANDS["link"]!(await at({ relation: "next", child }))).rejects.toMatchObject({
        fields: { child: expect.stringMatching(/record does not exist/) as string },
      });
    await RECORD_COMMANDS["unlink"]!(await at({ relation: "next", child: b }));
    await RECORD_COMMANDS["remove"]!(await at({}));
    await expect(now(a)).rejects.toMatchObject({ reason: "not-found" });
  });
});
