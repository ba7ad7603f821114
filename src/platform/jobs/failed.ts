import { type Db, many, sql } from "#platform/database";

/** A job that has failed at least once and is still to be done. */
export type FailedJob = {
  id: string;
  task: string;
  attempts: number;
  error: string;
  failedAt: Date;
  /** Null once it has been tried as often as it may: then only when somebody says so. */
  nextAt: Date | null;
};

const MOST = 100;

/** Those jobs, the ones that wait for a person first, then the latest; 100 at most. */
export const failedJobs = (db: Db): Promise<FailedJob[]> =>
  many(
    db,
    sql<FailedJob>`
      select id, task_identifier as task, attempts, left(last_error, 500) as error, updated_at as "failedAt",
        case when attempts < max_attempts then run_at end as "nextAt"
      from graphile_worker.jobs where last_error is not null
      order by attempts < max_attempts, updated_at desc, id limit ${MOST}`,
  );

/** Has a job tried again now, as if for the first time. Returns how many that was: none where it is done, or being tried. */
export const tryJobAgain = async (db: Db, id: string): Promise<number> =>
  (await many(db, sql`select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now(), attempts := 0)`)).length;

/** Takes a job away: it is never done. Returns how many that was: none where it is done, or being tried. */
export const giveJobUp = async (db: Db, id: string): Promise<number> =>
  (await many(db, sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`)).length;
