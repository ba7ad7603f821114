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
import { entriesOf } from "#platform/objects";

/**
 * A page for guests, with the content policy for its scripts, in each encoding that was requested until now
 * (at least one).
 */
export type CachedPage = { policy: string; etag: string; bodies: Partial<Record<Encoding, Buffer>> };
export type Encoding = "identity" | "zstd" | "br" | "gzip";

/** Maximum bytes of cached pages in all encodings. */
const MAX_BYTES = 48_000_000;
/** Milliseconds for which a page is cached: its times are relative to its rendering ("3 min ago"). */
const MAX_AGE = 60_000;

/** Cache of rendered guest pages. A page is removed when one of its cache tags changes. */
export class GuestPageCache extends TaggedCache<CachedPage> {
  #making = new Map<string, Promise<void>>();

  constructor() {
    super({ maxBytes: MAX_BYTES, maxAge: MAX_AGE, sizeOf: pageSize });
  }

  /**
   * Resolves when the page for this key has been rendered or rendering has failed; undefined if it is not
   * being rendered.
   */
  making = (key: string): Promise<void> | undefined => this.#making.get(key);

  /**
   * Marks a page as being rendered, so that other requests wait for it. The returned function must be called
   * when rendering has ended or failed.
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

/**
 * Estimates the bytes of a page in all encodings: each of the three compressed bodies takes about a tenth of
 * the plain one.
 */
const pageSize = ({ bodies }: CachedPage) =>
  bodies.identity ? bodies.identity.length * 1.3 : Object.values(bodies)[0]!.length * 3;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/**
 * Zstandard at level 2 and Brotli at 4 reach about the size of gzip 9 with at most a quarter of its work.
 * Zstandard runs synchronously, since starting work on another thread takes longer. At level 3 it would save
 * 3 % of the bytes, but allocate half a megabyte per page.
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
 * Returns the page in one encoding. Most clients accept the encoding that was created first; others are
 * derived from it and cached.
 */
export async function encodedBody(encoding: Encoding, { bodies }: CachedPage): Promise<Buffer> {
  const known = bodies[encoding];
  if (known) return known;
  const [first, body] = entriesOf(bodies)[0]!;
  const plain = await DECOMPRESS[first](body!);
  return encoding === "identity" ? plain : (bodies[encoding] = await COMPRESS[encoding](plain));
}

export const createEtag = (html: string) =>
  `"${createHash("sha256").update(html).digest("base64url").slice(0, 24)}"`;
