import { expect, test } from "vitest";
import { HOUR, addMilliseconds } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { emit, listHandlerFailures, abandonHandler, retryHandler } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

/** A failed handler that waits for a manual retry (`waits`), or is retried in an hour. */
async function failed(reaction: string, waits: boolean) {
  await within((tx) => emit(tx, { type: "post.written" }));
  const { id } = await one(db, sql<{ id: string }>`select max(id) as id from outbox`);
  await run(
    db,
    sql`insert into outbox_failures (outbox_id, reaction, next_at, error, failed_at)
        values (${id}, ${reaction}, ${waits ? null : addMilliseconds(clock.at, HOUR)}, 'Error: no',
          ${clock.at})`,
  );
  return { outboxId: id, reaction };
}
const listFailures = async () =>
  (await listHandlerFailures(db)).map(({ reaction, nextAt }) => [reaction, nextAt]);

test("failed event handlers are listed and can be retried or abandoned", async () => {
  const [tells, indexes] = [await failed("tells", false), await failed("indexes", true)];
  expect(await listHandlerFailures(db)).toMatchObject([
    { ...indexes, type: "post.written", attempts: 1, error: "Error: no", nextAt: null },
    { ...tells, nextAt: addMilliseconds(clock.at, HOUR) },
  ]);
  expect(await within((tx) => retryHandler(tx, indexes))).toBe(1);
  expect(await listFailures()).toContainEqual(["indexes", clock.at]);
  expect(await within((tx) => abandonHandler(tx, indexes))).toBe(1);
  expect(await listFailures()).toEqual([["tells", addMilliseconds(clock.at, HOUR)]]);
  for (const deed of [retryHandler, abandonHandler]) expect(await within((tx) => deed(tx, indexes))).toBe(0);
});
