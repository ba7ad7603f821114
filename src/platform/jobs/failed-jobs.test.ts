import { expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { listFailedJobs, deleteJob, enqueueJob, retryJob } from "./index.ts";

const { db } = await testDatabase();

/** A job that failed this often, of twelve attempts. */
async function failed(task: string, attempts: number) {
  await enqueueJob(db, { task, payload: {} });
  const [job] = await many(
    db,
    sql<{ id: string }>`select id from graphile_worker.jobs where task_identifier = ${task}`,
  );
  await run(
    db,
    sql`update graphile_worker._private_jobs set attempts = ${attempts}, last_error = 'No way.'
      where id = ${job!.id}::bigint`,
  );
  return job!.id;
}

test("failed job can be listed, retried from the first attempt, and deleted", async () => {
  const [soon, never] = [await failed("soon", 2), await failed("never", 12)];
  await enqueueJob(db, { task: "fine", payload: {} });
  expect(await listFailedJobs(db)).toMatchObject([
    { id: never, task: "never", attempts: 12, error: "No way.", nextAt: null },
    { id: soon, task: "soon", attempts: 2, nextAt: expect.any(Date) },
  ]);
  expect(await retryJob(db, never)).toBe(1);
  expect((await listFailedJobs(db)).find(({ id }) => id === never)).toMatchObject({
    attempts: 0,
    nextAt: expect.any(Date),
  });
  expect(await deleteJob(db, never)).toBe(1);
  expect((await listFailedJobs(db)).map(({ id }) => id)).toEqual([soon]);
  expect([await retryJob(db, never), await deleteJob(db, never)]).toEqual([0, 0]);
});

test("running job can be neither retried nor deleted", async () => {
  const id = await failed("busy", 2);
  await run(
    db,
    sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody'
      where id = ${id}::bigint`,
  );
  expect([await retryJob(db, id), await deleteJob(db, id)]).toEqual([0, 0]);
});
