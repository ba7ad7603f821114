/** Milliseconds since 1970. */
export type Moment = number;

/** What keeps the cache. A value that has ended is not there, whether it has been cleared away or not. */
export type Store = {
  put: (key: string, text: string, until: Moment) => Promise<void | "full">;
  read: (key: string) => Promise<string | undefined>;
  has: (key: string) => Promise<boolean>;
  remove: (key: string) => Promise<void>;
  /** Of a value that is there. */
  endAt: (key: string, until: Moment) => Promise<void>;
  empty: () => Promise<void>;
};

export const MOST = 100_000;
