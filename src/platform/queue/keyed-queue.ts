/**
 * Runs work of a key in order of arrival, `atOnce` at a time; keys run in parallel. A class, because it keeps
 * the queues.
 */
export class KeyedQueue {
  readonly #atOnce: number;
  readonly #queues = new Map<string, { size: number; waiting: (() => void)[] }>();
  #size = 0;
  #idleListeners: (() => void)[] = [];

  constructor(atOnce = 1) {
    this.#atOnce = atOnce;
  }

  /** Number of works that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** Number of works of a key that run or wait. */
  sizeOf(key: string): number {
    return this.#queues.get(key)?.size ?? 0;
  }

  /** Result of `work`, which begins once earlier work of the key, failed or not, leaves it a place. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { size: 0, waiting: [] };
    this.#queues.set(key, queue);
    this.#size++;
    // A work that ends gives its place to the next one.
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

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#size > 0) await new Promise<void>((notify) => this.#idleListeners.push(notify));
  }
}
