/** Storage of counters. Every call is atomic; the caller has validated names and numbers. */
export type CounterStore = {
  /** Returns the value of a counter, undefined if it does not exist. */
  read: (name: string) => Promise<bigint | undefined>;
  /** Adds to a counter, creating it if missing; returns the new value. */
  add: (name: string, by: bigint) => Promise<bigint | "beyond" | "full">;
  /** Sets a counter if it has the expected value. A missing counter counts as 0 and is created. */
  compareAndSet: (name: string, expected: bigint, update: bigint) => Promise<boolean | "full">;
  reset: (name: string) => Promise<void | "full">;
  /** Lists names that match a pattern, in byte order, at most `most`. */
  list: (pattern: string, most: number) => Promise<string[]>;
  empty: () => Promise<void>;
};

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_COUNTERS = 100_000;
