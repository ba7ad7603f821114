import pg from "pg";
import { describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { limitResponseSize } from "./response-limit.ts";
import { isUnavailable, many, one, run, sql } from "./index.ts";

const database = await testDatabase();
const { db } = database;

describe("response size limit", () => {
  const endless = sql`select repeat('x', 1000000) as text from generate_series(1, ${200}::int)`;

  test("closes the connection and fails the query as unavailable", async () => {
    const failed = await many(db, endless).catch((error: unknown) => error);
    expect(isUnavailable(failed)).toBe(true);
    expect(await one(db, sql`select ${1}::int as n`)).toEqual({ n: 1 });
  });

  test("does not count notifications of a listening connection", async () => {
    const listener = new pg.Client(database.connection);
    await listener.connect();
    limitResponseSize(listener, 100_000);
    let count = 0;
    const all = new Promise((done, failed) => {
      listener.on("error", failed).on("notification", () => ++count === 300 && done("all"));
    });
    await listener.query("listen bounds");
    for (let n = 0; n < 300; n++)
      await run(db, sql`select pg_notify('bounds', repeat('x', 1000) || ${String(n)})`);
    expect(await all).toBe("all");
    await listener.end();
  });

  test("applies to each statement separately, not to the whole transaction", async () => {
    const large = sql<{
      size: number;
    }>`select repeat('x', 1000000) as text from generate_series(1, ${40}::int)`;
    const counts = await database.inTransaction(async (tx) => [
      await many(tx, large),
      await many(tx, large),
      await many(tx, large),
      await many(tx, large),
    ]);
    expect(counts.map(({ length }) => length)).toEqual([40, 40, 40, 40]);
  });
});
