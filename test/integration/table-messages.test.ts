import { beforeEach, describe, expect, test } from "vitest";
import {
  SERVER_CALLER,
  createTable,
  findRecords,
  withTable,
  createDataTableStore,
  changeDataConfig,
  type DataTables,
} from "#baas/data";
import { run, sql } from "#platform/database";
import { type Message, msg, toEnglish } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { createTranslator } from "../../src/app/web-build.ts";
import { cellHash } from "../../src/web/admin/data/cell-values.ts";
import { cellFieldNames } from "../../src/web/admin/data/cell-field-names.ts";
import { addRecord, RECORD_COMMANDS } from "../../src/web/admin/data/record-commands.ts";
import { TABLE_COMMANDS } from "../../src/web/admin/data/table-commands.ts";
import { getApiTable } from "../../src/web/admin/data/server-caller.ts";
import { REJECTED_CLAUSES, REJECTED_RECORDS } from "../support/data/rejected-clauses.ts";
import { createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, build, as } = await serveBuiltPages(database);
const translator = createTranslator(async () => build());
let tables: DataTables;

const TYPES = {
  title: "STRING",
  length: "INT",
  sunny: "BOOLEAN",
  sown: "DATETIME",
  notes: "JSON",
  place: "POINT",
};

beforeEach(async () => {
  tables = createDataTableStore({ database, dynamicSchema: false });
  const columns = Object.entries(TYPES).map(([name, dataType]) => ({ name, dataType }));
  await createTable(tables, {
    name: "Beds",
    columns: [
      ...columns,
      { name: "code", dataType: "STRING", unique: true },
      { name: "need", dataType: "STRING", required: true },
    ],
  });
  await changeTable("relation", { name: "beside", toTable: "Beds", kind: "ONE_TO_MANY" });
});

const formOf = (typed: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  return form;
};
const changeTable = (intent: string, typed: Record<string, string>, table = "Beds") =>
  TABLE_COMMANDS[intent]!(tables, table, formOf(typed));

async function changeRecord(intent: string, typed: Record<string, string>, id = "nobody") {
  const { table } = await getApiTable(tables, "Beds");
  return RECORD_COMMANDS[intent]!({ tables, table, id, form: formOf(typed) });
}

/** A record as the page sends it, with its required cell. */
async function add(typed: Record<string, string>) {
  const { table } = await getApiTable(tables, "Beds");
  const form = new FormData();
  for (const [place, [name, value]] of Object.entries({ need: "x", ...typed }).entries()) {
    form.set(cellFieldNames(place).of, name);
    form.set(cellFieldNames(place).cell, value);
    if (value === "") form.set(cellFieldNames(place).none, "on");
  }
  return addRecord({ tables, table, form });
}

const find = (where: string) =>
  withTable(tables, "Beds", (table) => findRecords(tables, SERVER_CALLER, table, { where }));

/** The messages of the refusal and of its fields. */
async function refused(work: () => unknown): Promise<Message[]> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal) return [error.descriptor, ...Object.values(error.fieldDescriptors)];
    throw error;
  }
  return [];
}

const EXPRESSION = '{"___class": "BackendlessExpression", "value": "length +"}';
const longRole = "x".repeat(101);
const CHANGES: (() => Promise<unknown>)[] = [
  ...["1", "bulk", "Beds", ""].map((name) => () => createTable(tables, { name })),
  () => changeDataConfig(tables, { defaultAccess: "nobody" }),
  ...["1", "title", "created", "beside"].map(
    (name) => () => changeTable("column", { name, dataType: "INT" }),
  ),
  () => changeTable("column", { name: "more", dataType: "COLOUR" }),
  () => changeTable("column", { name: "more", dataType: "JSON", indexed: "on" }),
  () => changeTable("column", { name: "more", dataType: "INT" }, "Nobody"),
  () => changeTable("relation", { name: "1", toTable: "Beds", kind: "ONE_TO_ONE" }),
  () => changeTable("relation", { name: "more", toTable: "Nobody", kind: "ONE_TO_ONE" }),
  () => changeTable("relation", { name: "more", toTable: "", kind: "ONE_TO_ONE" }),
  () => changeTable("relation", { name: "more", toTable: "x".repeat(65), kind: "ONE_TO_ONE" }),
  () => changeTable("relation", { name: "more", toTable: "Beds", kind: "NONE" }),
  ...["nobody", "created"].map((column) => () => changeTable("drop-column", { column })),
  ...["", longRole].map((role) => () => changeTable("access", { role, find: "on" })),
  () => changeTable("drop-table", { confirm: "Beets" }),
  () => changeTable("drop-table", { confirm: "Nobody" }, "Nobody"),
  () => changeRecord("remove", {}),
  () => changeRecord("change", { k0: "title", c0: "Beans", w0: "none" }),
  async () => changeRecord("change", { k0: "notes", c0: EXPRESSION, w0: "none" }, await add({})),
  async () =>
    changeRecord("change", { k0: "need", c0: "", n0: "on", w0: cellHash("line", "x") }, await add({})),
  () => changeRecord("link", { relation: "nobody", child: "x" }),
  () => changeRecord("link", { relation: "beside", child: "x" }),
  () => changeRecord("unlink", { relation: "beside", child: "x" }),
];

const LOCALES = ["de", "fr", "es", "ar"];
const ENGLISH =
  /\b(?:the|of|which|stands|expected|its|number|shape|is|be|not|than|cannot|already|times|columns|a (?:text|date))\b/;

/** Messages without a complete translation in some language. */
async function unsaid(messages: Iterable<Message>): Promise<string[]> {
  const open: string[] = [];
  for (const message of messages)
    for (const locale of LOCALES) {
      const sentence = toEnglish(message);
      const translation = await translator(locale, message);
      if (translation === sentence || ENGLISH.test(translation))
        open.push(`${locale}: ${sentence} – ${translation}`.slice(0, 400));
    }
  return open;
}

describe("table errors", () => {
  test.each([
    ["invalid clauses", REJECTED_CLAUSES.map((clause) => () => find(clause))],
    ["invalid records", REJECTED_RECORDS.map((typed) => () => add(typed))],
    ["invalid changes of a table", CHANGES],
  ])("are translated for %s", async (_, wrong) => {
    await add({ code: "one" });
    const messages = new Set<Message>();
    for (const [n, work] of wrong.entries()) {
      const refusals = await refused(work);
      expect(refusals, `the one at ${n}`).not.toEqual([]);
      for (const message of refusals) messages.add(message);
    }
    expect(await unsaid(messages)).toEqual([]);
  });
});

test("table errors quote the admin's input untranslated", async () => {
  const sentence = (clause: string) =>
    refused(() => find(clause)).then(([first]) => translator("de", first!));
  expect(await sentence("length =")).toBe("An Stelle 9 der Bedingung: die Bedingung endet zu früh.");
  expect(await sentence("length = = 1")).toBe("Unerwartet an Zeichen 10 der Bedingung: =");
  expect(await sentence("length = 'a number'")).toBe(
    "An Stelle 8 der Bedingung: eine Zahl wird erwartet, nicht: a number",
  );
  expect(await sentence("place = length")).toBe(
    "An Stelle 7 der Bedingung: eine geografische Form und eine Zahl lassen sich nicht vergleichen.",
  );
  expect(await sentence("nobody = 1")).toBe("Die Tabelle „Beds“ hat keine Spalte „nobody“.");
  expect(await sentence(`title like '${"x".repeat(501)}'`)).toBe(
    "Ein Muster kann höchstens 500 Zeichen haben.",
  );
  expect(
    await translator("de", msg("A clause can have {count} characters at most.", { count: 32_000 })),
  ).toBe("Eine Bedingung kann höchstens 32.000 Zeichen haben.");
});

describe("German admin", () => {
  const ada = async () => {
    const people = await createTestUsers(database);
    await run(database.db, sql`update people set locale = 'de' where id = ${people.ada.id}`);
    return { ...as(people.ada), host: "kith.test" };
  };

  test("gets errors of a where clause in German and keeps the typed clause", async () => {
    const headers = await ada();
    const answer = await server.inject({
      url: `/admin/data/Beds?where=${encodeURIComponent("length = 'seven'")}`,
      headers,
    });
    expect(answer.statusCode).toBe(200);
    expect(/role="alert">([^<]*)/.exec(answer.body)?.[1]).toBe(
      "An Stelle 8 der Bedingung: eine Zahl wird erwartet, nicht: seven",
    );
    expect(/ name="where" value="([^"]*)"/.exec(answer.body)?.[1]).toBe("length = &#x27;seven&#x27;");
  });

  test("gets errors of a record in German and keeps the typed values", async () => {
    const headers = {
      ...(await ada()),
      "content-type": "application/x-www-form-urlencoded",
      origin: "http://kith.test",
    };
    const payload = new URLSearchParams({ k0: "length", c0: "7.5", k1: "title", c1: "Beans" }).toString();
    const answer = await server.inject({ method: "POST", url: "/admin/data/Beds/record", headers, payload });
    expect(answer.statusCode).toBe(422);
    expect(/class="fault"[^>]*>([^<]*)/.exec(answer.body)?.[1]).toBe(
      "Diese Werte passen nicht zum Typ ihrer Spalte: length.",
    );
    expect(/ name="c\d" value="(7[^"]*)"/.exec(answer.body)?.[1]).toBe("7.5");
  });
});
