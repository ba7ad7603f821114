import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The run whose step is at work: by it, what a step publishes is known as its doing by whoever hears of it in this process, although messages carry
 * nothing of where they come from.
 */
const doing = new AsyncLocalStorage<string>();

export const asDoingOf = <T>(runId: string, work: () => Promise<T>): Promise<T> => doing.run(runId, work);
export const doingNow = (): string | null => doing.getStore() ?? null;
