import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/setup/database.ts";
import { isUnavailable, isUniqueViolation, many, one, openDatabase, run, sql } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction } = database;

describe("a transaction", () => {
  test("has one moment, and what it throws takes everything back", async () => {
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

  test("does what waits for its end only when it is stored", async () => {
    const done: string[] = [];
    await inTransaction(async (tx) => tx.afterCommit(() => done.push("stored")));
    await inTransaction(async (tx) => {
      tx.afterCommit(() => done.push("never"));
      throw new Error("no");
    }).catch(() => {});
    expect(done).toEqual(["stored"]);
  });
});

describe("the driver", () => {
  test("names statements, so that they are planned once a connection", async () => {
    await inTransaction(async (tx) => {
      for (const n of [1, 2, 3]) await one(tx, sql`select ${n}::int as named_once`);
      const { count } = await one(
        tx,
        sql<{ count: number }>`select count(*)::int as count from pg_prepared_statements where statement like '%named_once%'`,
      );
      expect(count).toBe(1);
    });
  });

  test("gives up on a statement that takes too long, and says that it was time and not the caller", async () => {
    const hasty = openDatabase({
      connection: database.connection,
      world: { now: () => new Date(), newId: String },
      size: 1,
      statementTimeout: 30,
      onIdleError: () => {},
    });
    const error = await many(hasty.db, sql`select pg_sleep(2)`).catch((it: unknown) => it);
    expect(isUnavailable(error)).toBe(true);
    await hasty.close();
  });

  test("gives up waiting for a lock", async () => {
    const hasty = openDatabase({
      connection: database.connection,
      world: { now: () => new Date(), newId: String },
      size: 1,
      lockTimeout: 30,
      onIdleError: () => {},
    });
    await inTransaction(async (tx) => {
      await run(tx, sql`lock table settings in access exclusive mode`);
      const error = await many(hasty.db, sql`select * from settings`).catch((it: unknown) => it);
      expect(isUnavailable(error)).toBe(true);
    });
    await hasty.close();
  });

  test("tells a row that stands already from a database that is away", async () => {
    const twice = () => run(db, sql`insert into settings (key, value, changed_at) values ('k', '1', now())`);
    await twice();
    const error = await twice().catch((it: unknown) => it);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, "settings_pkey")).toBe(true);
    expect(isUniqueViolation(error, "people_email")).toBe(false);
    expect(isUnavailable(error)).toBe(false);
  });

  test.each(["ECONNREFUSED", "ENOENT", "57P01", "08006", "53300", "53100"])("takes %s for a database that will be back", (code) => {
    expect(isUnavailable(Object.assign(new Error("x"), { code }))).toBe(true);
  });
});
