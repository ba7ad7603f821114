import { createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { CopyEntry } from "#platform/embedded-postgres";
import { toReadable } from "#platform/streams";

/** A backup holds addresses, private messages and keys, so no other user of the machine may read it. */
const OWNER_ONLY = 0o600;

/** Writes a zip entry by entry, and renames it when it is complete. Returns the number of files. */
export async function writeZip(path: string, pieces: AsyncIterable<CopyEntry>): Promise<number> {
  const unfinished = `${path}.part`;
  const zip = new ZipFile();
  const output = toReadable(zip.outputStream);
  const written = pipeline(output, createWriteStream(unfinished, { mode: OWNER_ONLY, flush: true }));
  // The promise is awaited below; the code that adds entries reports an earlier failure.
  written.catch(() => {});
  try {
    const files = await addEntries(zip, pieces, written);
    zip.end();
    await written;
    renameSync(unfinished, path);
    return files;
  } catch (error) {
    output.destroy();
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function addEntries(
  zip: ZipFile,
  pieces: AsyncIterable<CopyEntry>,
  written: Promise<void>,
): Promise<number> {
  let files = 0;
  for await (const { name, content } of pieces) {
    if (content === null) zip.addEmptyDirectory(name, { mode: 0o40700 });
    else {
      const source = typeof content === "string" ? Readable.from([Buffer.from(content)]) : content;
      zip.addReadStream(source, name, { mode: 0o100600 });
      await Promise.race([finished(source), written]);
      files++;
    }
  }
  return files;
}
