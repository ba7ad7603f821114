export type CacheOptions<T> = {
  /** Maximum bytes of all values; the least recently used one is evicted first. */
  maxBytes: number;
  /** Milliseconds after which a value is no longer returned. */
  maxAge: number;
  /** Returns the bytes of a value; called when the value is stored. */
  sizeOf: (value: T) => number;
};
type CacheEntry<T> = { value: T; tags: string[]; size: number; madeAt: number };

/**
 * Counts since the process started, and the current size; `misses` is the number of values that had to be
 * computed.
 */
export type CacheStatistics = { hits: number; misses: number; evictions: number; bytes: number };

/**
 * Caches values in memory until one of their cache tags (`discussion:<id>`) changes. A value is not stored
 * when a tag has changed since its computation began.
 */
export class TaggedCache<T> {
  readonly #options: CacheOptions<T>;
  readonly #statistics: CacheStatistics = { hits: 0, misses: 0, evictions: 0, bytes: 0 };
  #entries = new Map<string, CacheEntry<T>>();
  #keysByTag = new Map<string, Set<string>>();
  #changes = new Map<string, number>();
  #moment = 0;
  #cleared = 0;

  constructor(options: CacheOptions<T>) {
    this.#options = options;
  }

  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now - entry.madeAt > this.#options.maxAge) return void this.#drop(key, entry);
    // The entry is reinserted, because the order of the map is the order of use.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#statistics.hits++;
    return entry.value;
  }

  /** Call it before the data of a value is read, and pass the result to `keep`. */
  begin = (): number => this.#moment;

  keep(key: string, value: T, tags: string[], begun: number, now: number): void {
    this.#statistics.misses++;
    if (this.#cleared > begun || tags.some((tag) => (this.#changes.get(tag) ?? 0) > begun)) return;
    // Two requests may have computed the value at the same time.
    const before = this.#entries.get(key);
    if (before) this.#drop(key, before);
    const size = this.#options.sizeOf(value);
    this.#entries.set(key, { value, tags, size, madeAt: now });
    this.#statistics.bytes += size;
    for (const tag of tags) {
      const keys = this.#keysByTag.get(tag) ?? new Set();
      this.#keysByTag.set(tag, keys.add(key));
    }
    for (const [oldest, entry] of this.#entries) {
      if (this.#statistics.bytes <= this.#options.maxBytes) return;
      this.#statistics.evictions++;
      this.#drop(oldest, entry);
    }
  }

  /** Drops every value with this cache tag. */
  forget(tag: string): void {
    this.#changes.set(tag, ++this.#moment);
    // Old tags matter only to values that are still being computed, and no computation takes that long.
    if (this.#changes.size > 50_000)
      for (const name of [...this.#changes.keys()].slice(0, 25_000)) this.#changes.delete(name);
    for (const key of this.#keysByTag.get(tag) ?? []) {
      const entry = this.#entries.get(key);
      if (entry) this.#drop(key, entry);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#keysByTag.clear();
    this.#statistics.bytes = 0;
    this.#cleared = ++this.#moment;
  }

  get size(): number {
    return this.#entries.size;
  }

  get statistics(): Readonly<CacheStatistics> {
    return this.#statistics;
  }

  #drop(key: string, entry: CacheEntry<T>): undefined {
    this.#entries.delete(key);
    this.#statistics.bytes -= entry.size;
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByTag.delete(tag);
    }
  }
}
