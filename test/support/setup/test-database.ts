import pg from "pg";
import { afterAll, beforeEach, inject } from "vitest";
import { type Database, openDatabase } from "#platform/database";
import { createIdSource } from "#platform/ids";
import { createDatabase, TEMPLATE } from "./global-setup.ts";

/** A clock that tests set; its time is constant otherwise. */
export type TestClock = { at: Date; pass: (ms: number) => void };

export type TestDatabase = Database & { clock: TestClock; connection: pg.ClientConfig };

/**
 * Opens this worker's database, cloned from the template and emptied before each test. Call it once at the
 * top of a file: `const database = await testDatabase();`
 */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `kith_worker_${process.env["VITEST_POOL_ID"] ?? "0"}`;
  const connection = await createDatabase(inject("server"), name, TEMPLATE);
  const clock: TestClock = {
    at: new Date("2026-05-04T09:00:00Z"),
    pass: (ms) => void (clock.at = new Date(clock.at.getTime() + ms)),
  };
  // A separate source of ids: requests create ids at the real time, which would not sort by age beside ids
  // at the test clock's time.
  const newId = createIdSource();
  const runtime = { now: () => clock.at, newId: () => newId(clock.at.getTime()) };
  // Tests start hundreds of transactions at once, which wait longer than requests on a busy machine.
  const timeouts = { connectionTimeout: 60_000, lockTimeout: 60_000, statementTimeout: 60_000 };
  const database = openDatabase({ connection, runtime, size: 8, onIdleError: () => {}, ...timeouts });
  const emptier = await openEmptier(connection);
  beforeEach(async () => {
    clock.at = new Date("2026-05-04T09:00:00Z");
    await emptier.empty();
  });
  afterAll(() => Promise.all([database.close(), emptier.close()]));
  return { ...database, clock, connection };
}

/**
 * Opens a connection that deletes from the tables that were ever written to. This takes 1 ms; truncating all
 * tables takes hundreds, and planning a `delete` for each takes 40 ms. The connection is its own, because
 * changing `session_replication_role`, which turns off foreign keys, discards all plans of a connection.
 */
async function openEmptier(connection: pg.ClientConfig) {
  const pool = new pg.Pool({ ...connection, max: 1, options: "-c session_replication_role=replica" });
  pool.on("error", () => {}).on("connect", (it) => void it.on("error", () => {}));
  // The sizes are read of tables only: the condition alone would be checked for each index, too.
  await pool.query(
    `create schema test_support;
     create function test_support.empty_tables() returns void language plpgsql as $$
     declare name regclass;
     begin
       for name in
         with tables as materialized (
           select oid from pg_class
           where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
             or oid = 'graphile_worker._private_jobs'::regclass)
         select oid from tables where pg_relation_size(oid) > 0
       loop
         execute format('delete from %s', name);
       end loop;
     end $$`,
  );
  return { empty: () => pool.query("select test_support.empty_tables()"), close: () => pool.end() };
}
