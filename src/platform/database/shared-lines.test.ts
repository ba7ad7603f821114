import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { many, one, openDatabase, sql } from "./index.ts";

const { connection, world } = await testDatabase();
const database = openDatabase({ connection, world, size: 4, onIdleError: () => {} });
const { shared } = database;
afterAll(() => database.close());

/** A question that says on which line it was answered. */
const question = (n: number) => one(shared, sql<{ n: number; line: number }>`select ${n}::int as n, pg_backend_pid() as line`);
const linesInUse = () => database.pool.totalCount - database.pool.idleCount;
const NUMBERS = Array.from({ length: 12 }, (_, n) => n);

test("questions that come at once go over few lines, and each has its own answer", async () => {
  const answers = await Promise.all(NUMBERS.map(question));
  expect(answers.map(({ n }) => n)).toEqual(NUMBERS);
  expect(new Set(answers.map(({ line }) => line)).size).toBeLessThanOrEqual(3);
});

test("one that fails, fails alone", async () => {
  const asked = NUMBERS.map((n) => (n % 3 === 0 ? one(shared, sql`select 1 / ${0}::int as n`) : question(n)));
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(NUMBERS.map((n) => (n % 3 === 0 ? "rejected" : "fulfilled")));
});

test("nothing is written so, and no transaction begins", async () => {
  const writing = [sql`delete from people where ${false}`, sql`update people set seen_at = now() where ${false}`];
  for (const statement of writing) await expect(many(shared, statement)).rejects.toThrow("This is not asked over a shared line: ");
  await expect(shared.transaction().execute((tx) => many(tx, sql`select 1`))).rejects.toThrow("shared line: begin");
  expect(await one(shared, sql`/* noted */ with few as (select ${1}::int as n) select n from few`)).toEqual({ n: 1 });
});

test("a slow one keeps nobody waiting, as long as there is a free line", async () => {
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

test("as many slow ones as there are lines hold the others up no longer than they take", async () => {
  const slow = Array.from({ length: 8 }, () => many(shared, sql`select pg_sleep(${0.3})`));
  const after = NUMBERS.map(question);
  expect((await Promise.all(after)).map(({ n }) => n)).toEqual(NUMBERS);
  await Promise.all(slow);
});

test("who waits for a line asks for one, and not again and again", async () => {
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

test("a line that breaks fails those that were on it, and the next have another", async () => {
  const settled = await Promise.allSettled([many(shared, sql`select pg_terminate_backend(pg_backend_pid()) where ${true}`), question(1)]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await question(2)).toMatchObject({ n: 2 });
});

test("after the end there is no line any more", async () => {
  const other = openDatabase({ connection, world, size: 1, onIdleError: () => {} });
  await other.close();
  await expect(one(other.shared, sql`select ${1}::int as n`)).rejects.toThrow(/destroyed|end/);
});
