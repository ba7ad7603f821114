/**
 * Runs the tasks of a key in order of arrival, `atOnce` at a time; different keys run in parallel. A class,
 * because it stores the queues.
 */
export class KeyedQueue {
  readonly #atOnce: number;
  readonly #queues = new Map<string, { size: number; waiting: (() => void)[] }>();
  #size = 0;
  #idleListeners: (() => void)[] = [];

  constructor(atOnce = 1) {
    this.#atOnce = atOnce;
  }

  /** Number of tasks that are running or waiting. */
  get size(): number {
    return this.#size;
  }

  /** Number of a key's tasks that are running or waiting. */
  sizeOf(key: string): number {
    return this.#queues.get(key)?.size ?? 0;
  }

  /**
   * Returns the result of `work`, which starts when a slot of the key is free: earlier tasks run first, and
   * failed ones free their slots too.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { size: 0, waiting: [] };
    this.#queues.set(key, queue);
    this.#size++;
    // A task that ends passes its slot to the next one.
    const isFull = queue.size++ >= this.#atOnce;
    await (isFull ? new Promise<void>((begin) => queue.waiting.push(begin)) : null);
    try {
      return await work();
    } finally {
      this.#size--;
      if (--queue.size === 0) this.#queues.delete(key);
      queue.waiting.shift()?.();
      if (this.#size === 0) for (const notify of this.#idleListeners.splice(0)) notify();
    }
  }

  /** Resolves when no task runs or waits. */
  async idle(): Promise<void> {
    while (this.#size > 0) await new Promise<void>((notify) => this.#idleListeners.push(notify));
  }
}
