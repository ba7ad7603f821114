import { AsyncLocalStorage } from "node:async_hooks";

/** The run of a flow whose step is at work; null in what goes on apart from any. */
const doing = new AsyncLocalStorage<string | null>();

/**
 * Does something as the doing of a run: by it, what happens meanwhile is known as that run's, although verbs and messages carry nothing of
 * where they come from. Where nothing is known of a run, it changes nothing.
 */
export const asDoingOf = <T>(cause: string | null | undefined, work: () => T): T => (cause ? doing.run(cause, work) : work());
export const doingNow = (): string | null => doing.getStore() ?? null;
/** Does something as nobody's doing: what goes on long after the step that it was begun in. */
export const apart = <T>(work: () => T): T => doing.run(null, work);
