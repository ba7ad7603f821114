import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { countCases, FUZZ_TIMEOUT } from "../../../../test/support/fuzz-cases.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import type { Table } from "../catalogue/types.ts";
import { bindCondition } from "../clause/bind.ts";
import { evaluateCondition } from "../clause/evaluate.ts";
import { parseClause } from "../clause/clause-parser.ts";
import type { Term } from "../clause/clause-terms.ts";
import { type ResolvedColumn, QuerySources } from "./query-sources.ts";
import { toSql } from "./term-sql.ts";
import {
  catalogue,
  insertRecords,
  createSampleTables,
  SERVER,
  SAMPLE_TABLES,
} from "../../../../test/support/data/sample-tables.ts";

const database = await testDatabase();

const DAY = Date.UTC(2026, 4, 4);
const maybe = <T>(it: fc.Arbitrary<T>) => fc.option(it, { freq: 4 });
const TEXTS = [
  "",
  "a",
  "b",
  "ab",
  "Ab",
  " ab ",
  "1",
  "2.5",
  "-3e1",
  "x1",
  "%",
  "a_b",
  "😀",
  "zé",
  "true",
  "\uFFFDb",
  "\u{10000}",
];
const NUMBERS = [-2, -0.5, 0, 0.5, 1, 2, 3, 2.5, 100];
const JSONS = [
  null,
  1,
  2.5,
  "a",
  "2",
  true,
  [1, 2, "a"],
  [],
  {},
  { a: 1 },
  { a: { b: [1, 2] }, c: "a" },
  { a: [{ b: 1 }, { b: "x" }] },
  { a: null },
];
const POINTS = [
  [0, 0],
  [1, 2],
  [5, 5],
  [10, 10],
  [-1, 3],
].map((coordinates) => ({ type: "Point", coordinates, srsId: 4326 }));

const row = fc.record({
  name: maybe(fc.constantFrom(...TEXTS)),
  age: maybe(fc.integer({ min: -3, max: 4 })),
  price: maybe(fc.constantFrom(...NUMBERS)),
  open: maybe(fc.boolean()),
  birthDate: maybe(fc.constantFrom(DAY, DAY + 1, DAY - 86_400_000, DAY + 5_025_500)),
  profile: maybe(fc.constantFrom(...JSONS)),
  point: maybe(fc.constantFrom(...POINTS)),
});

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const textLiteral = fc.constantFrom(...TEXTS).map(quote);
const numberLiteral = fc.constantFrom(...NUMBERS).map(String);
const dateLiteral = fc.constantFrom(
  `${DAY}`,
  "'2026-05-04'",
  "'05/04/2026 00:00:00 GMT+0100'",
  "'03-May-2026'",
);
const path = fc
  .constantFrom("$", "$.a", "$.a.b", "$.c", "$.a[0]", "$[1]", "$.a[0].b", '$."c"')
  .map((it) => `profile->${quote(it)}`);
const wide = fc
  .constantFrom("$[*]", "$.*", "$.a[*].b", "$**.b", "$.a.b[*]")
  .map((it) => `profile->${quote(it)}`);

const { condition } = fc.letrec<{ text: string; number: string; condition: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant("name"),
    textLiteral,
    fc
      .tuple(fc.constantFrom("upper", "lower", "trim", "ltrim", "rtrim"), tie("text"))
      .map(([fn, it]) => `${fn}(${it})`),
    fc.tuple(tie("text"), tie("number")).map(([it, by]) => `concat(${it}, ${by})`),
    fc
      .tuple(fc.constantFrom("left", "right", "substring"), tie("text"), fc.integer({ min: -1, max: 4 }))
      .map(([fn, it, n]) => `${fn}(${it}, ${n})`),
    fc.tuple(tie("condition"), tie("text"), tie("text")).map(([it, yes, no]) => `if(${it}, ${yes}, ${no})`),
    fc.tuple(tie("text"), tie("text")).map(([it, other]) => `ifnull(${it}, ${other})`),
    fc.constantFrom("time(birthDate)", "date(birthDate)"),
  ),
  number: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("age", "price"),
    numberLiteral,
    fc.tuple(tie("number"), fc.constantFrom("+", "-", "*"), tie("number")).map((it) => `(${it.join(" ")})`),
    fc.tuple(tie("number"), fc.constantFrom("/ 2", "/ 0", "% 2", "/ -4")).map((it) => `(${it.join(" ")})`),
    fc
      .tuple(fc.constantFrom("abs", "floor", "ceil", "sign", "round", "-"), tie("number"))
      .map(([fn, it]) => `${fn}(${it})`),
    tie("text").map((it) => `length(${it})`),
    fc.constantFrom(
      "year(birthDate)",
      "hour(birthDate)",
      "second(birthDate)",
      "GetLon(point)",
      "GetLat(point)",
      "open + 1",
      "birthDate - 5",
    ),
  ),
  condition: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .tuple(tie("text"), fc.constantFrom("=", "!=", "<", "<=", ">", "=>"), tie("text"))
      .map((it) => it.join(" ")),
    fc
      .tuple(tie("number"), fc.constantFrom("=", "<>", "<", "<=", ">", ">="), tie("number"))
      .map((it) => it.join(" ")),
    fc.tuple(tie("text"), fc.constantFrom("=", "<"), tie("number")).map((it) => it.join(" ")),
    fc
      .tuple(
        fc.constant("birthDate"),
        fc.constantFrom("after", "before", "at or after", "=", "!="),
        dateLiteral,
      )
      .map((it) => it.join(" ")),
    fc
      .tuple(
        path,
        fc.constantFrom("=", "!=", "<", ">="),
        fc.oneof(textLiteral, numberLiteral, fc.constant("true"), path),
      )
      .map((it) => it.join(" ")),
    fc
      .tuple(wide, fc.constantFrom("=", "!=", "<"), fc.oneof(textLiteral, numberLiteral))
      .map((it) => it.join(" ")),
    fc
      .tuple(
        fc.oneof(path, wide, tie("text")),
        fc.constantFrom("like", "not like"),
        fc.constantFrom("%", "a%", "_b", "%1", "", String.raw`a\_b`, "\\").map(quote),
      )
      .map((it) => it.join(" ")),
    fc
      .tuple(
        tie("text"),
        fc.constantFrom("in", "not in"),
        fc.array(fc.oneof(textLiteral, numberLiteral, fc.constant("null")), { minLength: 1, maxLength: 3 }),
      )
      .map(([it, how, list]) => `${it} ${how} (${list.join(", ")})`),
    fc
      .tuple(fc.oneof(tie("number"), path), fc.array(numberLiteral, { minLength: 1, maxLength: 3 }))
      .map(([it, list]) => `${it} in (${list.join(", ")})`),
    fc
      .tuple(tie("number"), numberLiteral, tie("number"))
      .map(([it, from, to]) => `${it} between ${from} and ${to}`),
    fc
      .tuple(
        fc.oneof(tie("text"), tie("number"), path, fc.constantFrom("open", "birthDate", "point")),
        fc.constantFrom("is null", "is not null", "= null", "!= null"),
      )
      .map((it) => it.join(" ")),
    fc.constantFrom("open", "open = 1", "open != false", "point = 'POINT(1 2)'", "point != 'POINT(5 5)'"),
    fc.constant("within(point, 'POLYGON((0 -1, 10 -1, 10 11, 0 11, 0 -1),(4 4, 6 4, 6 6, 4 6, 4 4))')"),
    fc.constant("round(distanceonsphere(point, 'POINT(1 2)') / 1000) > 500"),
    fc
      .tuple(tie("condition"), fc.constantFrom("and", "or"), tie("condition"))
      .map((it) => `(${it.join(" ")})`),
    tie("condition").map((it) => `not (${it})`),
  ),
}));

/** Returns the term of a clause; null if the clause compares incomparable values. */
function termOf(clause: string, table: Table): Term<ResolvedColumn> | null {
  try {
    return bindCondition(
      parseClause(clause),
      new QuerySources({ catalogue, caller: SERVER, table, alias: "t" }, "w"),
    );
  } catch (error) {
    expect(error).toMatchObject({ name: "Refusal", reason: "invalid" });
    return null;
  }
}

describe("condition evaluated in memory", () => {
  const sample = fc
    .sample(row, { numRuns: 40, seed: 7 })
    .map((it, n) => ({ objectId: String(n).padStart(3, "0"), ...it }));
  beforeEach(async () => {
    await createSampleTables(database);
    await insertRecords(
      database,
      "Person",
      sample.map((it) => ({ ...it, birthDate: it.birthDate === null ? null : new Date(it.birthDate) })),
    );
  });

  /** PostgreSQL's result for each row, our result for each record, and the records. */
  const bothOf = async (clause: string) => {
    const term = termOf(clause, SAMPLE_TABLES.get("Person")!);
    fc.pre(term !== null);
    const rows = await many(
      database.db,
      sql<{
        kept: boolean | null;
      }>`select (${toSql(term, SERVER)}) as kept from data.t_person as t order by object_id`,
    );
    const ours = sample.map((record) => evaluateCondition(term, record));
    return [rows.map(({ kept }) => kept), ours].map((all) => all.map((kept, n) => [kept, sample[n]]));
  };

  test.each([
    ["a number with many decimal places", "length(concat(name, (birthDate - 5 / 2) / -8)) % 2 = 1"],
    [
      "a number halfway between two decimals",
      "concat('', (birthDate + 1) / 8) like '%3' or concat('', (birthDate + 1) / -8) like '%8'",
    ],
    ["an integer of sixteen digits", "concat('', birthDate * 1000 + 1) like '%1'"],
    ["an integer beyond the safe range", "concat('', birthDate * 1000000 + 3) like '%03'"],
    ["negative zero", "concat('', age * -0.5 * 0) = '0'"],
    ["a very small number", "concat('', 1 / 3 / 1000000000000) = '0.000000000000333333333333333'"],
  ])("converts %s to the same text as PostgreSQL", async (_, clause) => {
    const [rows, ours] = await bothOf(clause);
    expect(rows).toEqual(ours);
  });

  test(
    "gives the same result as PostgreSQL: true, false or unknown",
    async () => {
      const agrees = async (clause: string) => {
        const [rows, ours] = await bothOf(clause);
        expect(rows).toEqual(ours);
      };
      await fc.assert(fc.asyncProperty(condition, agrees), { numRuns: countCases(300, 5) });
    },
    FUZZ_TIMEOUT,
  );
});
