import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { type Database, type Db, many, run, sql } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { COMMUNITY } from "../adapters/ndjson.ts";
import { TOLD } from "./tables.ts";

type Leaving = { database: Pick<Database, "db">; storage: Storage };
/** What people have written to each other is nobody's on the machine but whose command this was. */
const OWN = { mode: 0o600 };
const OWN_FOLDER = { recursive: true, mode: 0o700 };

export type Left = { records: Record<string, number>; files: number; missing: number };

/**
 * Writes the whole community down: as a folder, or as a zip where the name ends so. It is as it was at one moment, and
 * written down twice it is the same to the byte. Only its owner can read it. Throws `conflict` where something stands at `path` already.
 */
export async function leave({ database, storage }: Leaving, path: string, onProgress: (left: Left) => void = () => {}): Promise<Left> {
  await assertFree(path);
  const isZip = path.endsWith(".zip");
  const text = isZip ? `${path}.part` : join(path, `${COMMUNITY}.part`);
  await mkdir(dirname(text), OWN_FOLDER);
  const left: Left = { records: {}, files: 0, missing: 0 };
  const hashes = new Set<string>();
  try {
    await database.db
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute((tx) => pipeline(Readable.from(linesOf(tx, left, hashes, onProgress)), createWriteStream(text, OWN)));
    const files = [...hashes].sort();
    await (isZip ? zip(path, text, files, storage, left) : copy(path, files, storage, left));
    await (isZip ? rm(text) : rename(text, join(path, COMMUNITY)));
  } catch (error) {
    await rm(isZip ? `${path}.zip.part` : text, { force: true });
    await rm(text, { force: true });
    throw error;
  }
  return left;
}

async function assertFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const free = !found || (found.isDirectory() && !path.endsWith(".zip") && (await readdir(path)).length === 0);
  if (!free) throw new Refusal("conflict", `There is something at ${path} already.`);
}

const ROWS = 1_000;
const placeOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;

/** Line by line, by cursors, so that memory does not grow with the community. */
async function* linesOf(tx: Db, left: Left, hashes: Set<string>, onProgress: (left: Left) => void): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "format", name: "community-ndjson", version: 1 })}\n`;
  for (const { kind, rows } of TOLD) {
    await run(tx, sql`declare told no scroll cursor for ${rows}`);
    for (;;) {
      const some = await many(tx, sql<Record<string, unknown>>`fetch ${sql.lit(ROWS)} from told`);
      if (some.length === 0) break;
      left.records[kind] = (left.records[kind] ?? 0) + some.length;
      yield some.map((row) => `${JSON.stringify({ type: kind, ...told(row, hashes) })}\n`).join("");
      onProgress(left);
    }
    await run(tx, sql`close told`);
  }
}

/** A row without what it does not say; a file says where its bytes are, if it still has them. */
function told({ hash, ...row }: Record<string, unknown>, hashes: Set<string>): Record<string, unknown> {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ""));
  if (typeof hash !== "string") return said;
  if (said["state"] !== "quarantined") hashes.add(hash);
  return { ...said, path: placeOf(hash), sha256: hash };
}

async function copy(path: string, hashes: string[], storage: Storage, left: Left): Promise<void> {
  for (const hash of hashes) {
    if ((await storage.sizeOf(hash)) === null) left.missing += 1;
    else {
      const place = join(path, placeOf(hash));
      await mkdir(dirname(place), OWN_FOLDER);
      await pipeline(await storage.open(hash), createWriteStream(place, OWN));
      left.files += 1;
    }
  }
}

/** Every file of a zip has a date; the same one, so that the same community is the same zip. */
const DATED = { mtime: new Date("2000-01-01T12:00:00"), mode: 0o100644 };

async function zip(path: string, text: string, hashes: string[], storage: Storage, left: Left): Promise<void> {
  const file = new ZipFile();
  // Once it is whole it has its name.
  const written = pipeline(file.outputStream, createWriteStream(`${path}.zip.part`, OWN));
  file.addReadStreamLazy(COMMUNITY, DATED, (done) => done(null, createReadStream(text)));
  for (const hash of hashes) {
    const size = await storage.sizeOf(hash);
    if (size === null) left.missing += 1;
    else {
      file.addReadStreamLazy(placeOf(hash), { ...DATED, compress: false, size }, (done) =>
        done(null, Readable.from(bytesOf(storage, hash))),
      );
      left.files += 1;
    }
  }
  file.on("error", (error) => (file.outputStream as Readable).destroy(error as Error));
  file.end();
  await written;
  await rename(`${path}.zip.part`, path);
}

/** Opened only when its turn has come: a zip may have more files than a process may have open. */
async function* bytesOf(storage: Storage, hash: string): AsyncGenerator<Buffer> {
  yield* (await storage.open(hash)) as AsyncIterable<Buffer>;
}
