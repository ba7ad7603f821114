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
import { TaggedCache } from "#platform/tagged-cache";

/**
 * A page for guests, with the content policy of its scripts, in each encoding requested so far (at least
 * one).
 */
export type CachedPage = { policy: string; etag: string; bodies: Partial<Record<Encoding, Buffer>> };
export type Encoding = "identity" | "zstd" | "br" | "gzip";

/** Maximum bytes of cached pages in all encodings. */
const MAX_BYTES = 48_000_000;
/** Milliseconds. Times on a page are relative to its rendering ("3 min ago") and would be wrong later. */
const MAX_AGE = 60_000;

/** Rendered pages of guests, each until one of its cache tags changes. */
export class GuestPageCache extends TaggedCache<CachedPage> {
  #making = new Map<string, Promise<void>>();

  constructor() {
    super({ maxBytes: MAX_BYTES, maxAge: MAX_AGE, sizeOf: pageSize });
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
}

/** With an allowance for the three compressed bodies it may get, each about a tenth of the plain one. */
const pageSize = ({ bodies }: CachedPage) =>
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
