import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { queryAndCommit, many, one, run, sql, pipelined } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction } = database;

describe("transaction", () => {
  test("has one moment and rolls everything back on a throw", async () => {
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

  test("runs afterCommit callbacks only once it is committed", async () => {
    const done: string[] = [];
    await inTransaction(async (tx) => tx.afterCommit(() => done.push("stored")));
    await inTransaction(async (tx) => {
      tx.afterCommit(() => done.push("never"));
      throw new Error("no");
    }).catch(() => {});
    expect(done).toEqual(["stored"]);
  });
});

describe("BEGIN of a transaction", () => {
  test("shares the round trip and the transaction of the first statement", async () => {
    const first = inTransaction(async (tx) => {
      await run(tx, sql`insert into settings (key, value, changed_at) values (${"a"}, '1', ${tx.now})`);
      await run(tx, sql`select ${1}::int / 0`);
    });
    await expect(first).rejects.toThrow("division by zero");
    expect(await many(db, sql`select from settings`)).toEqual([]);
  });

  test("does not block others when the transaction runs no query", async () => {
    expect(await inTransaction(async () => 1)).toBe(1);
    await expect(inTransaction(async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await inTransaction((tx) => one(tx, sql`select ${2}::int as n`))).toEqual({ n: 2 });
  });

  test("disappears for a single statement, which still has its moment and callbacks", async () => {
    const done: string[] = [];
    const work = (value: string) =>
      database.inOneStatement(async (tx) => {
        tx.afterCommit(() => done.push(value));
        return run(
          tx,
          sql`insert into settings (key, value, changed_at) values (${"a"}, ${value}::jsonb, ${tx.now})`,
        );
      });
    expect(await work("1")).toBe(1);
    await expect(work("2")).rejects.toThrow("duplicate key");
    expect(done).toEqual(["1"]);
    expect(await one(db, sql`select value, changed_at as at from settings`)).toEqual({
      value: 1,
      at: database.clock.at,
    });
  });
});

describe("pipelined queries", () => {
  const put = (key: string) =>
    sql<{
      key: string;
    }>`insert into settings (key, value, changed_at) values (${key}, '1', now()) returning key`;
  const all = () => sql<{ n: number }>`select count(*)::int as n from settings where ${true}`;

  test("return in order, and each sees the effects of those before it", async () => {
    const answers = await inTransaction((tx) => pipelined(tx, all(), put("a"), all(), put("b"), all()));
    expect(answers).toEqual([[{ n: 0 }], [{ key: "a" }], [{ n: 1 }], [{ key: "b" }], [{ n: 2 }]]);
  });

  test("see commits of others that happened while one of them waited", async () => {
    const turn = () => sql`select pg_advisory_xact_lock(${7})`;
    const others = Promise.withResolvers<void>();
    const first = inTransaction(async (tx) => {
      await one(tx, turn());
      others.resolve();
      while ((await one(db, waiting())).n === 0);
      await one(tx, put("a"));
    });
    await others.promise;
    const [, , [seen]] = await inTransaction((tx) => pipelined(tx, all(), turn(), all()));
    await first;
    expect(seen).toEqual({ n: 1 });
  });

  test("fail together with the error of the failed one and leave nothing", async () => {
    const work = inTransaction((tx) => pipelined(tx, put("a"), sql`select ${1}::int / 0`, put("b")));
    await expect(work).rejects.toThrow("division by zero");
    expect(await one(db, all())).toEqual({ n: 0 });
  });

  test("run before queries that are sent after them", async () => {
    const work = inTransaction(async (tx) => [await pipelined(tx, all(), put("a")), await many(tx, all())]);
    expect(await work).toEqual([[[{ n: 0 }], [{ key: "a" }]], [{ n: 1 }]]);
  });
});

describe("last statement of a command", () => {
  const put = (key: string) =>
    sql<{
      key: string;
    }>`insert into settings (key, value, changed_at) values (${key}, '1', now()) returning key`;
  const kept = async () =>
    (await many(db, sql<{ key: string }>`select key from settings order by key`)).map(({ key }) => key);
  test("commits with the statement and runs afterCommit callbacks once", async () => {
    const done: string[] = [];
    const answer = await database.inOneVerb(async (tx) => {
      tx.afterCommit(() => done.push("stored"));
      await one(tx, put("a"));
      const last = await queryAndCommit(tx, put("b"));
      expect([await kept(), done]).toEqual([["a", "b"], []]);
      return last;
    });
    expect([answer, done]).toEqual([{ key: "b" }, ["stored"]]);
  });

  test("rolls back with its own error when it fails, and the connection stays usable", async () => {
    const work = database.inOneVerb(async (tx) => {
      await one(tx, put("a"));
      await queryAndCommit(tx, put("a"));
    });
    await expect(work).rejects.toThrow("duplicate key");
    expect(await kept()).toEqual([]);
    await inTransaction((tx) => one(tx, put("c")));
    expect(await kept()).toEqual(["c"]);
  });

  test("refuses queries after it and stores nothing of them", async () => {
    const work = database.inOneVerb(async (tx) => {
      await queryAndCommit(tx, put("a"));
      await one(tx, put("b"));
    });
    await expect(work).rejects.toThrow("nothing can follow");
    expect(await kept()).toEqual(["a"]);
    await inTransaction((tx) => one(tx, put("c")));
    expect(await kept()).toEqual(["a", "c"]);
  });

  test("does not commit when its command is part of a larger transaction", async () => {
    const work = inTransaction(async (tx) => {
      await queryAndCommit(tx, put("a"));
      await one(tx, put("b"));
      throw new Error("second thoughts");
    });
    await expect(work).rejects.toThrow("second thoughts");
    expect(await kept()).toEqual([]);
  });

  test("may be missing: a command that stores nothing commits as usual", async () => {
    await database.inOneVerb((tx) => one(tx, put("a")));
    await expect(database.inOneVerb((tx) => one(tx, put("a")))).rejects.toThrow("duplicate key");
    expect(await kept()).toEqual(["a"]);
  });
});

const waiting = () =>
  sql<{
    n: number;
  }>`select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and ${true}`;
