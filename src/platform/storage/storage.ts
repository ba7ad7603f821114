import type { Readable } from "node:stream";

/** Files are named by the SHA-256 of their bytes: the same bytes are stored once and never change. */
export type StoredContent = { hash: string; size: number };
/** Bytes `from` to `to`, both included, as in HTTP. */
export type ByteRange = { from: number; to: number };

/** Files that arrive in chunks, perhaps over days, under ids chosen by the caller. */
export type PartialFiles = {
  /** Returns the number of bytes so far, or null when the upload has not begun. */
  sizeOf: (id: string) => Promise<number | null>;
  /**
   * Appends the stream and returns the new size. When the stream breaks off, the bytes that have arrived
   * stay.
   */
  append: (id: string, from: Readable) => Promise<number>;
  /**
   * Stores all bytes of the upload as one file.
   * @throws `not-found` when the upload has no bytes
   */
  finish: (id: string) => Promise<StoredContent>;
  remove: (id: string) => Promise<void>;
};

/** A stored file with its size and the time it was last stored. */
export type StoredFile = { hash: string; size: number; changedAt: Date };

export type Storage = {
  /**
   * Stores a stream without holding all of it in memory. Nothing is stored after an error or a broken stream.
   * @throws `too-large` as soon as more than `mostBytes` have arrived
   */
  put: (from: Readable, mostBytes: number) => Promise<StoredContent>;
  /**
   * Opens the file with this hash, or a range of it.
   * @throws `not-found`
   */
  open: (hash: string, range?: ByteRange) => Promise<Readable>;
  /** Returns the size in bytes, or null when the hash is unknown. */
  sizeOf: (hash: string) => Promise<number | null>;
  remove: (hash: string) => Promise<void>;
  /** Lists all files, or those whose hash begins with `digit`, in no particular order. */
  list: (digit?: string) => AsyncIterable<StoredFile>;
  /** Deletes uploads that began before `before` and were not finished because their process ended. */
  tidy: (before: Date) => Promise<void>;
  pieces: PartialFiles;
};
