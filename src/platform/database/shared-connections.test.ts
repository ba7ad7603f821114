import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { many, one, openDatabase, sql } from "./index.ts";

const { connection, runtime } = await testDatabase();
const database = openDatabase({ connection, runtime, size: 4, onIdleError: () => {} });
const { shared } = database;
afterAll(() => database.close());

/** Query that returns the connection it ran on. */
const question = (n: number) =>
  one(shared, sql<{ n: number; line: number }>`select ${n}::int as n, pg_backend_pid() as line`);
const linesInUse = () => database.pool.totalCount - database.pool.idleCount;
const NUMBERS = Array.from({ length: 12 }, (_, n) => n);

test("concurrent queries share few connections, each with its own result", async () => {
  const answers = await Promise.all(NUMBERS.map(question));
  expect(answers.map(({ n }) => n)).toEqual(NUMBERS);
  expect(new Set(answers.map(({ line }) => line)).size).toBeLessThanOrEqual(3);
});

test("a failing query fails alone", async () => {
  const asked = NUMBERS.map((n) => (n % 3 === 0 ? one(shared, sql`select 1 / ${0}::int as n`) : question(n)));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(
    NUMBERS.map((n) => (n % 3 === 0 ? "rejected" : "fulfilled")),
  );
});

test("writes and transactions are rejected", async () => {
  const writing = [
    sql`delete from people where ${false}`,
    sql`update people set seen_at = now() where ${false}`,
  ];
  for (const statement of writing)
    await expect(many(shared, statement)).rejects.toThrow("This statement cannot use a shared connection: ");
  await expect(shared.transaction().execute((tx) => many(tx, sql`select 1`))).rejects.toThrow(
    "shared connection: begin",
  );
  expect(await one(shared, sql`/* noted */ with few as (select ${1}::int as n) select n from few`)).toEqual({
    n: 1,
  });
});

test("a slow query delays no other while a connection is free", async () => {
  const inOrder: string[] = [];
  let slow: Promise<number>;
  await database.inTransaction(async (elsewhere) => {
    await many(elsewhere, sql`select pg_advisory_xact_lock(${7}::int)`);
    slow = many(shared, sql`select pg_advisory_xact_lock(${7}::int)`).then(() => inOrder.push("slow"));
    await Promise.all(["a", "b", "c"].map((name) => question(1).then(() => inOrder.push(name))));
    expect(inOrder.toSorted()).toEqual(["a", "b", "c"]);
  });
  await slow!;
  expect(inOrder.at(-1)).toBe("slow");
});

test("as many slow queries as connections delay the others no longer than they run", async () => {
  const slow = Array.from({ length: 8 }, () => many(shared, sql`select pg_sleep(${0.3})`));
  const after = NUMBERS.map(question);
  expect((await Promise.all(after)).map(({ n }) => n)).toEqual(NUMBERS);
  await Promise.all(slow);
});

test("a waiting query requests one connection, not several", async () => {
  await expect.poll(linesInUse).toBe(0);
  const over = Promise.withResolvers<void>();
  const busy = Array.from({ length: 4 }, () => database.inTransaction(() => over.promise));
  await expect.poll(linesInUse).toBe(4);
  const answers = Promise.all(NUMBERS.slice(0, 9).map(question));
  let [most, isAnswered] = [0, false];
  void answers.then(() => (isAnswered = true));
  while (!isAnswered) {
    most = Math.max(most, database.pool.waitingCount);
    if (most >= 2) over.resolve();
    await new Promise(setImmediate);
  }
  expect([(await answers).length, most]).toEqual([9, 2]);
  await Promise.all(busy);
});

test("a broken connection fails its queries, and later ones get another", async () => {
  const settled = await Promise.allSettled([
    many(shared, sql`select pg_terminate_backend(pg_backend_pid()) where ${true}`),
    question(1),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await question(2)).toMatchObject({ n: 2 });
});

test("no connection is opened after the end", async () => {
  const other = openDatabase({ connection, runtime, size: 1, onIdleError: () => {} });
  await other.close();
  await expect(one(other.shared, sql`select ${1}::int as n`)).rejects.toThrow(/destroyed|end/);
});
