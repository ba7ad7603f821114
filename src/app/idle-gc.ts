import { performance } from "node:perf_hooks";
import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";

/** How often utilization is checked, and how many quiet checks in a row make the process idle. */
const CHECK_INTERVAL = 5 * SECOND;
const QUIET_CHECKS = 3;
/** Event loop utilization: a page every other second still counts as quiet. */
const QUIET_UTILIZATION = 0.02;
const BUSY_UTILIZATION = 0.1;

/**
 * Returns true once after each busy period, when the process has become idle. Called with the utilization
 * since the last call.
 */
export function detectIdle(): (utilization: number) => boolean {
  // Startup counts as busy.
  let worked = true;
  let quiet = 0;
  return (utilization) => {
    worked ||= utilization >= BUSY_UTILIZATION;
    quiet = utilization < QUIET_UTILIZATION ? quiet + 1 : 0;
    if (!worked || quiet < QUIET_CHECKS) return false;
    worked = false;
    return true;
  };
}

/**
 * Collects garbage when the process becomes idle, which frees about a third of its memory. V8 does so only
 * once after a busy period, and then not before the heap has grown by a tenth beyond its last size. A
 * collection blocks for a sixth of a second, so it runs only when idle. Does nothing without `--expose-gc`.
 * Returns a function that stops it.
 */
export function collectGarbageWhenIdle(log: Log): () => void {
  const { gc } = globalThis;
  if (!gc) return () => {};
  const atRest = detectIdle();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (atRest(utilization)) void collectGarbage(gc, log);
  }, CHECK_INTERVAL).unref();
  return () => clearInterval(timer);
}

async function collectGarbage(gc: NodeJS.GCFunction, log: Log): Promise<void> {
  const { rss } = process.memoryUsage();
  await gc({ type: "major", flavor: "last-resort", execution: "async" });
  log.debug({ before: rss, after: process.memoryUsage().rss }, "idle: memory was released");
}
