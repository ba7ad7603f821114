import { Refusal } from "#platform/refusal";

type Lookup = { begin: () => void; expire: () => void; askedAt: number };
type Options = {
  /** Maximum lookups at the same time; by default as many as their pool has connections. */
  concurrency?: number;
  /** Maximum waiting lookups per address. */
  waitingPerAddress?: number;
  /**
   * Maximum wait in milliseconds; without it lookups would wait for hours while the database is unreachable.
   */
  longestWait?: number;
  now?: () => number;
};

const busyRefusal = () =>
  new Refusal("unavailable", "Too many subscriptions are being looked up. Try again in a moment.", {
    retryAfter: 5,
  });

/**
 * Runs database lookups for socket packets, a few at a time. Addresses take turns, so that a client with
 * thousands of requests delays only itself.
 */
export class LookupQueue {
  readonly #concurrency: number;
  readonly #waitingPerAddress: number;
  readonly #longestWait: number;
  readonly #now: () => number;
  /** Waiting lookups by address, in the order of turns. */
  readonly #waiting = new Map<string, Lookup[]>();
  #running = 0;

  constructor({
    concurrency = 4,
    waitingPerAddress = 10_000,
    longestWait = 10_000,
    now = () => performance.now(),
  }: Options = {}) {
    this.#concurrency = concurrency;
    this.#waitingPerAddress = waitingPerAddress;
    this.#longestWait = longestWait;
    this.#now = now;
  }

  /**
   * Runs a lookup when it is the turn of its address, and returns the result.
   * @throws `unavailable` when too many lookups wait, or after too long a wait
   */
  run<T>(address: string, lookup: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) return this.#start(lookup);
    const own = this.#waiting.get(address) ?? [];
    if (own.length >= this.#waitingPerAddress) return Promise.reject(busyRefusal());
    this.#waiting.set(address, own);
    return new Promise((resolve, reject) => {
      own.push({
        begin: () => this.#start(lookup).then(resolve, reject),
        expire: () => reject(busyRefusal()),
        askedAt: this.#now(),
      });
    });
  }

  #start<T>(lookup: () => Promise<T>): Promise<T> {
    this.#running++;
    // The async function turns a synchronous error into a rejection, so that the slot is freed then as well.
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
      // An address moves to the end after its turn.
      this.#waiting.delete(address);
      if (own.length > 0) this.#waiting.set(address, own);
      if (this.#now() - lookup.askedAt > this.#longestWait) lookup.expire();
      else lookup.begin();
    }
  }
}
