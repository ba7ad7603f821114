const ASKED_AGAIN_AFTER = 1_000;

/**
 * Whether there is room for more of something. Counting costs as much as there is, and so it is done once a second at most: a few too
 * many are no harm.
 */
export class Room {
  readonly #hasRoom: () => Promise<boolean>;
  #answer: Promise<boolean> | null = null;
  #until = 0;

  constructor(hasRoom: () => Promise<boolean>) {
    this.#hasRoom = hasRoom;
  }

  /** Asks what was given, or remembers what it said within the last second. A question that failed is asked again. */
  async left(): Promise<boolean> {
    const now = performance.now();
    if (this.#answer && now < this.#until) return this.#answer;
    this.#until = now + ASKED_AGAIN_AFTER;
    const answer = this.#hasRoom();
    this.#answer = answer;
    answer.catch(() => (this.#answer = null));
    return answer;
  }
}
