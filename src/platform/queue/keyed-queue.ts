/**
 * Runs work one at a time per key, in order of arrival; keys run in parallel. A class, because it keeps the
 * queues.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, { last: Promise<void>; size: number }>();
  #size = 0;

  /** Number of works that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** Number of works of a key that run or wait. */
  sizeOf(key: string): number {
    return this.#queues.get(key)?.size ?? 0;
  }

  /** Result of `work`, which begins once all earlier work of the key has ended, failed or not. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), size: 0 };
    this.#queues.set(key, queue);
    this.#size++;
    queue.size++;
    const end = () => {
      this.#size--;
      if (--queue.size === 0) this.#queues.delete(key);
    };
    const result = queue.last.then(work);
    queue.last = result.then(end, end);
    return result;
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#size > 0) await Promise.all([...this.#queues.values()].map(({ last }) => last));
  }
}
