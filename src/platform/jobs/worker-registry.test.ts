import { expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { enqueueJob, startWorkers } from "./index.ts";
import { recordHeartbeat } from "./worker-registry.ts";

const database = await testDatabase();
const { db } = database;

const MINE = ["worker-mine"];

/** Adds a job that a worker started this many minutes ago. */
async function createRunningJob(task: string, worker: string, minutes: number) {
  await enqueueJob(db, { task, payload: {} });
  await run(
    db,
    sql`update graphile_worker._private_jobs j
      set locked_by = ${worker}, locked_at = now() - ${minutes} * interval '1 minute', attempts = 1
        from graphile_worker.jobs t where t.id = j.id and t.task_identifier = ${task}`,
  );
}

/** Stores that a worker's last heartbeat was this many minutes ago. */
const lastSeen = (worker: string, minutes: number) =>
  run(
    db,
    sql`insert into worker_heartbeats (id, seen_at)
      values (${worker}, now() - ${minutes} * interval '1 minute')
        on conflict (id) do update set seen_at = excluded.seen_at`,
  );

const whoHas = async (task: string) => {
  const rows = await many(
    db,
    sql<{
      by: string | null;
    }>`select locked_by as by from graphile_worker.jobs where task_identifier = ${task}`,
  );
  return rows.map(({ by }) => by);
};

test("jobs of a dead worker are released at the second check and run by another worker", async () => {
  await createRunningJob("left", "worker-dead", 10);
  await lastSeen("worker-dead", 10);
  const silent = await recordHeartbeat(db, MINE, []);
  expect(silent).toEqual(["worker-dead"]);
  expect(await whoHas("left")).toEqual(["worker-dead"]);
  await recordHeartbeat(db, MINE, silent);
  expect(await whoHas("left")).toEqual([null]);

  const done = Promise.withResolvers<void>();
  const worker = await startWorkers(database, createLog("silent"), [
    { tasks: { left: async () => done.resolve() }, atOnce: 1 },
  ]);
  await done.promise;
  await worker.stop();
  expect(await whoHas("left")).toEqual([]);
});

test("jobs of a worker that never sent a heartbeat are released after a delay", async () => {
  await createRunningJob("left", "worker-dead", 10);
  await createRunningJob("fresh", "worker-new", 1);
  await recordHeartbeat(db, MINE, await recordHeartbeat(db, MINE, []));
  expect(await whoHas("left")).toEqual([null]);
  expect(await whoHas("fresh")).toEqual(["worker-new"]);
});

test("worker that reappears between two checks still owns its jobs", async () => {
  await createRunningJob("theirs", "worker-theirs", 10);
  await lastSeen("worker-theirs", 10);
  const silent = await recordHeartbeat(db, MINE, []);
  await recordHeartbeat(db, ["worker-theirs"], []);
  expect(await recordHeartbeat(db, MINE, silent)).toEqual([]);
  expect(await whoHas("theirs")).toEqual(["worker-theirs"]);
});

test("live worker keeps a long-running job", async () => {
  const [at, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tasks = {
    async long() {
      at.resolve();
      await end.promise;
    },
  };
  const worker = await startWorkers(database, createLog("silent"), [{ tasks, atOnce: 1 }]);
  await enqueueJob(db, { task: "long", payload: {} });
  await at.promise;
  await run(
    db,
    sql`update graphile_worker._private_jobs set locked_at = now() - interval '1 hour' where ${true}`,
  );
  const [by] = await whoHas("long");
  await expect.poll(() => many(db, sql`select id from worker_heartbeats where id = ${by}`)).toHaveLength(1);
  await recordHeartbeat(db, MINE, await recordHeartbeat(db, MINE, []));
  expect(await whoHas("long")).toEqual([by]);
  end.resolve();
  await worker.stop();
});

test("names of workers that ended long ago are deleted", async () => {
  await lastSeen("worker-old", 25 * 60);
  await lastSeen("worker-of-today", 23 * 60);
  await recordHeartbeat(db, MINE, []);
  const names = await many(
    db,
    sql<{ id: string }>`select id from worker_heartbeats where ${true} order by id`,
  );
  expect(names.map(({ id }) => id)).toEqual(["worker-mine", "worker-of-today"]);
});
