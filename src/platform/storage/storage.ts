import type { Readable } from "node:stream";

/** What storage keeps is named by the SHA-256 of its bytes: the same bytes are kept once and never change. */
export type Stored = { hash: string; size: number };
/** Bytes `from` to `to`, both included, as in HTTP. */
export type Range = { from: number; to: number };

/** Files whose bytes come in pieces, perhaps over days, under ids of the caller's. */
export type Pieces = {
  /** How many bytes have come, or null where nothing was begun. */
  sizeOf: (id: string) => Promise<number | null>;
  /** Adds what comes; also where it breaks off, the bytes that have come stay. Returns how many there are now. */
  append: (id: string, from: Readable) => Promise<number>;
  /** Keeps all that has come as one file. Throws `not-found` where nothing has. */
  finish: (id: string) => Promise<Stored>;
  remove: (id: string) => Promise<void>;
};

/** Something that is kept, how many bytes it has, and since when. */
export type Kept = { hash: string; size: number; changedAt: Date };

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
  /** All that is kept, or all whose hash begins with a certain digit, in no order. */
  list: (digit?: string) => AsyncIterable<Kept>;
  /** Clears away what began to come before a moment, and never came whole since its process ended. */
  tidy: (before: Date) => Promise<void>;
  pieces: Pieces;
};
