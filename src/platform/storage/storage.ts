import type { Readable } from "node:stream";

/** What storage keeps is named by the SHA-256 of its bytes: the same bytes are kept once and never change. */
export type Stored = { hash: string; size: number };
/** Bytes `from` to `to`, both included, as in HTTP. */
export type Range = { from: number; to: number };

export type Storage = {
  /**
   * Keeps a stream without ever holding it whole in memory. Throws the refusal `too-large` as soon as more than
   * `mostBytes` have come; nothing is kept then, nor when the stream breaks off.
   */
  put: (from: Readable, mostBytes: number) => Promise<Stored>;
  /** The bytes under a hash, or a range of them. Throws `not-found` when there are none. */
  open: (hash: string, range?: Range) => Promise<Readable>;
  /** The size in bytes, or null when there is nothing under the hash. */
  sizeOf: (hash: string) => Promise<number | null>;
  remove: (hash: string) => Promise<void>;
};
