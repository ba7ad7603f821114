import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { toError } from "#platform/errors";
import type { Storage, StoredContent } from "#platform/storage";
import { toReadable } from "#platform/streams";

/** A fixed date for all zip entries, so that equal content gives an equal zip. */
export const FIXED_ENTRY_OPTIONS = { mtime: new Date("2000-01-01T12:00:00"), mode: 0o100644 };

/**
 * Creates a zip. If an added stream fails, the output stream fails too, so that its reader gets the error.
 */
export function createZip(): { zip: ZipFile; output: Readable } {
  const zip = new ZipFile();
  const output = toReadable(zip.outputStream);
  output.on("error", () => {});
  zip.on("error", (error) => output.destroy(toError(error)));
  return { zip, output };
}

/**
 * Adds a stream that is opened only when it is written, because a zip may have more files than a process may
 * open.
 */
export const addLazyEntry = (zip: ZipFile, name: string, options: object, open: () => Readable) =>
  zip.addReadStreamLazy(name, options, (begin) => {
    // yazl ignores errors of an added stream and would wait for ever.
    begin(
      null,
      open().on("error", (error) => zip.emit("error", error)),
    );
  });

/**
 * Streams a zip into storage while `fill` adds to it, so that memory stays constant.
 * @throws `too-large` as soon as the size exceeds the limit: `stored` rejects
 */
export async function storeZip(
  storage: Storage,
  mostBytes: number,
  fill: (zip: ZipFile, stored: Promise<unknown>) => Promise<void>,
): Promise<StoredContent> {
  const { zip, output } = createZip();
  const stored = storage.put(output, mostBytes);
  // Prevents an unhandled rejection: the caller gets the failure by awaiting `stored`.
  stored.catch(() => {});
  try {
    await fill(zip, stored);
  } catch (error) {
    output.destroy(toError(error));
    throw error;
  }
  zip.end();
  return stored;
}

/** Adds generated text and waits until it is written; its source may then be released. */
export async function addText(
  zip: ZipFile,
  name: string,
  text: AsyncIterable<string>,
  stored: Promise<unknown>,
  options = {},
) {
  const written = new Promise<void>((done) => {
    async function* toItsEnd() {
      yield* text;
      done();
    }
    addLazyEntry(zip, name, options, () => Readable.from(toItsEnd()));
  });
  await Promise.race([written, stored]);
}

/** Adds a stored file by hash. Returns its size, or null if storage does not have it. */
export async function addStoredFile(
  zip: ZipFile,
  storage: Storage,
  at: { hash: string; name: string },
  options = {},
): Promise<number | null> {
  const size = await storage.sizeOf(at.hash);
  if (size === null) return null;
  addLazyEntry(zip, at.name, { ...options, compress: false, size }, () =>
    Readable.from(readStoredBytes(storage, at.hash)),
  );
  return size;
}

async function* readStoredBytes(storage: Storage, hash: string): AsyncGenerator<Buffer> {
  yield* (await storage.open(hash)) as AsyncIterable<Buffer>;
}
