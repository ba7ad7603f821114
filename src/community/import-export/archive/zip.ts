import { basename } from "node:path";
import { pipeline, type Readable, Transform } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import {
  assertNotZipBomb,
  type Bundle,
  fileNotFound,
  MAX_BYTES,
  MAX_FILES,
  withNamedErrors,
  tooManyFiles,
  tooManyBytes,
} from "./bundle-files.ts";

/**
 * Opens a zip and reads its directory. Refuses zip bombs and paths that lead out of the zip. Backslashes,
 * which Windows writes, are converted before paths are checked.
 */
export async function openZip(path: string): Promise<Bundle> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(throwUnreadableZip);
  try {
    const entries = await readEntries(zip);
    return {
      name: basename(path),
      names: [...entries.keys()].sort(),
      read: (wanted) => openEntry(zip, entries, wanted),
      sizeOf: (wanted) => entries.get(wanted)?.uncompressedSize ?? null,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof Refusal ? error : throwUnreadableZip(error);
  }
}

function throwUnreadableZip(error: unknown): never {
  throw new Refusal(
    "invalid",
    msg("This zip cannot be read: {reason}.", {
      reason: (error instanceof Error ? error.message : String(error)).replace(/\.$/, ""),
    }),
  );
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  if (zip.entryCount > MAX_FILES) throw tooManyFiles();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    bytes += entry.uncompressedSize;
    if (bytes > MAX_BYTES) throw tooManyBytes();
    assertNotZipBomb(entry.fileName, entry.compressedSize, entry.uncompressedSize);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

/**
 * Opens an entry. The library yauzl itself fails at entries that are longer or shorter than the directory
 * says.
 */
async function openEntry(zip: ZipFile, entries: Map<string, Entry>, name: string): Promise<Readable> {
  const entry = entries.get(name);
  if (!entry) throw fileNotFound(name);
  if (entry.isEncrypted()) throw new Refusal("invalid", msg("{name} is encrypted.", { name }));
  const unpacked = await zip.openReadStreamPromise(entry).catch(throwUnreadableZip);
  // Read errors appear in the returned stream.
  return withNamedErrors(
    name,
    pipeline(unpacked, createSizeCheck(entry.crc32), () => {}),
  );
}

/** Passes chunks through and fails at the end if their checksum is not `expected`. */
function createSizeCheck(expected: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seen = crc32(chunk, seen);
      callback(null, chunk);
    },
    flush: (callback) =>
      callback(seen === expected ? null : new Error("it is damaged: its checksum does not match")),
  });
}
