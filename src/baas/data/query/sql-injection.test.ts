import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import type { Db } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import type { Caller } from "../catalogue/types.ts";
import {
  countInGroup,
  countRecords,
  findByKeys,
  findOne,
  findRecords,
  findRelated,
  groupRecords,
} from "./index.ts";
import {
  createCaller,
  catalogue,
  insertRecords,
  createSampleTables,
  SERVER,
  SAMPLE_TABLES,
} from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();
const statements: string[] = [];
const db: Db = {
  query(text, values) {
    statements.push(text);
    return database.db.query(text, values);
  },
};
const engine = { db, catalogue };

beforeAll(async () => {
  await createSampleTables(database);
  await insertRecords(database, "Country", [{ objectId: "de", name: "Germany" }]);
  await insertRecords(database, "Address", [
    { objectId: "be", city: "Berlin", country: ["de"], json: { a: [1, "x"] } },
  ]);
  await insertRecords(database, "Person", [
    {
      objectId: "a",
      name: "Joe",
      age: 2_147_483_647,
      price: 1.7e308,
      quantity: -1,
      open: true,
      birthDate: new Date(0),
      profile: { a: 1e308, b: ["x"] },
      point: { type: "Point", coordinates: [1e308, -1e308], srsId: 4326 },
      home: ["be"],
      address: ["be"],
    },
    {
      objectId: "b",
      name: "12",
      age: -2_147_483_648,
      price: 5e-324,
      quantity: 0,
      open: false,
      birthDate: new Date("9999-12-31"),
      profile: [],
      point: { type: "Point", coordinates: [0, 0], srsId: 4326 },
      mail: "x",
      ownerId: "mira",
    },
    { objectId: "c" },
  ]);
  await insertRecords(database, "PhoneBook", [{ objectId: "X", title: "Mine", contacts: ["a", "b"] }]);
});

/** Every text of a caller contains this mark; no statement may contain it. */
const MARK = "Zq7";
const word = fc.constantFrom(
  MARK,
  `${MARK}"`,
  `${MARK}\\`,
  `${MARK}--`,
  `${MARK}$1`,
  `${MARK};drop`,
  `${MARK}é`,
);
const text = fc.oneof(
  word.map((it) => `'${it}'`),
  word.map((it) => `'it''s ${it}%'`),
);
const number = fc.constantFrom("0", "-1", "2.5", "1e308", "1e-300", "99999999999999999999", "2147483648");
const column = fc.constantFrom(
  ...(
    "objectId ownerId created updated name age price quantity open birthDate profile point total mail " +
    "secret home address diary home.city address.country.name diary.text PhoneBook[contacts].title " +
    "Vault[keepers].gold PhoneBook[contacts].contacts.home.city"
  ).split(" "),
);
const json = fc
  .constantFrom("$.a", "$.b[0]", "$.b[*]", "$**.a", `$.${MARK}`, `$."${MARK}\\""`, "$[1].*")
  .map((path) => `profile->'${path}'`);
const { value, condition } = fc.letrec<{ value: string; condition: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    column,
    column,
    json,
    text,
    number,
    fc.constantFrom("true", "null", "'POINT(1 2)'", "'2020-01-01'", "Count(*)", "-age", MARK),
    fc
      .tuple(
        fc.constantFrom(
          "upper",
          "length",
          "concat",
          "abs",
          "round",
          "year",
          "time",
          "ifnull",
          "if",
          "within",
          "getlat",
          "distanceonsphere",
          "substring",
          "left",
          "mod",
          "Count",
          "Sum",
          "Avg",
          "Min",
          "Max",
          MARK,
        ),
        fc.array(tie("value"), { maxLength: 3 }),
      )
      .map(([name, args]) => `${name}(${args.join(", ")})`),
    fc
      .tuple(tie("value"), fc.constantFrom("+", "-", "*", "/", "%"), tie("value"))
      .map((it) => `(${it.join(" ")})`),
    tie("condition"),
  ),
  condition: fc.oneof(
    { depthSize: "small" },
    fc
      .tuple(tie("value"), fc.constantFrom("=", "!=", "<", ">=", "after", "at or before"), tie("value"))
      .map((it) => it.join(" ")),
    fc
      .tuple(
        tie("value"),
        fc.constantFrom(
          "is null",
          "is not null",
          `like '${MARK}_%'`,
          `not like '\\'`,
          "between 1 and 2",
          `in (1, '${MARK}', null)`,
        ),
      )
      .map((it) => it.join(" ")),
    fc
      .tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition"))
      .map((it) => `(${it.join(" ")})`),
    tie("condition").map((it) => `not (${it})`),
  ),
}));

const aliased = fc
  .tuple(value, fc.option(fc.constantFrom(MARK, "name", `${MARK}2`)))
  .map(([it, alias]) => (alias === null ? it : `${it} as ${alias}`));
const listOf = (it: fc.Arbitrary<string>) =>
  fc.array(it, { minLength: 1, maxLength: 3 }).map((list) => list.join(", "));
const sorted = fc.tuple(value, fc.constantFrom("", " asc", " DESC")).map((it) => it.join(""));
const query = fc.record(
  {
    where: fc.oneof(condition, condition, word),
    having: condition,
    props: listOf(fc.oneof(aliased, fc.constant("*"))),
    excludeProps: listOf(fc.oneof(column, word)),
    sortBy: listOf(sorted),
    groupBy: listOf(value),
    loadRelations: listOf(fc.constantFrom("*", "home", "address.country", "diary", MARK, `home.${MARK}`)),
    relationsDepth: fc.integer({ min: 0, max: 2 }),
    distinct: fc.boolean(),
    groupPath: fc.array(
      fc.record({ column: column, value: fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)) }),
      {
        maxLength: 1,
      },
    ),
  },
  { requiredKeys: [] },
);

const table = (name: string) => SAMPLE_TABLES.get(name)!;
type Ask = (caller: Caller, query: object, anyText: string) => Promise<unknown>;
const ASKS: Record<string, Ask> = {
  find: (caller, it) => findRecords(engine, caller, table("Person"), it),
  "find where": (caller, it) =>
    findRecords(engine, caller, table("Person"), { where: (it as { where?: string }).where }),
  count: (caller, it) => countRecords(engine, caller, table("Person"), it),
  one: (caller, it, anyText) => findOne(engine, caller, table("Person"), anyText, it),
  keys: (caller, _it, anyText) =>
    findByKeys(engine, caller, table("Person"), { name: anyText, [anyText]: 1 }),
  related: (caller, it, anyText) => findRelated(engine, caller, table("PhoneBook"), anyText, "contacts", it),
  group: (caller, it) => groupRecords(engine, caller, table("Person"), it),
  "count in group": (caller, it) => countInGroup(engine, caller, table("Person"), it),
};

/** Names that statements may contain: those of the catalogue, and our own. */
const NAMES = new Set(
  [...SAMPLE_TABLES.values()].flatMap(({ schema, sqlName, columns, relations }) => [
    schema,
    sqlName,
    ...[...columns.values()].map((it) => it.sqlName),
    ...[...relations.values()].flatMap(({ via }) => ("links" in via ? [via.links.name] : [])),
  ]),
);
const OURS =
  /^(t|p|o|k|it|id|key|value|t_p|t_c|t_c_l|[sg]\d+|j\d+|t_w\d+|c_l|[jt]\d+_l|t_w\d+_l|parent|child|position)$/;
const LITERALS = new Set([
  "'Point'",
  "'type'",
  "'coordinates'",
  "'Polygon'",
  "'UTC'",
  "'srsId'",
  "'null'",
  "'number'",
  "'string'",
  "'boolean'",
  "'numbernumber'",
  "'stringstring'",
  "'booleanboolean'",
  "'{}'",
  "'HH24:MI:SS'",
  "'YYYY-MM-DD'",
  '\'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\'',
  "'('",
  "')'",
  "','",
]);

/** Names in a statement that are neither ours nor from the catalogue. */
function strangersIn(statement: string): string[] {
  const literals = statement.match(/'[^']*'/g) ?? [];
  const rest = statement.replace(/'[^']*'/g, "").replace(/^\/\* asked \*\/ /, "");
  const names = [...rest.matchAll(/"([^"]*)"/g)].map((match) => match[1]!);
  return [
    ...literals.filter((it) => !LITERALS.has(it)),
    ...names.filter((it) => !NAMES.has(it) && !OURS.test(it)),
    ...(rest.match(/--|;|\/\*|zq7/gi) ?? []),
  ];
}

describe("arbitrary query", () => {
  test(
    "gives an answer or a refusal, and none of its text becomes SQL",
    async () => {
      let answered = 0;
      const check = async (how: string, it: object, anyText: string, isServer: boolean) => {
        statements.length = 0;
        try {
          await ASKS[how]!(isServer ? SERVER : createCaller("mira"), it, anyText);
          answered++;
        } catch (error) {
          const { name, reason, message } = error as { name: string; reason: string; message: string };
          expect([name, message]).toEqual(["Refusal", message]);
          expect(reason).toMatch(/^(invalid|not-allowed|not-found)$/);
          expect(message).not.toMatch(
            /syntax error|operator does not|does not match|must appear|data\.|t_person/i,
          );
        }
        for (const statement of statements) expect(strangersIn(statement), statement).toEqual([]);
      };
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(ASKS)),
          query,
          fc.oneof(word, fc.constantFrom("a", "X")),
          fc.boolean(),
          check,
        ),
        { numRuns: countCases(500, 4) },
      );
      expect(answered).toBeGreaterThan(20);
    },
    FUZZ_TIMEOUT,
  );
});
