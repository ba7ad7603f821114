import { createHash, type Hash, randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { notFound } from "#platform/refusal";
import { HASH_PATTERN, tooLargeRefusal } from "./folder-storage.ts";
import { type Bucket, S3Client } from "./s3-client.ts";
import { openS3PartialFiles } from "./s3-partial-files.ts";
import type { ByteRange, Storage, StoredContent } from "./storage.ts";

/** Bytes of one part: the memory used per incoming file, and more than the minimum that S3 accepts. */
const PART_SIZE = 8 * 1024 * 1024;
/** Maximum bytes of one copy. */
const MAX_COPY_SIZE = 5_000_000_000;

/**
 * Opens a storage in a bucket, below `prefix`. A file smaller than a part is stored at once; a larger one
 * gets its name when it is complete.
 */
export function openS3Storage(
  bucket: Bucket,
  prefix: string,
  { copiedAtOnce = MAX_COPY_SIZE } = {},
): Storage {
  const client = new S3Client(bucket);
  const keyOf = (hash: string) => {
    // The hash becomes part of an address, so its form is checked.
    if (!HASH_PATTERN.test(hash)) throw notFound();
    return `${prefix}/bytes/${hash}`;
  };
  const put = (from: Readable, mostBytes: number) =>
    new IncomingObject(client, { prefix, keyOf, mostBytes, copiedAtOnce }).take(from);
  return {
    put,
    open: async (hash, range) => readObject(client, keyOf(hash), range),
    sizeOf: async (hash) => client.size(keyOf(hash)),
    remove: async (hash) => client.remove(keyOf(hash)),
    async *list(digit = "") {
      for await (const { key, size, changedAt } of client.list(`${prefix}/bytes/${digit}`))
        yield { hash: key.split("/").at(-1)!, size, changedAt };
    },
    async tidy(before) {
      for await (const { key, changedAt } of client.list(`${prefix}/incoming/`))
        if (changedAt < before) await client.remove(key);
    },
    pieces: openS3PartialFiles(client, `${prefix}/pieces`, put),
  };
}

async function readObject(client: S3Client, key: string, range?: ByteRange): Promise<Readable> {
  const found = await client.get(key, range);
  if (!found) throw notFound();
  return found;
}

type UploadOptions = {
  prefix: string;
  keyOf: (hash: string) => string;
  mostBytes: number;
  copiedAtOnce: number;
};

/** An incoming file: the current part is in memory, earlier ones are in the bucket. */
class IncomingObject {
  readonly #calls: S3Client;
  readonly #given: UploadOptions;
  readonly #hash: Hash = createHash("sha256");
  readonly #place: string;
  #size = 0;
  #held: Buffer[] = [];
  #holds = 0;
  #upload: string | null = null;
  #tags: string[] = [];

  constructor(client: S3Client, options: UploadOptions) {
    this.#calls = client;
    this.#given = options;
    this.#place = `${options.prefix}/incoming/${randomUUID()}`;
  }

  async take(from: Readable): Promise<StoredContent> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) await this.#add(chunk);
      return await this.#end();
    } catch (error) {
      if (this.#upload) await this.#calls.dropParts(this.#place, this.#upload).catch(() => {});
      throw error;
    }
  }

  async #add(chunk: Buffer) {
    this.#size += chunk.length;
    if (this.#size > this.#given.mostBytes) throw tooLargeRefusal(this.#given.mostBytes);
    this.#hash.update(chunk);
    this.#held.push(chunk);
    this.#holds += chunk.length;
    if (this.#holds >= PART_SIZE) await this.#sendPart();
  }

  async #sendPart() {
    this.#upload ??= await this.#calls.beginParts(this.#place);
    const body = Buffer.concat(this.#held);
    this.#held = [];
    this.#holds = 0;
    this.#tags.push(
      await this.#calls.putPart(this.#place, this.#upload, { number: this.#tags.length + 1, body }),
    );
  }

  async #end(): Promise<StoredContent> {
    const stored = { hash: this.#hash.digest("hex"), size: this.#size };
    const key = this.#given.keyOf(stored.hash);
    if (!this.#upload) {
      await this.#calls.put(key, Buffer.concat(this.#held));
      return stored;
    }
    if (this.#holds > 0) await this.#sendPart();
    await this.#calls.endParts(this.#place, this.#upload, this.#tags);
    this.#upload = null;
    await this.#copyTo(key);
    await this.#calls.remove(this.#place);
    return stored;
  }

  async #copyTo(key: string) {
    const most = this.#given.copiedAtOnce;
    if (this.#size <= most) return this.#calls.copy(this.#place, key);
    const upload = await this.#calls.beginParts(key);
    const tags: string[] = [];
    for (let from = 0; from < this.#size; from += most) {
      const part = {
        number: tags.length + 1,
        of: this.#place,
        from,
        to: Math.min(from + most, this.#size) - 1,
      };
      tags.push(await this.#calls.copyPart(key, upload, part));
    }
    await this.#calls.endParts(key, upload, tags);
  }
}
