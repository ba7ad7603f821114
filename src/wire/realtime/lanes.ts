/** What may wait to be told. More means that telling has stood still: then everybody reads anew instead. */
const MOST_WAITING = 2_000;

/** Runs work in lanes: in one lane one after the other, in the order in which it came; lanes beside each other. */
export class Lanes {
  #lanes = new Map<string, Promise<void>>();
  #waiting = 0;
  #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  run(lane: string, work: () => Promise<void>): void {
    if (this.#waiting >= MOST_WAITING) return this.#onFailure(new Error("too much waits to be told"));
    this.#waiting += 1;
    const before = this.#lanes.get(lane);
    const done = (before ? before.then(work) : work()).catch(this.#onFailure).finally(() => {
      this.#waiting -= 1;
      if (this.#lanes.get(lane) === done) this.#lanes.delete(lane);
    });
    this.#lanes.set(lane, done);
  }

  /** When nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes.values());
  }
}
