import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Storage, Stored } from "#platform/storage";

/** Every file of a zip has a date; the same one, so that the same things are the same zip. */
export const DATED = { mtime: new Date("2000-01-01T12:00:00"), mode: 0o100644 };

/** A zip whose output breaks off where something that is added to it does. Of that hears whoever reads it, if anybody still does. */
export function newZip(): { zip: ZipFile; output: Readable } {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  output.on("error", () => {});
  zip.on("error", (error) => output.destroy(error as Error));
  return { zip, output };
}

/** Adds what is opened only when its turn has come: a zip may have more files than a process may have open. */
export const addLazily = (zip: ZipFile, name: string, options: object, open: () => Readable) =>
  zip.addReadStreamLazy(name, options, (begin) => {
    // Where it breaks off the zip itself says nothing, and would wait for its end for ever.
    begin(
      null,
      open().on("error", (error) => zip.emit("error", error)),
    );
  });

/**
 * Puts a zip into the storage while `fill` adds to it, so that memory does not grow with what is in it. Throws `too-large` beyond so many
 * bytes, as soon as they have come: `stored` fails then.
 */
export async function storeZip(
  storage: Storage,
  mostBytes: number,
  fill: (zip: ZipFile, stored: Promise<unknown>) => Promise<void>,
): Promise<Stored> {
  const { zip, output } = newZip();
  const stored = storage.put(output, mostBytes);
  // Whoever waits for a text hears of a failure there; it is heard of here all the same.
  stored.catch(() => {});
  try {
    await fill(zip, stored);
  } catch (error) {
    output.destroy(error as Error);
    throw error;
  }
  zip.end();
  return stored;
}

/** Adds a text that is made while it is written, and waits for its end: what it is made from may be let go then. */
export async function addText(zip: ZipFile, name: string, text: AsyncIterable<string>, stored: Promise<unknown>, options = {}) {
  const written = new Promise<void>((done) => {
    async function* toItsEnd() {
      yield* text;
      done();
    }
    addLazily(zip, name, options, () => Readable.from(toItsEnd()));
  });
  await Promise.race([written, stored]);
}

/** Adds what the storage has under a hash. Gives its size, or null where it has nothing. */
export async function addStored(zip: ZipFile, storage: Storage, at: { hash: string; name: string }, options = {}): Promise<number | null> {
  const size = await storage.sizeOf(at.hash);
  if (size === null) return null;
  addLazily(zip, at.name, { ...options, compress: false, size }, () => Readable.from(bytesOf(storage, at.hash)));
  return size;
}

async function* bytesOf(storage: Storage, hash: string): AsyncGenerator<Buffer> {
  yield* (await storage.open(hash)) as AsyncIterable<Buffer>;
}
