import { createHash } from "node:crypto";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompress,
  constants,
  gunzip,
  gzip,
  zstdCompressSync,
  zstdDecompress,
} from "node:zlib";

/**
 * A page for guests, with the content policy of its scripts, in each encoding requested so far (at least
 * one).
 */
export type CachedPage = { policy: string; etag: string; bodies: Partial<Record<Encoding, Buffer>> };
export type Encoding = "identity" | "zstd" | "br" | "gzip";
type CacheEntry = { page: CachedPage; shows: string[]; size: number; madeAt: number };

/** Maximum bytes of cached pages in all encodings; the least recently used one is evicted first. */
const MAX_BYTES = 48_000_000;
/** Milliseconds. Times on a page are relative to its rendering ("3 min ago") and would be wrong later. */
const MAX_AGE = 60_000;

/**
 * Caches rendered pages of guests until one of their cache tags (`discussion:<id>`) changes. A page whose
 * rendering began before a change is not cached.
 */
export class GuestPageCache {
  #pages = new Map<string, CacheEntry>();
  #byThing = new Map<string, Set<string>>();
  #changed = new Map<string, number>();
  #making = new Map<string, Promise<void>>();
  #moment = 0;
  #cleared = 0;
  #bytes = 0;

  get(key: string, now: number): CachedPage | undefined {
    const entry = this.#pages.get(key);
    if (!entry) return undefined;
    if (now - entry.madeAt > MAX_AGE) return void this.#drop(key, entry);
    // Reinserted, since the order of the map is the order of use.
    this.#pages.delete(key);
    this.#pages.set(key, entry);
    return entry.page;
  }

  /** Resolves when the page being rendered for this key is done or has failed; undefined if there is none. */
  making = (key: string): Promise<void> | undefined => this.#making.get(key);

  /**
   * Marks a page as being rendered, so that others wait for it. Call the returned function when it is done or
   * has failed.
   */
  beginMaking(key: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#making.has(key)) this.#making.set(key, promise);
    return () => {
      if (this.#making.get(key) === promise) this.#making.delete(key);
      resolve();
    };
  }

  /** Call before the page's data is read, and pass the result to `keep`. */
  begin = (): number => this.#moment;

  keep(key: string, page: CachedPage, shows: string[], begun: number, now: number): void {
    if (this.#cleared > begun || shows.some((thing) => (this.#changed.get(thing) ?? 0) > begun)) return;
    // Two requests may have rendered it at the same time.
    const before = this.#pages.get(key);
    if (before) this.#drop(key, before);
    const size = entrySize(page);
    this.#pages.set(key, { page, shows, size, madeAt: now });
    this.#bytes += size;
    for (const thing of shows) {
      const keys = this.#byThing.get(thing) ?? new Set();
      this.#byThing.set(thing, keys.add(key));
    }
    for (const [oldest, entry] of this.#pages) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest, entry);
    }
  }

  /** Drops every page with this cache tag. */
  forget(thing: string): void {
    this.#changed.set(thing, ++this.#moment);
    // Old tags only matter to pages still being rendered, and none takes that long.
    if (this.#changed.size > 50_000)
      for (const name of [...this.#changed.keys()].slice(0, 25_000)) this.#changed.delete(name);
    for (const key of this.#byThing.get(thing) ?? []) {
      const entry = this.#pages.get(key);
      if (entry) this.#drop(key, entry);
    }
  }

  clear(): void {
    this.#pages.clear();
    this.#byThing.clear();
    this.#bytes = 0;
    this.#cleared = ++this.#moment;
  }

  get size() {
    return this.#pages.size;
  }

  #drop(key: string, entry: CacheEntry): undefined {
    this.#pages.delete(key);
    this.#bytes -= entry.size;
    for (const thing of entry.shows) {
      const keys = this.#byThing.get(thing);
      keys?.delete(key);
      if (keys?.size === 0) this.#byThing.delete(thing);
    }
  }
}

/** With an allowance for the three compressed bodies it may get, each about a tenth of the plain one. */
const entrySize = ({ bodies }: CachedPage) =>
  bodies.identity ? bodies.identity.length * 1.3 : Object.values(bodies)[0]!.length * 3;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/**
 * Zstandard at 2 and Brotli at 4 give about the size of gzip 9 for a quarter of its work or less. Zstandard
 * runs synchronously, since it is done before another thread would have started; at 3 it allocates half a
 * megabyte per page, which costs more than the 3 % of bytes it saves.
 */
const COMPRESS = {
  zstd: async (body: Buffer) =>
    zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 2 } }),
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => zip(body, { level: 4 }),
};

export const compressHtml = (encoding: Exclude<Encoding, "identity">, html: string): Promise<Buffer> =>
  COMPRESS[encoding](Buffer.from(html));

const DECOMPRESS = {
  zstd: promisify(zstdDecompress),
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
  identity: async (body: Buffer) => body,
};

/**
 * The page in one encoding. Most readers take the one it was first made for; others are derived from that and
 * cached.
 */
export async function encodedBody(encoding: Encoding, { bodies }: CachedPage): Promise<Buffer> {
  const known = bodies[encoding];
  if (known) return known;
  const [first, body] = Object.entries(bodies)[0] as [Encoding, Buffer];
  const plain = await DECOMPRESS[first](body);
  return encoding === "identity" ? plain : (bodies[encoding] = await COMPRESS[encoding](plain));
}

export const createEtag = (html: string) =>
  `"${createHash("sha256").update(html).digest("base64url").slice(0, 24)}"`;
