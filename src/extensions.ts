import { runTimer, takeDueTimers, TIMER_TASK } from "#backend/extensions";
import type { Database } from "#platform/database";
import { startWorker } from "#platform/jobs";
import { CALL_TASK, callDeferred, type RestHouse } from "#wire/rest";

const DUE_TASK = "extension-timers";
const CALENDAR = [`* * * * * ${DUE_TASK}`];

/**
 * Runs extension timers and deferred calls on a worker and connections of their own, so that no mail waits
 * behind them.
 */
export function startExtensionTasks(house: RestHouse, own: Database, threads: number) {
  const { extensions, database } = house;
  const tasks = {
    [DUE_TASK]: () => takeDueTimers(database, extensions.parts),
    [TIMER_TASK]: ({ name }: Record<string, unknown>) => runTimer(extensions, database, String(name)),
    [CALL_TASK]: (payload: Record<string, unknown>) => callDeferred(house, payload),
  };
  // One job per thread, and one that looks for due timers.
  return startWorker(own, tasks, Math.max(1, threads - 1) + 1, house.log, CALENDAR);
}
