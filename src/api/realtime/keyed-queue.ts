/** Maximum queued work. More means that delivery hangs: then all clients reload instead. */
const MAX_QUEUED = 2_000;

/** Runs work per key in order of arrival; keys run in parallel. */
export class KeyedQueue {
  #lanes = new Map<string, Promise<void>>();
  #waiting = 0;
  #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  run(lane: string, work: () => Promise<void>): void {
    if (this.#waiting >= MAX_QUEUED) return this.#onFailure(new Error("too many events wait for delivery"));
    this.#waiting += 1;
    const before = this.#lanes.get(lane);
    const done = (before ? before.then(work) : work()).catch(this.#onFailure).finally(() => {
      this.#waiting -= 1;
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane);
    });
    this.#lanes.set(lane, done);
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes.values());
  }
}
