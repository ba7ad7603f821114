import { describe, expect, expectTypeOf, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { type Db, many, one, run, sql, type Tx } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction } = database;

const insert = (key: string) =>
  sql<{
    key: string;
  }>`insert into settings (key, value, changed_at) values (${key}, '1', now()) returning key`;
const all = () => sql<{ n: number }>`select count(*)::int as n from settings where ${true}`;

/** Sends the queries at once. */
const together = (tx: Tx, ...queries: Parameters<typeof many>[1][]) =>
  Promise.all(queries.map((query) => many(tx, query)));

describe("transaction", () => {
  test("rolls everything back on an exception", async () => {
    const work = inTransaction(async (tx) => {
      const before = tx.now;
      database.clock.pass(5_000);
      expect(tx.now).toBe(before);
      await run(tx, sql`insert into settings (key, value, changed_at) values ('a', '1', ${tx.now})`);
      throw new Error("second thoughts");
    });
    await expect(work).rejects.toThrow("second thoughts");
    expect(await many(db, sql`select 1 from settings`)).toEqual([]);
  });

  test("runs afterCommit callbacks only after the commit", async () => {
    const done: string[] = [];
    await inTransaction(async (tx) => tx.afterCommit(() => done.push("stored")));
    await inTransaction(async (tx) => {
      tx.afterCommit(() => done.push("never"));
      throw new Error("no");
    }).catch(() => {});
    expect(done).toEqual(["stored"]);
  });

  test("can end without a query, and the connection remains usable", async () => {
    expect(await inTransaction(async () => 1)).toBe(1);
    await expect(inTransaction(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await inTransaction((tx) => one(tx, sql`select ${2}::int as n`))).toEqual({ n: 2 });
  });

  test("rolls back on a failed statement, and the connection remains usable", async () => {
    const work = inTransaction(async (tx) => {
      await one(tx, insert("a"));
      await one(tx, insert("a"));
    });
    await expect(work).rejects.toThrow("duplicate key");
    expect(await one(db, all())).toEqual({ n: 0 });
    expect(await inTransaction((tx) => one(tx, insert("c")))).toEqual({ key: "c" });
  });

  test("fails even if its callback catches the error of a statement", async () => {
    const done: string[] = [];
    const work = inTransaction(async (tx) => {
      tx.afterCommit(() => done.push("stored"));
      await one(tx, insert("a"));
      await one(tx, insert("a")).catch(() => {});
    });
    await expect(work).rejects.toThrow("aborted by an earlier error");
    expect([await one(db, all()), done]).toEqual([{ n: 0 }, []]);
  });

  test("refuses queries after its end", async () => {
    const tx = await inTransaction(async (it) => it);
    await expect(one(tx, insert("a"))).rejects.toThrow("nothing can follow");
    expect(await one(db, all())).toEqual({ n: 0 });
  });

  test("rejects a pool or a similar object at compile time", () => {
    expectTypeOf(db).not.toExtend<Tx>();
    expectTypeOf({ ...db, now: new Date(), newId: String, afterCommit: () => {} }).not.toExtend<Tx>();
    expectTypeOf<Tx>().toExtend<Db>();
  });
});

describe("snapshot", () => {
  test("shows the data of one point in time and refuses writes", async () => {
    const seen = await database.inSnapshot(async (tx) => {
      const before = await one(tx, all());
      await one(db, insert("a"));
      return [before, await one(tx, all())];
    });
    expect(seen).toEqual([{ n: 0 }, { n: 0 }]);
    await expect(database.inSnapshot((tx) => one(tx, insert("b")))).rejects.toThrow("read-only transaction");
  });
});

describe("pipelined queries", () => {
  test("return in order, and each query sees the effects of earlier ones", async () => {
    const answers = await inTransaction((tx) => together(tx, all(), insert("a"), all(), insert("b"), all()));
    expect(answers).toEqual([[{ n: 0 }], [{ key: "a" }], [{ n: 1 }], [{ key: "b" }], [{ n: 2 }]]);
  });

  test("see rows committed while an earlier query waited for a lock", async () => {
    const turn = () => sql`select pg_advisory_xact_lock(${7})`;
    const others = Promise.withResolvers<void>();
    const first = inTransaction(async (tx) => {
      await one(tx, turn());
      others.resolve();
      while ((await one(db, waiting())).n === 0);
      await one(tx, insert("a"));
    });
    await others.promise;
    const [, , seen] = await inTransaction((tx) => together(tx, all(), turn(), all()));
    await first;
    expect(seen).toEqual([{ n: 1 }]);
  });

  test("roll back together with the error of the failed query", async () => {
    const work = inTransaction((tx) => together(tx, insert("a"), sql`select ${1}::int / 0`, insert("b")));
    await expect(work).rejects.toThrow("division by zero");
    expect(await one(db, all())).toEqual({ n: 0 });
  });

  test("run before queries that are sent later", async () => {
    const work = inTransaction(async (tx) => [await together(tx, all(), insert("a")), await many(tx, all())]);
    expect(await work).toEqual([[[{ n: 0 }], [{ key: "a" }]], [{ n: 1 }]]);
  });
});

const waiting = () =>
  sql<{
    n: number;
  }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and ${true}`;
