import { describe, expect, test } from "vitest";
import { parseChangeCondition, matchesCondition, narrowCondition, type Table } from "#baas/data";
import type { Caller } from "../realtime-caller.ts";
import {
  type TableSubscriber,
  TableSubscriptionIndex,
  type TableSubscription,
} from "./table-subscription-index.ts";

const COLUMNS = { age: "INT", born: "DATETIME", name: "STRING", active: "BOOLEAN" };
const columns = new Map(Object.entries(COLUMNS).map(([name, type]) => [name, { name, type }]));
const table = { name: "Person", columns, relations: new Map() } as unknown as Table;
const nobody = { userId: null, roles: [], server: true };
const caller = { socket: { id: "socket" } } as unknown as Caller;

function filed(filing: TableSubscriptionIndex, question: string): TableSubscriber {
  const condition = parseChangeCondition(table, nobody, question);
  const following = {
    id: question,
    table: "Person",
    event: "created",
    question,
    condition,
    narrowed: narrowCondition(condition),
  };
  const followed = { caller, following: following as TableSubscription };
  filing.add(followed.caller, followed.following);
  return followed;
}

const answered = (filing: TableSubscriptionIndex, record: object) =>
  filing
    .matching("Person", "created", record as Record<string, unknown>)
    .map(({ following }) => following.question)
    .toSorted();

const QUESTIONS = ["<", "<=", ">", ">=", "=", "!="].flatMap((sign) =>
  [1, 3, 5].flatMap((n) => [`age ${sign} ${n}`, `${n} ${sign} age`]),
);
const MORE = [
  "age between 2 and 4",
  "age > 4 and age < 2",
  "age not between 2 and 4",
  "age > 1 and name like 'J%'",
  "age > 1 and name = 'Joe'",
  "active = true and age < 3",
  "age > 1 and born after '2026-05-04'",
  "age < 2 or age > 4",
  "not (age < 3)",
  "age + 1 > 3",
  "name > 'K'",
  "born at or before '2026-05-04'",
  "age is null",
  "active = false",
  "1 < 2",
];
const AGES = [0, 1, 2, 3, 4, 5, 6, 2.5, null, undefined, "3", true];
const RECORDS = AGES.flatMap((age) => [
  { age, name: "Joe", active: true, born: Date.parse("2026-05-05") },
  { age, name: "Ann", active: false, born: new Date("2026-05-04") },
  { age, active: null, born: null },
]);

describe("table subscription index", () => {
  test("finds a subscription for exactly the records that meet its condition", () => {
    const filing = new TableSubscriptionIndex();
    const all = [...QUESTIONS, ...MORE].map((question) => filed(filing, question).following);
    for (const record of RECORDS) {
      const expected = all
        .filter(({ condition }) => matchesCondition(condition, record))
        .map(({ question }) => question);
      expect(answered(filing, record)).toEqual(expected.toSorted());
    }
  });

  test("finds no removed subscriptions, and ends up empty", () => {
    const filing = new TableSubscriptionIndex();
    const all = [...QUESTIONS, ...MORE].map((question) => filed(filing, question));
    for (const [at, { following }] of all.entries()) if (at % 2 === 0) filing.remove(caller, following);
    const left = all.filter((_, at) => at % 2 === 1).map(({ following }) => following);
    for (const record of RECORDS)
      expect(answered(filing, record)).toEqual(
        left
          .filter(({ condition }) => matchesCondition(condition, record))
          .map(({ question }) => question)
          .toSorted(),
      );
    for (const following of left) filing.remove(caller, following);
    expect(filing.tables()).toEqual([]);
  });

  test.each([
    ["values", (n: number) => `age = ${n + 100}`],
    ["lower bounds", (n: number) => `age > ${n + 100}`],
    ["upper bounds", (n: number) => `${-n - 100} > age`],
    ["bounds on both sides", (n: number) => `age between ${n + 100} and ${n + 200}`],
    ["bounds with other conditions", (n: number) => `active = true and age >= ${n + 100} and name like '%e'`],
    ["bounds of dates", (n: number) => `born after ${n + 100}`],
  ])("does not evaluate subscriptions for unrelated records: %s", (_what, question) => {
    const filing = new TableSubscriptionIndex();
    for (let n = 0; n < 1_000; n++) filed(filing, question(n));
    let reads = 0;
    const record = new Proxy<Record<string, unknown>>(
      { age: 7, name: "Joe", active: true, born: 7 },
      {
        get: (it, name) => (reads++, it[String(name)]),
      },
    );
    expect(filing.matching("Person", "created", record)).toEqual([]);
    expect(reads).toBeLessThan(5);
  });
});
