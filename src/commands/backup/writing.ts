import { createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Piece } from "#platform/embedded";

/** It holds addresses, private messages and keys: nobody else on the machine reads it. */
const OURS_ALONE = 0o600;

/** Writes a zip, piece after piece, and gives it its name when it is whole. Gives how many files there are in it. */
export async function writeZip(path: string, pieces: AsyncIterable<Piece>): Promise<number> {
  const unfinished = `${path}.part`;
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream as Readable, createWriteStream(unfinished, { mode: OURS_ALONE, flush: true }));
  // It is waited for below; should it break before, whoever adds to it hears of it.
  written.catch(() => {});
  try {
    const files = await fill(zip, pieces, written);
    zip.end();
    await written;
    renameSync(unfinished, path);
    return files;
  } catch (error) {
    (zip.outputStream as Readable).destroy();
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function fill(zip: ZipFile, pieces: AsyncIterable<Piece>, written: Promise<void>): Promise<number> {
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
