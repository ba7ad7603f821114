import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { isUnavailable, isUniqueViolation, many, one, openDatabase, run, sql } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction } = database;

describe("database driver", () => {
  test("prepares statements, so they are planned once per connection", async () => {
    await inTransaction(async (tx) => {
      for (const n of [1, 2, 3]) await one(tx, sql`select ${n}::int as named_once`);
      const { count } = await one(
        tx,
        sql<{
          count: number;
        }>`select count(*)::int as count from pg_prepared_statements where statement like '%named_once%'`,
      );
      expect(count).toBe(1);
    });
  });

  test("does not prepare statements that need a new plan each time", async () => {
    await inTransaction(async (tx) => {
      for (const n of [1, 2, 3]) await one(tx, sql`/* anew */ select ${n}::int as named_never`);
      const named = sql<{
        count: number;
      }>`select count(*)::int as count from pg_prepared_statements where statement like '%named_never%'`;
      expect((await one(tx, named)).count).toBe(0);
    });
  });

  test("prepares statements of API queries on their second use, up to a limit", async () => {
    await inTransaction(async (tx) => {
      const named = sql<{
        count: number;
      }>`select count(*)::int as count from pg_prepared_statements
        where statement like '/* asked */%' and ${true}`;
      const ask = (n: number) =>
        one(tx, sql`/* asked */ select ${n}::int as by_a_caller${sql.raw(String(n))}`);
      await ask(1);
      expect((await one(tx, named)).count).toBe(0);
      await ask(1);
      expect((await one(tx, named)).count).toBe(1);
      for (let n = 2; n < 400; n++) for (const _again of [1, 2]) await ask(n);
      expect((await one(tx, named)).count).toBe(300);
    });
  });

  test("prepares queries by key, but no ad-hoc queries", async () => {
    const questions = openDatabase({
      connection: database.connection,
      runtime: { now: () => new Date(), newId: String },
      size: 1,
      forQuestions: true,
      onIdleError: () => {},
    });
    for (const n of [1, 2]) {
      await one(questions.db, sql`select ${n}::int as each_its_own`);
      await one(questions.db, sql`/* by keys */ select ${n}::int as by_its_key`);
    }
    const prepared = await many(
      questions.db,
      sql<{ statement: string }>`select statement from pg_prepared_statements where ${true}`,
    );
    expect(prepared.map(({ statement }) => statement)).toEqual([
      "/* by keys */ select $1::int as by_its_key",
    ]);
    await questions.close();
  });

  test("cancels a slow statement and reports a timeout, not a client error", async () => {
    const hasty = openDatabase({
      connection: database.connection,
      runtime: { now: () => new Date(), newId: String },
      size: 1,
      statementTimeout: 30,
      onIdleError: () => {},
    });
    const error = await many(hasty.db, sql`select pg_sleep(2)`).catch((it: unknown) => it);
    expect(isUnavailable(error)).toBe(true);
    await hasty.close();
  });

  test("fails a query that waits too long for a lock", async () => {
    const hasty = openDatabase({
      connection: database.connection,
      runtime: { now: () => new Date(), newId: String },
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

  test("reports queries after the pool has closed as unavailable", async () => {
    const closed = openDatabase({
      connection: database.connection,
      runtime: { now: () => new Date(), newId: String },
      size: 1,
      onIdleError: () => {},
    });
    await many(closed.db, sql`select 1`);
    await closed.close();
    const asking = [
      many(closed.db, sql`select 1`),
      closed.inTransaction((tx) => many(tx, sql`select 1`)),
      closed.pool.query("select 1"),
    ];
    for (const result of await Promise.allSettled(asking)) {
      if (result.status !== "rejected") throw new Error("It was answered.");
      expect(isUnavailable(result.reason)).toBe(true);
    }
  });

  test("distinguishes a unique violation from an unavailable database", async () => {
    const twice = () => run(db, sql`insert into settings (key, value, changed_at) values ('k', '1', now())`);
    await twice();
    const error = await twice().catch((it: unknown) => it);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, "settings_pkey")).toBe(true);
    expect(isUniqueViolation(error, "people_email")).toBe(false);
    expect(isUnavailable(error)).toBe(false);
  });

  test.each(["ECONNREFUSED", "ENOENT", "57P01", "08006", "53300", "53100"])(
    "treats %s as temporarily unavailable",
    (code) => {
      expect(isUnavailable(Object.assign(new Error("x"), { code }))).toBe(true);
    },
  );
});
