import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { createPartialFileStore } from "./partial-files.ts";
import type { StoredFile, ByteRange, Storage, StoredContent } from "./storage.ts";

export const HASH_PATTERN = /^[0-9a-f]{64}$/;

/**
 * Creates a storage in a folder. Files are written to a temporary file and renamed to `ab/cd/<hash>`, so that
 * a crash leaves no partial file.
 */
export function createFolderStorage(root: string): Storage {
  return {
    put: (from, mostBytes) => storeFile(root, from, mostBytes),
    open: (hash, range) => readStored(root, hash, range),
    sizeOf: async (hash) => (await fileSize(hashPath(root, hash))) ?? null,
    remove: (hash) => rm(hashPath(root, hash), { force: true }),
    list: (digit = "") => listStored(root, digit),
    tidy: (before) => removeOldFiles(join(root, "incoming"), before),
    pieces: createPartialFileStore(join(root, "pieces"), (path, stored) => moveIntoPlace(root, path, stored)),
  };
}

function hashPath(root: string, hash: string): string {
  // The hash becomes part of a path, so only hexadecimal digits are allowed.
  if (!HASH_PATTERN.test(hash)) throw notFound();
  return join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
}

async function storeFile(root: string, from: Readable, mostBytes: number): Promise<StoredContent> {
  const beside = join(root, "incoming", randomUUID());
  await mkdir(dirname(beside), { recursive: true });
  const measure = new HashingLimit(mostBytes);
  try {
    await pipeline(from, measure, createWriteStream(beside, { flags: "wx" }));
    const stored = measure.result();
    await moveIntoPlace(root, beside, stored);
    return stored;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Moves a complete file to the path of its hash. */
async function moveIntoPlace(root: string, path: string, { hash }: StoredContent): Promise<void> {
  const place = hashPath(root, hash);
  await mkdir(dirname(place), { recursive: true });
  await flushToDisk(path);
  await rename(path, place);
}

/** Flushes the bytes to disk before the database row that refers to them is written. */
async function flushToDisk(path: string) {
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}

async function readStored(root: string, hash: string, range?: ByteRange): Promise<Readable> {
  const path = hashPath(root, hash);
  if ((await fileSize(path)) === undefined) throw notFound();
  return createReadStream(path, range && { start: range.from, end: range.to });
}

const fileSize = (path: string) =>
  stat(path).then(
    (it) => it.size,
    () => undefined,
  );

async function* listStored(root: string, digit: string): AsyncGenerator<StoredFile> {
  for (const first of await listNames(root, /^[0-9a-f]{2}$/))
    if (first.startsWith(digit))
      for (const second of await listNames(join(root, first), /^[0-9a-f]{2}$/))
        for (const hash of await listNames(join(root, first, second), HASH_PATTERN)) {
          const found = await stat(hashPath(root, hash)).catch(defaultIfMissing(null));
          if (found) yield { hash, size: found.size, changedAt: found.mtime };
        }
}

const listNames = async (folder: string, like: RegExp) =>
  (await readdir(folder).catch(defaultIfMissing<string[]>([]))).filter((name) => like.test(name));

/** A missing folder counts as empty; an unreadable one is an error. */
const defaultIfMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };

async function removeOldFiles(folder: string, before: Date): Promise<void> {
  for (const name of await listNames(folder, /./)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && found.mtime < before) await rm(join(folder, name), { force: true });
  }
}

export const tooLargeRefusal = (most: number) =>
  new Refusal(
    "too-large",
    msg("This file is larger than {count} MB.", { count: Math.floor(most / 1_000_000) }),
  );

/** Hashes and counts the bytes of a stream, and ends it above the limit. */
class HashingLimit extends Transform {
  #hash = createHash("sha256");
  #size = 0;
  #most: number;
  constructor(most: number) {
    super();
    this.#most = most;
  }
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void) {
    this.#size += chunk.length;
    if (this.#size > this.#most) return done(tooLargeRefusal(this.#most));
    this.#hash.update(chunk);
    done(null, chunk);
  }
  result = (): StoredContent => ({ hash: this.#hash.digest("hex"), size: this.#size });
}
