import { type Db, many, sql } from "#platform/database";

/** A job that has failed at least once and is not done. */
export type FailedJob = {
  id: string;
  task: string;
  attempts: number;
  error: string;
  failedAt: Date;
  /** Null after its last attempt: it then runs only when retried by hand. */
  nextAt: Date | null;
};

const MAX_LISTED = 100;

/**
 * Lists failed jobs: first those that wait for a manual retry, then the others, latest first; at most 100.
 */
export const listFailedJobs = (db: Db): Promise<FailedJob[]> =>
  many(
    db,
    sql<FailedJob>`
      select id, task_identifier as task, attempts, left(last_error, 500) as error, updated_at as "failedAt",
        case when attempts < max_attempts then run_at end as "nextAt"
      from graphile_worker.jobs where last_error is not null
      order by attempts < max_attempts, updated_at desc, id limit ${MAX_LISTED}`,
  );

/**
 * Runs a job again now, starting with its first attempt. Returns the number of jobs changed: 0 when the job
 * is done or running.
 */
export const retryJob = async (db: Db, id: string): Promise<number> =>
  (
    await many(
      db,
      sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(),
        attempts := 0)`,
    )
  ).length;

/**
 * Deletes a job, which then never runs. Returns the number of jobs deleted: 0 when the job is done or
 * running.
 */
export const deleteJob = async (db: Db, id: string): Promise<number> =>
  (await many(db, sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`)).length;
