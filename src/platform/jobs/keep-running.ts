import { setTimeout as pause } from "node:timers/promises";
import type { Runner } from "graphile-worker";
import { SECOND } from "#platform/clock";
import { isUnavailable } from "#platform/database";
import type { Log } from "#platform/log";

/** So long it is waited before what has ended by itself is begun anew, in milliseconds. */
const PAUSE = 2 * SECOND;

/**
 * Runs what `begin` begins, and begins it anew whenever it ends by itself: a worker gives up when the database did not hear that a job has ended.
 * Returns how to stop it, which is done when all that it has done is written down. Throws what the first beginning threw.
 */
export async function keepRunning(begin: () => Promise<Runner>, log: Log): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  let runner: Runner | null = await begin();
  const run = async () => {
    while (runner) {
      await runner.promise.catch(() => {});
      runner = await begunAnew(begin, stopping.signal, log);
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    // What is about to end by itself refuses to be stopped.
    await runner?.stop().catch(() => {});
    await running;
  };
}

/** Begins it as soon as the database can be asked again; null when it is not wanted any more. */
async function begunAnew(begin: () => Promise<Runner>, signal: AbortSignal, log: Log): Promise<Runner | null> {
  while (!signal.aborted) {
    await pause(PAUSE, undefined, { signal }).catch(() => {});
    if (signal.aborted) return null;
    try {
      const runner = await begin();
      if (!signal.aborted) return runner;
      await runner.stop();
    } catch (err) {
      if (!isUnavailable(err)) log.error({ err }, "could not begin to work through jobs again");
    }
  }
  return null;
}
