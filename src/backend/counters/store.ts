/** What keeps counters: each of these is one step, which nobody comes between. What is no number or name has been refused before. */
export type Store = {
  /** What a counter stands at, if it is there. */
  read: (name: string) => Promise<bigint | undefined>;
  /** Adds to a counter, which is made where there is none; what it stands at then. */
  add: (name: string, by: bigint) => Promise<bigint | "beyond" | "full">;
  /** Sets a counter to one number if it stands at the other; one that is not there is made, and stands at 0. */
  compareAndSet: (name: string, expected: bigint, update: bigint) => Promise<boolean | "full">;
  reset: (name: string) => Promise<void | "full">;
  /** Names that look like a pattern, in the order of their bytes. */
  list: (pattern: string, most: number) => Promise<string[]>;
  empty: () => Promise<void>;
};

/** Whole numbers of 64 bits. */
export const LEAST = -(2n ** 63n);
export const GREATEST = 2n ** 63n - 1n;
export const MOST = 100_000;
