import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gunzip, gzip, zstdCompressSync, zstdDecompress } from "node:zlib";

/** A page as guests get it, with the policy that fits its scripts; in each encoding that somebody has asked for, at least one. */
export type KeptPage = { policy: string; etag: string; bodies: Partial<Record<Encoding, Buffer>> };
export type Encoding = "identity" | "zstd" | "br" | "gzip";
type Entry = { page: KeptPage; shows: string[]; size: number; madeAt: number };

/** Bytes of pages kept at the most, in all their forms; the one that was used longest ago goes first. */
const MOST_BYTES = 48_000_000;
/** Times on a page are told relative to its making ("3 min ago"): beyond this a page would tell the wrong ones. */
const OLDEST = 60_000;

/**
 * Pages of guests, kept as rendered until something they show changes. A change is told by name (`discussion:<id>`);
 * a page that began to be made before the change is not kept.
 */
export class GuestPages {
  #pages = new Map<string, Entry>();
  #byThing = new Map<string, Set<string>>();
  #changed = new Map<string, number>();
  #making = new Map<string, Promise<void>>();
  #moment = 0;
  #cleared = 0;
  #bytes = 0;

  get(key: string, now: number): KeptPage | undefined {
    const entry = this.#pages.get(key);
    if (!entry) return undefined;
    if (now - entry.madeAt > OLDEST) return void this.#drop(key, entry);
    // Set anew: the map's order is the order of use.
    this.#pages.delete(key);
    this.#pages.set(key, entry);
    return entry.page;
  }

  /** Ends when a page that is being made at this moment has been made, or not; undefined where nobody makes it. */
  making = (key: string): Promise<void> | undefined => this.#making.get(key);

  /** Says that a page is being made, so that others wait for it. What it gives is called when that has ended, however it did. */
  beginMaking(key: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#making.has(key)) this.#making.set(key, promise);
    return () => {
      if (this.#making.get(key) === promise) this.#making.delete(key);
      resolve();
    };
  }

  /** To be asked before the page's data is read; `keep` wants it back. */
  begin = (): number => this.#moment;

  keep(key: string, page: KeptPage, shows: string[], begun: number, now: number): void {
    if (this.#cleared > begun || shows.some((thing) => (this.#changed.get(thing) ?? 0) > begun)) return;
    // Two may have made it at the same moment.
    const before = this.#pages.get(key);
    if (before) this.#drop(key, before);
    const size = sizeOf(page);
    this.#pages.set(key, { page, shows, size, madeAt: now });
    this.#bytes += size;
    for (const thing of shows) {
      const keys = this.#byThing.get(thing) ?? new Set();
      this.#byThing.set(thing, keys.add(key));
    }
    for (const [oldest, entry] of this.#pages) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#drop(oldest, entry);
    }
  }

  /** Something has changed: every page that shows it is made anew when it is next asked for. */
  forget(thing: string): void {
    this.#changed.set(thing, ++this.#moment);
    // Names of long ago only matter to pages still being made; none takes that long.
    if (this.#changed.size > 50_000) for (const name of [...this.#changed.keys()].slice(0, 25_000)) this.#changed.delete(name);
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

  #drop(key: string, entry: Entry): undefined {
    this.#pages.delete(key);
    this.#bytes -= entry.size;
    for (const thing of entry.shows) {
      const keys = this.#byThing.get(thing);
      keys?.delete(key);
      if (keys?.size === 0) this.#byThing.delete(thing);
    }
  }
}

/** With room for the three compressed forms it may come to have, each about a tenth of the plain one. */
const sizeOf = ({ bodies }: KeptPage) => (bodies.identity ? bodies.identity.length * 1.3 : Object.values(bodies)[0]!.length * 3);

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/**
 * Zstandard at 2 and Brotli at 4 give about the bytes of gzip 9 for a quarter of its work and less. The first is done before another thread would
 * have begun; at 3 it takes half a megabyte from the system for each page, which costs more than the three bytes in a hundred that it saves.
 */
const SQUEEZE = {
  zstd: async (body: Buffer) => zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 2 } }),
  br: (body: Buffer) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => zip(body, { level: 4 }),
};

export const squeezed = (encoding: Exclude<Encoding, "identity">, html: string): Promise<Buffer> => SQUEEZE[encoding](Buffer.from(html));

const OPEN = {
  zstd: promisify(zstdDecompress),
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
  identity: async (body: Buffer) => body,
};

/** The page in one encoding. Most readers take the one it was first made for; others are made from that, and kept compressed. */
export async function bodyIn(encoding: Encoding, { bodies }: KeptPage): Promise<Buffer> {
  const known = bodies[encoding];
  if (known) return known;
  const [first, body] = Object.entries(bodies)[0] as [Encoding, Buffer];
  const plain = await OPEN[first](body);
  return encoding === "identity" ? plain : (bodies[encoding] = await SQUEEZE[encoding](plain));
}

export const etagOf = (html: string) => `"${createHash("sha256").update(html).digest("base64url").slice(0, 24)}"`;
