import { Readable } from "node:stream";
import { notFound } from "#platform/refusal";
import { PARTIAL_FILE_ID } from "./partial-files.ts";
import type { ListedObject, S3Client } from "./s3-client.ts";
import type { PartialFiles, StoredContent } from "./storage.ts";

/** Maximum bytes of one object. */
const CHUNK_SIZE = 8 * 1024 * 1024;

/**
 * Opens growing files in a bucket. Objects cannot be appended to, so each file is a series of objects, named
 * by their offset.
 */
export function openS3PartialFiles(
  client: S3Client,
  prefix: string,
  put: (from: Readable, most: number) => Promise<StoredContent>,
): PartialFiles {
  const piecesOf = async (id: string): Promise<ListedObject[]> => {
    // The id becomes part of an address, so its form is checked.
    if (!PARTIAL_FILE_ID.test(id)) throw notFound();
    const pieces: ListedObject[] = [];
    for await (const piece of client.list(`${prefix}/${id}/`)) pieces.push(piece);
    return pieces;
  };
  const sum = (pieces: ListedObject[]) => pieces.reduce((total, { size }) => total + size, 0);
  const remove = async (id: string) => {
    for (const { key } of await piecesOf(id)) await client.remove(key);
  };
  return {
    sizeOf: async (id) => {
      const pieces = await piecesOf(id);
      return pieces.length === 0 ? null : sum(pieces);
    },
    append: async (id, from) =>
      putChunks(from, sum(await piecesOf(id)), (body, at) =>
        client.put(`${prefix}/${id}/${offsetName(at)}`, body),
      ),
    async finish(id) {
      const pieces = await piecesOf(id);
      if (pieces.length === 0) throw notFound();
      const stored = await put(Readable.from(readChunks(client, pieces), { objectMode: false }), sum(pieces));
      await remove(id);
      return stored;
    },
    remove,
  };
}

/** Pads offsets, so that the names sort in the order of the bytes. */
const offsetName = (at: number) => String(at).padStart(15, "0");

/**
 * Stores the stream in chunks; when it breaks off, the bytes that have arrived are stored. Returns the total
 * number of bytes.
 */
async function putChunks(
  from: Readable,
  begin: number,
  put: (body: Buffer, at: number) => Promise<void>,
): Promise<number> {
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
      if (held.reduce((sum, { length }) => sum + length, 0) >= CHUNK_SIZE) await send();
    }
  } finally {
    await send();
  }
  return at;
}

async function* readChunks(client: S3Client, pieces: readonly ListedObject[]): AsyncGenerator<Buffer> {
  for (const { key } of pieces) {
    const found = await client.get(key);
    if (!found) throw notFound();
    yield* found as AsyncIterable<Buffer>;
  }
}
