import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { notFound, Refusal } from "#platform/refusal";
import { openPieces } from "./pieces.ts";
import type { Kept, Range, Storage, Stored } from "./storage.ts";

export const HASH = /^[0-9a-f]{64}$/;

/**
 * Storage in a folder: `ab/cd/<hash>`, written to a temporary file and renamed, so that a crash leaves no
 * partial file.
 */
export function openFolder(root: string): Storage {
  return {
    put: (from, mostBytes) => keep(root, from, mostBytes),
    open: (hash, range) => read(root, hash, range),
    sizeOf: async (hash) => (await sizeAt(placeOf(root, hash))) ?? null,
    remove: (hash) => rm(placeOf(root, hash), { force: true }),
    list: (digit = "") => all(root, digit),
    tidy: (before) => tidy(join(root, "incoming"), before),
    pieces: openPieces(join(root, "pieces"), (path, stored) => settle(root, path, stored)),
  };
}

function placeOf(root: string, hash: string): string {
  // The hash becomes part of a path: only hexadecimal digits may pass.
  if (!HASH.test(hash)) throw notFound();
  return join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
}

async function keep(root: string, from: Readable, mostBytes: number): Promise<Stored> {
  const beside = join(root, "incoming", randomUUID());
  await mkdir(dirname(beside), { recursive: true });
  const measure = new Measure(mostBytes);
  try {
    await pipeline(from, measure, createWriteStream(beside, { flags: "wx" }));
    const stored = measure.result();
    await settle(root, beside, stored);
    return stored;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Moves a complete file to the path of its hash. */
async function settle(root: string, path: string, { hash }: Stored): Promise<void> {
  const place = placeOf(root, hash);
  await mkdir(dirname(place), { recursive: true });
  await flush(path);
  await rename(path, place);
}

/** The bytes are on disk before the row that names them. */
async function flush(path: string) {
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}

async function read(root: string, hash: string, range?: Range): Promise<Readable> {
  const place = placeOf(root, hash);
  if ((await sizeAt(place)) === undefined) throw notFound();
  return createReadStream(place, range && { start: range.from, end: range.to });
}

const sizeAt = (path: string) =>
  stat(path).then(
    (it) => it.size,
    () => undefined,
  );

async function* all(root: string, digit: string): AsyncGenerator<Kept> {
  for (const first of await namesIn(root, /^[0-9a-f]{2}$/))
    if (first.startsWith(digit))
      for (const second of await namesIn(join(root, first), /^[0-9a-f]{2}$/))
        for (const hash of await namesIn(join(root, first, second), HASH)) {
          const found = await stat(placeOf(root, hash)).catch(unlessMissing(null));
          if (found) yield { hash, size: found.size, changedAt: found.mtime };
        }
}

const namesIn = async (folder: string, like: RegExp) =>
  (await readdir(folder).catch(unlessMissing<string[]>([]))).filter((name) => like.test(name));

/** A missing folder is empty; an unreadable one is an error. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return instead;
    throw error;
  };

async function tidy(folder: string, before: Date): Promise<void> {
  for (const name of await namesIn(folder, /./)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && found.mtime < before) await rm(join(folder, name), { force: true });
  }
}

export const tooMuch = (most: number) => new Refusal("too-large", `That is larger than ${Math.floor(most / 1_000_000)} MB.`);

/** Hashes and counts the stream, and stops it above the limit. */
class Measure extends Transform {
  #hash = createHash("sha256");
  #size = 0;
  #most: number;
  constructor(most: number) {
    super();
    this.#most = most;
  }
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void) {
    this.#size += chunk.length;
    if (this.#size > this.#most) return done(tooMuch(this.#most));
    this.#hash.update(chunk);
    done(null, chunk);
  }
  result = (): Stored => ({ hash: this.#hash.digest("hex"), size: this.#size });
}
