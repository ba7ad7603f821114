import { Refusal } from "#platform/refusal";

/** Maximum queued work per object. */
const MAX_QUEUED = 2_000;

/**
 * Serializes work per object in order of arrival: a busy object uses one database connection, and its changes
 * are delivered in order. A class, because it keeps the queues.
 */
export class ObjectQueues {
  readonly #last = new Map<string, { done: Promise<unknown>; waiting: number }>();

  /** @throws `too-many` when the queue is full, for work that can be requested again */
  assertFree(name: string): void {
    if ((this.#last.get(name)?.waiting ?? 0) >= MAX_QUEUED)
      throw new Refusal("too-many", "Too many changes to this object at once. Try again.");
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? { done: Promise.resolve(), waiting: 0 };
    before.waiting += 1;
    const result = before.done.then(work);
    before.done = result.catch(() => {});
    this.#last.set(name, before);
    return result.finally(() => {
      before.waiting -= 1;
      if (before.waiting === 0) this.#last.delete(name);
    });
  }
}
