import { AsyncLocalStorage } from "node:async_hooks";

/** The automation run whose step is executing; null outside an automation. */
const causeStorage = new AsyncLocalStorage<string | null>();

/**
 * Runs `work` as part of an automation run: domain events emitted meanwhile get the run as their cause,
 * without passing it through commands. Without a cause, `work` runs unchanged.
 */
export const withEventCause = <T>(cause: string | null | undefined, work: () => T): T =>
  cause ? causeStorage.run(cause, work) : work();
export const currentEventCause = (): string | null => causeStorage.getStore() ?? null;
/** Runs `work` without a cause, for work that continues after the step that started it. */
export const withoutEventCause = <T>(work: () => T): T => causeStorage.run(null, work);
