const CACHE_TIME = 1_000;

/**
 * Caches whether a quota has space left. Counting takes time proportional to the content, so it runs at most
 * once a second; exceeding the quota by a few items does no harm.
 */
export class CachedQuota {
  readonly #hasRoom: () => Promise<boolean>;
  #answer: Promise<boolean> | null = null;
  #until = 0;

  constructor(hasRoom: () => Promise<boolean>) {
    this.#hasRoom = hasRoom;
  }

  /**
   * Runs the given query, or returns its result if it is less than a second old. A failed query is retried.
   */
  async left(): Promise<boolean> {
    const now = performance.now();
    if (this.#answer && now < this.#until) return this.#answer;
    this.#until = now + CACHE_TIME;
    const answer = this.#hasRoom();
    this.#answer = answer;
    answer.catch(() => (this.#answer = null));
    return answer;
  }
}
