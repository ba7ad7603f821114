import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { notFound } from "#platform/refusal";
import type { PartialFiles, StoredContent } from "./storage.ts";

export const PARTIAL_FILE_ID = /^[0-9a-f-]{36}$/;

/** Creates a folder of growing files, each named by its id, until `settle` moves the complete file away. */
export function createPartialFileStore(
  root: string,
  settle: (path: string, stored: StoredContent) => Promise<void>,
): PartialFiles {
  const placeOf = (id: string) => {
    // The id becomes part of a path, so its form is checked.
    if (!PARTIAL_FILE_ID.test(id)) throw notFound();
    return join(root, id);
  };
  const sizeOf = (id: string) =>
    stat(placeOf(id)).then(
      (it) => it.size,
      () => null,
    );
  return {
    sizeOf,
    async append(id, from) {
      const path = placeOf(id);
      await mkdir(root, { recursive: true });
      await pipeline(from, createWriteStream(path, { flags: "a" }));
      return (await sizeOf(id)) ?? 0;
    },
    async finish(id) {
      const path = placeOf(id);
      if ((await sizeOf(id)) === null) throw notFound();
      const stored = await hashFile(path);
      await settle(path, stored);
      return stored;
    },
    remove: (id) => rm(placeOf(id), { force: true }),
  };
}

/** Hashes the file on disk, because its bytes may have arrived over many days and processes. */
async function hashFile(path: string): Promise<StoredContent> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(part);
    size += part.length;
  }
  return { hash: hash.digest("hex"), size };
}
