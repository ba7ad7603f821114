const MINUTE = 60_000;

type ErrorLog = { error: (facts: object, sentence: string) => void };

/**
 * Logs failures of one kind: the first with its stack, those of each following minute as one line with their
 * count. Otherwise a client that can cause failures deliberately could fill the disk.
 */
export class FailureDigest {
  readonly #log: ErrorLog;
  readonly #sentence: string;
  #timer: NodeJS.Timeout | null = null;
  #count = 0;
  #last: unknown = null;

  constructor(log: ErrorLog, sentence: string) {
    this.#log = log;
    this.#sentence = sentence;
  }

  report(error: unknown): void {
    if (this.#timer === null) {
      this.#log.error({ err: error }, this.#sentence);
      return this.#wait();
    }
    this.#count++;
    this.#last = error;
  }

  /** Logs the pending count. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writeDue();
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#writeDue()) this.#wait();
    }, MINUTE).unref();
  }

  #writeDue(): boolean {
    if (this.#count === 0) return false;
    const { message } = this.#last instanceof Error ? this.#last : { message: String(this.#last) };
    this.#log.error({ count: this.#count, last: message }, this.#sentence);
    this.#count = 0;
    this.#last = null;
    return true;
  }
}
