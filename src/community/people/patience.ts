import { HOUR, SECOND } from "#platform/clock";
import { tooMany } from "#platform/limits";

type Failures = { count: number; last: number };

const MOST_KEPT = 50_000;

/**
 * Remembers failed tries by account and place, and asks for more patience with each: ten seconds after two failures,
 * twenty after six. Nobody is made to wait inside a request; who comes too early is told when to come back.
 */
export class Patience {
  #failures = new Map<string, Failures>();
  #now: () => Date;
  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Takes a try as failed until `forgive` is called, so that a hundred tries at the same moment do not all slip
   * through. Throws `too-many` when it comes too early, which does not count as a try.
   */
  begin(key: string): void {
    const now = this.#now().getTime();
    const known = this.#recent(key, now);
    const wait = known.last + pauseAfter(known.count) - now;
    if (wait > 0) throw tooMany(Math.ceil(wait / SECOND));
    this.#failures.delete(key);
    this.#failures.set(key, { count: known.count + 1, last: now });
    this.#shrink();
  }

  /** The try went well: nothing is held against this key any more. */
  forgive = (key: string) => void this.#failures.delete(key);

  #recent(key: string, now: number): Failures {
    const known = this.#failures.get(key);
    return known && now - known.last < HOUR ? known : { count: 0, last: 0 };
  }

  /** A map keeps the order of writing: its first key is the one that was quiet for longest. */
  #shrink() {
    if (this.#failures.size <= MOST_KEPT) return;
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}

const pauseAfter = (failures: number) => (failures < 2 ? 0 : failures < 6 ? 10 * SECOND : 20 * SECOND);
