import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { notFound, Refusal } from "#platform/refusal";
import type { Range, Storage, Stored } from "./storage.ts";

const HASH = /^[0-9a-f]{64}$/;

/** Storage in a folder: `ab/cd/<hash>`, written beside and moved into place, so that a crash leaves no half file. */
export function openFolder(root: string): Storage {
  return {
    put: (from, mostBytes) => keep(root, from, mostBytes),
    open: (hash, range) => read(root, hash, range),
    sizeOf: async (hash) => (await sizeAt(placeOf(root, hash))) ?? null,
    remove: (hash) => rm(placeOf(root, hash), { force: true }),
  };
}

function placeOf(root: string, hash: string): string {
  // A hash is part of a path here: nothing but hexadecimal digits gets through.
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
    const place = placeOf(root, stored.hash);
    await mkdir(dirname(place), { recursive: true });
    await flush(beside);
    await rename(beside, place);
    return stored;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** The bytes are on the disk before the row that names them is. */
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

/** Hashes and counts what passes through, and stops it when it grows too large. */
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
    if (this.#size > this.#most) return done(new Refusal("too-large", `That is larger than ${Math.floor(this.#most / 1_000_000)} MB.`));
    this.#hash.update(chunk);
    done(null, chunk);
  }
  result = (): Stored => ({ hash: this.#hash.digest("hex"), size: this.#size });
}
