/** Milliseconds since 1970. */
export type Moment = number;

/** Storage of the cache. An expired value counts as missing, whether or not it has been deleted. */
export type Store = {
  put: (key: string, text: string, until: Moment) => Promise<void | "full">;
  read: (key: string) => Promise<string | undefined>;
  has: (key: string) => Promise<boolean>;
  remove: (key: string) => Promise<void>;
  /** For an existing value only. */
  endAt: (key: string, until: Moment) => Promise<void>;
  empty: () => Promise<void>;
};

export const MOST = 100_000;
