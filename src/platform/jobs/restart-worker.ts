import { setTimeout as pause } from "node:timers/promises";
import type { Runner } from "graphile-worker";
import { SECOND } from "#platform/clock";
import { isUnavailable } from "#platform/database";
import type { Log } from "#platform/log";

/** Milliseconds before a worker that ended unexpectedly is restarted. */
const RESTART_DELAY = 2 * SECOND;

/**
 * Runs a worker and restarts it whenever it ends unexpectedly, as it does when the database cannot record
 * the end of a job. Returns the stop function, which resolves once all finished jobs are recorded. Throws
 * when the first start fails.
 */
export async function restartOnExit(begin: () => Promise<Runner>, log: Log): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let runner: Runner | null = await begin();
  const run = async () => {
    while (runner) {
      await runner.promise.catch(() => {});
      runner = await beginWhenAvailable(begin, stopping.signal, log);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    // A worker that is already ending rejects a stop.
    await runner?.stop().catch(() => {});
    await running;
  };
}

/** Starts a worker as soon as the database answers again. Returns null when it was stopped meanwhile. */
async function beginWhenAvailable(
  begin: () => Promise<Runner>,
  signal: AbortSignal,
  log: Log,
): Promise<Runner | null> {
  while (!signal.aborted) {
    await pause(RESTART_DELAY, undefined, { signal }).catch(() => {});
    if (signal.aborted) return null;
    try {
      const runner = await begin();
      if (!signal.aborted) return runner;
      await runner.stop();
    } catch (err) {
      if (!isUnavailable(err)) log.error({ err }, "the job worker could not be restarted");
    }
  }
  return null;
}
