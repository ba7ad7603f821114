import { EventEmitter } from "node:events";
import { Logger, run as runWorker, runMigrations, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { type Database, type Db, isUnavailable, one, run, sql } from "#platform/database";
import type { Log } from "#platform/log";
import { traceWork } from "#platform/telemetry";
import { isObject } from "#platform/objects";
import { restartOnExit } from "./restart-worker.ts";
import { startHeartbeat } from "./worker-registry.ts";

export { listFailedJobs, deleteJob, retryJob } from "./failed-jobs.ts";
export type { FailedJob } from "./failed-jobs.ts";

/** A job's task and payload. Payloads hold ids, not contents. */
export type Job = {
  task: string;
  payload: Record<string, unknown>;
  runAt?: Date;
  key?: string;
  mostAttempts?: number;
  priority?: number;
};
export type Tasks = Record<string, (payload: Record<string, unknown>) => Promise<void>>;

/** Adds a job in the transaction that writes the rows it is about: both are stored, or neither. */
export async function enqueueJob(tx: Db, job: Job): Promise<void> {
  await run(
    tx,
    sql`select graphile_worker.add_job(${job.task}, payload := ${JSON.stringify(job.payload)}::json,
      run_at := ${job.runAt ?? null}::timestamptz, job_key := ${job.key ?? null}::text,
      max_attempts := ${job.mostAttempts ?? 12}::int,
      priority := ${job.priority ?? 0}::int)`,
  );
}

/**
 * True when a job with one of these keys is pending, or was started in the last 10 seconds (its effects may
 * not be visible yet). A job whose worker died does not count.
 */
export const isJobQueued = async (db: Db, keys: string[]): Promise<boolean> =>
  (
    await one(
      db,
      sql<{ comes: boolean }>`select exists (
        select from graphile_worker.jobs where key = any(${keys}) and attempts < max_attempts
          and (locked_at is null or locked_at > now() - interval '10 seconds')) as comes`,
    )
  ).comes;

/** Like `enqueueJob` for many jobs, in one statement. */
export async function enqueueJobs(tx: Db, jobs: Job[]): Promise<void> {
  await run(
    tx,
    sql`select graphile_worker.add_job(j.task, payload := j.payload, run_at := j."runAt", job_key := j.key,
          max_attempts := coalesce(j."mostAttempts", 12), priority := coalesce(j.priority, 0))
        from json_to_recordset(${JSON.stringify(jobs)}::json)
          as j(task text, payload json, "runAt" timestamptz, key text, "mostAttempts" int, priority int)`,
  );
}

/** Creates or updates the tables of the job queue. */
export const migrateJobs = (pgPool: pg.Pool, log: Log) =>
  runMigrations({ pgPool, logger: createQuietLogger(log) });

type JobDatabase = Pick<Database, "db" | "pool">;
export type Worker = { stop: () => Promise<void> };

/**
 * Runs jobs, `atOnce` at a time, and the cron lines of `calendar`, until `stop` is called. Jobs of a dead
 * process are restarted about three minutes later.
 */
export async function startWorker(
  { pool, db }: JobDatabase,
  tasks: Tasks,
  atOnce: number,
  log: Log,
  calendar: string[],
): Promise<Worker> {
  const names = new Set<string>();
  const begin = () => {
    names.clear();
    const events: WorkerEvents = new EventEmitter();
    // Jobs are locked under the name of the pool, not of a single worker.
    events.on("pool:create", ({ workerPool }) => names.add(workerPool.id));
    return runWorker({
      pgPool: pool,
      concurrency: atOnce,
      noHandleSignals: true,
      pollInterval: 2_000,
      logger: createQuietLogger(log),
      events,
      crontab: calendar.join("\n"),
      preset: AWAIT_COMPLETION,
      taskList: toTaskList(tasks),
    });
  };
  const stop = await restartOnExit(begin, log);
  const endRoll = startHeartbeat(db, names, log);
  return {
    async stop() {
      await stop();
      await endRoll();
    },
  };
}

/**
 * With batched completion a worker waits for the completion before it stops. Otherwise the completion is not
 * awaited and its failure ends the process: graphile-worker 0.18, `worker.ts`, `completeJob(job)` without
 * `await`.
 */
const AWAIT_COMPLETION = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

const toTaskList = (tasks: Tasks): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, work]) => [
      name,
      (payload: unknown) => traceWork(`job ${name}`, async () => work(isObject(payload) ? payload : {})),
    ]),
  );

/** Tasks that share `atOnce` workers of their own; `calendar` as for `startWorker`. */
export type WorkerQueue = { tasks: Tasks; atOnce: number; calendar?: string[] };

/**
 * Runs each of the queues until `stop` is called. A job that takes minutes delays no short jobs of other
 * queues.
 */
export async function startWorkers(where: JobDatabase, log: Log, queues: WorkerQueue[]): Promise<Worker> {
  const started = await Promise.allSettled(
    queues.map(({ tasks, atOnce, calendar = [] }) => startWorker(where, tasks, atOnce, log, calendar)),
  );
  const running = started.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
  const stop = async () => void (await Promise.all(running.map((worker) => worker.stop())));
  const failed = started.find((it) => it.status === "rejected");
  if (!failed) return { stop };
  await stop();
  throw failed.reason;
}

/** Forwards worker messages to our log. A failed job is logged by name, never with its payload. */
const createQuietLogger = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    const err: unknown = meta?.["error"] ?? meta?.["err"] ?? meta?.["fatalError"];
    // A lost database connection recovers automatically; a failed job needs attention.
    if (level === "error" && !isUnavailable(err)) log.error({ err }, message);
    else if (level === "error") log.warn({ err }, message);
    else if (level === "warning") log.warn(message);
    else log.debug(message);
  });
