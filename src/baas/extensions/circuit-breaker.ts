import { ExtensionFault, FAULTS } from "./extension-errors.ts";

const MAX_STOPS = 3;
const STOP_WINDOW = 60_000;
const OPEN_TIME = 30_000;

/** Suspends parts that had to be stopped repeatedly, so that their resources are free for others. */
export class CircuitBreaker {
  readonly #now: () => number;
  readonly #stopped = new Map<string, number[]>();
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @throws `busy` for a suspended part */
  assertWell(part: string): void {
    const times = this.#recent(part);
    if (times.length < MAX_STOPS || this.#now() - times.at(-1)! > OPEN_TIME) return;
    throw new ExtensionFault(
      FAULTS.busy,
      "This has been stopped several times. It can be called again in half a minute.",
      "unavailable",
    );
  }

  /** Records the error of a call; only stops for time or memory count. */
  note(part: string, error: unknown): void {
    if (
      !(error instanceof ExtensionFault) ||
      (error.code !== FAULTS.tooLong && error.code !== FAULTS.tooMuchMemory)
    )
      return;
    this.#stopped.set(part, [...this.#recent(part), this.#now()].slice(-MAX_STOPS));
  }

  forget(): void {
    this.#stopped.clear();
  }

  #recent = (part: string) => (this.#stopped.get(part) ?? []).filter((at) => this.#now() - at < STOP_WINDOW);
}
