import { Refusal } from "#platform/refusal";

type Lookup = { begin: () => void; expire: () => void; askedAt: number };
type Options = {
  /** Lookups that run at once: as many as their pool has connections. */
  concurrency?: number;
  /** Lookups of one address that can wait. */
  waitingPerAddress?: number;
  /** Milliseconds that one can wait: a database that is away would otherwise hold all of them for hours. */
  longestWait?: number;
  now?: () => number;
};

const busy = () => new Refusal("unavailable", "Too many subscriptions are being looked up. Try again in a moment.", { retryAfter: 5 });

/**
 * Runs what packets of sockets have to ask the database: a few lookups at once, one address after the other, so that who asks for
 * thousands of things waits for themselves only.
 */
export class LookupQueue {
  readonly #concurrency: number;
  readonly #waitingPerAddress: number;
  readonly #longestWait: number;
  readonly #now: () => number;
  /** Addresses with lookups that wait, in the order of their turns. */
  readonly #waiting = new Map<string, Lookup[]>();
  #running = 0;

  constructor({ concurrency = 4, waitingPerAddress = 10_000, longestWait = 10_000, now = () => performance.now() }: Options = {}) {
    this.#concurrency = concurrency;
    this.#waitingPerAddress = waitingPerAddress;
    this.#longestWait = longestWait;
    this.#now = now;
  }

  /**
   * What a lookup finds, once it is this address's turn.
   * @throws `unavailable` when too many wait, or when it has waited for too long.
   */
  run<T>(address: string, lookup: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) return this.#start(lookup);
    const own = this.#waiting.get(address) ?? [];
    if (own.length >= this.#waitingPerAddress) return Promise.reject(busy());
    this.#waiting.set(address, own);
    return new Promise((resolve, reject) => {
      own.push({ begin: () => this.#start(lookup).then(resolve, reject), expire: () => reject(busy()), askedAt: this.#now() });
    });
  }

  #start<T>(lookup: () => Promise<T>): Promise<T> {
    this.#running++;
    // Within an async function: what is thrown at once ends a turn too.
    const found = (async () => lookup())();
    const end = () => {
      this.#running--;
      this.#next();
    };
    found.then(end, end);
    return found;
  }

  #next(): void {
    while (this.#running < this.#concurrency) {
      const [turn] = this.#waiting;
      if (!turn) return;
      const [address, own] = turn;
      const lookup = own.shift()!;
      // Whoever had their turn is the last in the row.
      this.#waiting.delete(address);
      if (own.length > 0) this.#waiting.set(address, own);
      if (this.#now() - lookup.askedAt > this.#longestWait) lookup.expire();
      else lookup.begin();
    }
  }
}
