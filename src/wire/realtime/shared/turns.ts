import { Refusal } from "#platform/refusal";

/** What may wait for one object. */
const MOST_WAITING = 2_000;

/**
 * Work on one object, one after the other in the order in which it came: an object that many change takes one connection of the
 * database, and its changes are told in their order. A class, because it remembers who waits.
 */
export class Turns {
  readonly #last = new Map<string, { done: Promise<unknown>; waiting: number }>();

  /** Throws `too-many` where too much waits already: for what can be asked for again. */
  assertFree(name: string): void {
    if ((this.#last.get(name)?.waiting ?? 0) >= MOST_WAITING)
      throw new Refusal("too-many", "Too many change this object at once. Please try again.");
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
