import { type Database, many, run, sql, type Tx } from "#platform/database";
import { enqueueJob } from "#platform/jobs";
import { nextOccurrence, readSchedule } from "./cron.ts";
import type { Extensions } from "./extensions.ts";
import type { PartInfo } from "./thread-protocol.ts";

/** Next run of a timer, and the outcome of its last one. */
export type TimerState = {
  name: string;
  nextAt: Date;
  lastAt: Date | null;
  tookMs: number | null;
  fault: string | null;
};
type Timer = Extract<PartInfo, { kind: "timer" }>;

export const TIMER_TASK = "extension-timer";
const MINUTE_MS = 60_000;

const listTimers = (parts: readonly PartInfo[]) => parts.filter((it): it is Timer => it.kind === "timer");

/**
 * Adds a job for each due timer. The next run is set in the same statement, so that only one of several
 * processes adds the job. If several runs were missed because no process was running, the timer runs once.
 */
export async function enqueueDueTimers(
  { inTransaction }: Database,
  parts: readonly PartInfo[],
): Promise<void> {
  for (const { name, at } of listTimers(parts))
    await inTransaction(async (tx) => {
      await ensureTimerRow(tx, name, at);
      const next = nextOccurrence(readSchedule(at), tx.now);
      const taken = await run(
        tx,
        sql`update extension_timers set next_at = ${next}, last_at = ${tx.now}
          where name = ${name} and schedule = ${at} and next_at <= ${tx.now}`,
      );
      if (taken > 0)
        await enqueueJob(tx, {
          task: TIMER_TASK,
          payload: { name },
          key: `${TIMER_TASK}:${name}`,
          mostAttempts: 1,
        });
    });
}

/**
 * Creates or updates the row of a timer. A new timer, or one with a new schedule, may be due in the current
 * minute.
 */
async function ensureTimerRow(tx: Tx, name: string, at: string): Promise<void> {
  const next = nextOccurrence(readSchedule(at), new Date(tx.now.getTime() - MINUTE_MS));
  await run(
    tx,
    sql`insert into extension_timers (name, schedule, next_at) values (${name}, ${at}, ${next})
        on conflict (name) do update set schedule = excluded.schedule, next_at = excluded.next_at
        where extension_timers.schedule <> excluded.schedule`,
  );
}

/** Runs a timer and stores the outcome. After an error it is not retried. */
export async function runTimer<Context>(
  extensions: Extensions<Context>,
  { db }: Pick<Database, "db">,
  name: string,
): Promise<void> {
  if (!listTimers(extensions.parts).some((it) => it.name === name)) return;
  const began = performance.now();
  const fault = await extensions.runBeside(`timer:${name}`).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 1_000),
  );
  const took = Math.round(performance.now() - began);
  await run(db, sql`update extension_timers set took_ms = ${took}, fault = ${fault} where name = ${name}`);
}

/** Returns the states of these timers by name; timers that were never checked are left out. */
export async function getTimerStates(
  { db }: Pick<Database, "db">,
  names: string[],
): Promise<Map<string, TimerState>> {
  const rows = await many(
    db,
    sql<TimerState>`select name, next_at as "nextAt", last_at as "lastAt", took_ms as "tookMs", fault
      from extension_timers where name = any(${names})`,
  );
  return new Map(rows.map((row) => [row.name, row]));
}
