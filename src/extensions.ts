import { runTimer, takeDueTimers, TIMER_TASK } from "#backend/extensions";
import type { Database } from "#platform/database";
import { startWorker } from "#platform/jobs";
import { CALL_TASK, callDeferred, type RestHouse } from "#wire/rest";

const DUE_TASK = "extension-timers";
const CALENDAR = [`* * * * * ${DUE_TASK}`];

/**
 * Works through what extensions do while nobody waits: timers, and calls that were put off. Apart from the house's own jobs, and over
 * connections of its own, so that what takes long here keeps no mail waiting.
 */
export function startExtensionTasks(house: RestHouse, own: Database, threads: number) {
  const { extensions, database } = house;
  const tasks = {
    [DUE_TASK]: () => takeDueTimers(database, extensions.parts),
    [TIMER_TASK]: ({ name }: Record<string, unknown>) => runTimer(extensions, database, String(name)),
    [CALL_TASK]: (payload: Record<string, unknown>) => callDeferred(house, payload),
  };
  // As many as have a thread to run in, and one to see what is due.
  return startWorker(own, tasks, Math.max(1, threads - 1) + 1, house.log, CALENDAR);
}
