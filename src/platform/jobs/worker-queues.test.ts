import { expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { createLog } from "#platform/log";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { enqueueJob, startWorkers } from "./index.ts";

const database = await testDatabase();
const log = createLog("silent");

test("slow job delays its own worker queue, but not the short jobs of another queue", async () => {
  const [longJobStarted, longJobMayEnd, shortJobRan] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const long: number[] = [];
  const worker = await startWorkers(database, log, [
    { tasks: { short: async () => shortJobRan.resolve() }, atOnce: 1 },
    {
      tasks: {
        async long({ n }) {
          long.push(Number(n));
          longJobStarted.resolve();
          await longJobMayEnd.promise;
        },
      },
      atOnce: 1,
    },
  ]);
  for (const n of [1, 2]) await enqueueJob(database.db, { task: "long", payload: { n } });
  await longJobStarted.promise;
  await enqueueJob(database.db, { task: "short", payload: {} });
  await shortJobRan.promise;
  expect(long).toEqual([1]);
  const waiting = sql<{
    n: number;
  }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'long' and ${true}`;
  longJobMayEnd.resolve();
  await expect.poll(async () => (await one(database.db, waiting)).n).toBe(0);
  expect(long).toEqual([1, 2]);
  await worker.stop();
});
