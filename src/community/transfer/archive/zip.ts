import { basename } from "node:path";
import { pipeline, type Readable, Transform } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { Refusal } from "#platform/refusal";
import { assertNoTrap, type Bundle, missing, MOST_BYTES, MOST_FILES, naming, tooMuch } from "./bundle.ts";

/**
 * A zip read through its directory: paths that lead out of it and zip bombs are refused at once. Windows
 * writes backslashes; the reader converts them before checking paths.
 */
export async function openZip(path: string): Promise<Bundle> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(broken);
  try {
    const entries = await entriesOf(zip);
    return {
      name: basename(path),
      names: [...entries.keys()].sort(),
      read: (wanted) => read(zip, entries, wanted),
      sizeOf: (wanted) => entries.get(wanted)?.uncompressedSize ?? null,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof Refusal ? error : broken(error);
  }
}

function broken(error: unknown): never {
  throw new Refusal("invalid", `This zip cannot be read: ${(error instanceof Error ? error.message : String(error)).replace(/\.$/, "")}.`);
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  if (zip.entryCount > MOST_FILES) throw tooMuch(`has more than ${MOST_FILES} files`);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    bytes += entry.uncompressedSize;
    if (bytes > MOST_BYTES) throw tooMuch("is larger than 20 GB");
    assertNoTrap(entry.fileName, entry.compressedSize, entry.uncompressedSize);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/** yauzl itself stops entries that are longer or shorter than the directory says. */
async function read(zip: ZipFile, entries: Map<string, Entry>, name: string): Promise<Readable> {
  const entry = entries.get(name);
  if (!entry) throw missing(name);
  if (entry.isEncrypted()) throw new Refusal("invalid", `${name} is encrypted.`);
  const unpacked = await zip.openReadStreamPromise(entry).catch(broken);
  // Errors on the way appear in the returned stream.
  return naming(
    name,
    pipeline(unpacked, checking(entry.crc32), () => {}),
  );
}

/** Passes chunks through and fails at the end if the checksum differs from the packed one. */
function checking(expected: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen = crc32(chunk, seen);
      done(null, chunk);
    },
    flush: (done) => done(seen === expected ? null : new Error("it is damaged, its checksum is another")),
  });
}
