import { runTimer, enqueueDueTimers, TIMER_TASK } from "#baas/extensions";
import type { Database } from "#platform/database";
import { startWorker } from "#platform/jobs";
import { EXTENSION_CALL_TASK, runDeferredCall, type RestContext } from "#api/rest";

const DUE_TASK = "extension-timers";
const CALENDAR = [`* * * * * ${DUE_TASK}`];

/**
 * Runs extension timers and deferred calls in a separate worker with separate connections, so that mail does
 * not wait for them.
 */
export function startExtensionJobs(app: RestContext, own: Database, threads: number) {
  const { extensions, database } = app;
  const tasks = {
    [DUE_TASK]: () => enqueueDueTimers(database, extensions.parts),
    [TIMER_TASK]: ({ name }: Record<string, unknown>) => runTimer(extensions, database, String(name)),
    [EXTENSION_CALL_TASK]: (payload: Record<string, unknown>) => runDeferredCall(app, payload),
  };
  // Background calls always leave one thread free, so more jobs at once would only wait. One additional job
  // looks for due timers.
  return startWorker(own, tasks, Math.max(1, threads - 1) + 1, app.log, CALENDAR);
}
