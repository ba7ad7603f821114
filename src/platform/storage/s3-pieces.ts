import { Readable } from "node:stream";
import { notFound } from "#platform/refusal";
import { ID } from "./pieces.ts";
import type { Listed, S3Calls } from "./s3-calls.ts";
import type { Pieces, Stored } from "./storage.ts";

/** Bytes per object. */
const AT_ONCE = 8 * 1024 * 1024;

/**
 * Files that grow in a bucket: objects cannot be appended to, so each file is a series of objects, named by
 * their offset.
 */
export function openS3Pieces(calls: S3Calls, prefix: string, put: (from: Readable, most: number) => Promise<Stored>): Pieces {
  const piecesOf = async (id: string): Promise<Listed[]> => {
    // The id becomes part of an address.
    if (!ID.test(id)) throw notFound();
    const pieces: Listed[] = [];
    for await (const piece of calls.list(`${prefix}/${id}/`)) pieces.push(piece);
    return pieces;
  };
  const sum = (pieces: Listed[]) => pieces.reduce((total, { size }) => total + size, 0);
  const remove = async (id: string) => {
    for (const { key } of await piecesOf(id)) await calls.remove(key);
  };
  return {
    sizeOf: async (id) => {
      const pieces = await piecesOf(id);
      return pieces.length === 0 ? null : sum(pieces);
    },
    append: async (id, from) => addAll(from, sum(await piecesOf(id)), (body, at) => calls.put(`${prefix}/${id}/${nameAt(at)}`, body)),
    async finish(id) {
      const pieces = await piecesOf(id);
      if (pieces.length === 0) throw notFound();
      const stored = await put(Readable.from(contents(calls, pieces), { objectMode: false }), sum(pieces));
      await remove(id);
      return stored;
    },
    remove,
  };
}

/** Names sort in the order of the bytes. */
const nameAt = (at: number) => String(at).padStart(15, "0");

/** Puts the stream in chunks; when it breaks off, what has arrived. Returns the total number of bytes. */
async function addAll(from: Readable, begin: number, put: (body: Buffer, at: number) => Promise<void>): Promise<number> {
  let at = begin;
  let held: Buffer[] = [];
  const send = async () => {
    const body = Buffer.concat(held);
    held = [];
    // An empty upload still creates its first object.
    if (body.length > 0 || at === 0) await put(body, at);
    at += body.length;
  };
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      held.push(chunk);
      if (held.reduce((sum, { length }) => sum + length, 0) >= AT_ONCE) await send();
    }
  } finally {
    await send();
  }
  return at;
}

async function* contents(calls: S3Calls, pieces: readonly Listed[]): AsyncGenerator<Buffer> {
  for (const { key } of pieces) {
    const found = await calls.get(key);
    if (!found) throw notFound();
    yield* found as AsyncIterable<Buffer>;
  }
}
