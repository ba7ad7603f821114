/** Milliseconds since 1970. */
export type Timestamp = number;

/** Storage of the cache. An expired value counts as missing, whether or not it has been deleted. */
export type CacheStore = {
  put: (key: string, text: string, until: Timestamp) => Promise<void | "full">;
  read: (key: string) => Promise<string | undefined>;
  has: (key: string) => Promise<boolean>;
  remove: (key: string) => Promise<void>;
  /** Sets when an existing value expires; does nothing if the key has no value. */
  endAt: (key: string, until: Timestamp) => Promise<void>;
  empty: () => Promise<void>;
};

export const MAX_CACHE_KEYS = 100_000;
