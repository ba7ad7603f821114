/** Storage of counters; every call is atomic. Invalid names and numbers have been rejected before. */
export type CounterStore = {
  /** The value of a counter, if it exists. */
  read: (name: string) => Promise<bigint | undefined>;
  /** Adds to a counter, creating it if missing; returns the new value. */
  add: (name: string, by: bigint) => Promise<bigint | "beyond" | "full">;
  /** Sets a counter if it has the expected value; a missing one is created with 0. */
  compareAndSet: (name: string, expected: bigint, update: bigint) => Promise<boolean | "full">;
  reset: (name: string) => Promise<void | "full">;
  /** Names that match a pattern, in byte order. */
  list: (pattern: string, most: number) => Promise<string[]>;
  empty: () => Promise<void>;
};

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_COUNTERS = 100_000;
