import { ExtensionFault, EXTENSION_ERROR_CODES } from "./extension-errors.ts";

const MAX_STOPS = 3;
const STOP_WINDOW = 60_000;
const OPEN_TIME = 30_000;

/**
 * Suspends parts of extensions that repeatedly had to be stopped, so that other parts can use the threads.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  readonly #stopped = new Map<string, number[]>();
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Refuses calls of a suspended part.
   * @throws `busy`
   */
  assertWell(part: string): void {
    const times = this.#recent(part);
    if (times.length < MAX_STOPS || this.#now() - times.at(-1)! > OPEN_TIME) return;
    throw new ExtensionFault(
      EXTENSION_ERROR_CODES.busy,
      "This has been stopped several times. It can be called again in half a minute.",
      "unavailable",
    );
  }

  /** Records the error of a call. Only calls stopped for exceeding time or memory count. */
  note(part: string, error: unknown): void {
    if (
      !(error instanceof ExtensionFault) ||
      (error.code !== EXTENSION_ERROR_CODES.tooLong && error.code !== EXTENSION_ERROR_CODES.tooMuchMemory)
    )
      return;
    this.#stopped.set(part, [...this.#recent(part), this.#now()].slice(-MAX_STOPS));
  }

  forget(): void {
    this.#stopped.clear();
  }

  #recent = (part: string) => (this.#stopped.get(part) ?? []).filter((at) => this.#now() - at < STOP_WINDOW);
}
