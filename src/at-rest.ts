import { performance } from "node:perf_hooks";
import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";

/** How often it is looked how busy the process is, and after how many quiet looks in a row it counts as being at rest. */
const LOOK = 5 * SECOND;
const QUIET_LOOKS = 3;
/** Shares of the time in which the event loop is at work: a page every other second is still quiet. */
const QUIET = 0.02;
const BUSY = 0.1;

/** Tells of a process, from how busy it was between two looks, when it has come to rest: once after each time that it was busy. */
export function watchForRest(): (utilization: number) => boolean {
  // To start is work.
  let worked = true;
  let quiet = 0;
  return (utilization) => {
    worked ||= utilization >= BUSY;
    quiet = utilization < QUIET ? quiet + 1 : 0;
    if (!worked || quiet < QUIET_LOOKS) return false;
    worked = false;
    return true;
  };
}

/**
 * Gives the machine back what a busy time has left behind: a third of what the process holds. V8 does so by itself once a time of
 * work is over, and then not again before its heap has grown by a tenth beyond what it was when it last did: work that comes and
 * goes leaves it as large as it ever was. It takes a sixth of a second, in which nobody is answered, and therefore only happens
 * where nobody has asked for much in a while. Does nothing where `node` was started without `--expose-gc`. Returns how to end it.
 */
export function letGoAtRest(log: Log): () => void {
  const { gc } = globalThis;
  if (!gc) return () => {};
  const atRest = watchForRest();
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (atRest(utilization)) void letGo(gc, log);
  }, LOOK).unref();
  return () => clearInterval(timer);
}

async function letGo(gc: NodeJS.GCFunction, log: Log): Promise<void> {
  const { rss } = process.memoryUsage();
  await gc({ type: "major", flavor: "last-resort", execution: "async" });
  log.debug({ before: rss, after: process.memoryUsage().rss }, "at rest: memory was given back");
}
