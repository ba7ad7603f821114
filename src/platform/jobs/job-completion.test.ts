import { expect, test } from "vitest";
import { many, openDatabase, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { enqueueJob, startWorkers } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction } = database;

/** Locks the jobs of a task until `open` is called; `held` resolves when they are locked. */
function holding(task: string) {
  const [held, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = inTransaction(async (tx) => {
    await run(
      tx,
      sql`select from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = ${task} for update of j`,
    );
    held.resolve();
    await open.promise;
  });
  return { held: held.promise, open: () => (open.resolve(), done) };
}

const tasksLeft = async () =>
  (
    await many(
      db,
      sql<{ task: string }>`select task_identifier as task from graphile_worker.jobs where ${true}`,
    )
  ).map(({ task }) => task);

test("worker stops only after the completion of its jobs has been stored", async () => {
  const lock = Promise.withResolvers<ReturnType<typeof holding>>();
  const tasks = {
    async one() {
      const it = holding("one");
      await it.held;
      lock.resolve(it);
    },
  };
  const worker = await startWorkers(database, createLog("silent"), [{ tasks, atOnce: 1 }]);
  await enqueueJob(db, { task: "one", payload: {} });
  const it = await lock.promise;
  let stopped = false;
  const stopping = worker.stop().then(() => (stopped = true));
  const waiting = () =>
    many(
      db,
      sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and query ~ '_private_jobs' and datname = current_database()`,
    );
  await expect.poll(waiting).toHaveLength(1);
  expect(stopped).toBe(false);
  await it.open();
  await stopping;
  expect(await tasksLeft()).toEqual([]);
});

test("worker continues when the completion of a job cannot be stored, and releases the job later", async () => {
  const hasty = openDatabase({
    connection: database.connection,
    runtime: { now: () => new Date(), newId: String },
    size: 3,
    lockTimeout: 30,
    onIdleError: () => {},
  });
  const [taken, gaveUp, second] = [
    Promise.withResolvers<ReturnType<typeof holding>>(),
    Promise.withResolvers<string>(),
    Promise.withResolvers<void>(),
  ];
  const tasks = {
    async one() {
      const it = holding("one");
      await it.held;
      taken.resolve(it);
    },
    two: async () => second.resolve(),
  };
  const log = Object.assign(createLog("silent"), {
    warn: (_: object, words: string) => gaveUp.resolve(words),
  });
  const worker = await startWorkers(hasty, log, [{ tasks, atOnce: 1 }]);
  await enqueueJob(db, { task: "one", payload: {} });
  const it = await taken.promise;
  expect(await gaveUp.promise).toContain("canceling statement due to lock timeout");
  await enqueueJob(db, { task: "two", payload: {} });
  await second.promise;
  await it.open();
  await worker.stop();
  expect(await tasksLeft()).toEqual(["one"]);
  await hasty.close();
});
