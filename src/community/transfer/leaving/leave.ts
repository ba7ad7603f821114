import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { COMMUNITY } from "../adapters/ndjson.ts";
import { atOneMoment } from "../writing/cursor.ts";
import { linesOf, placeOf } from "../writing/lines.ts";
import { addLazily, addStored, DATED, newZip } from "../writing/zipping.ts";
import { TOLD } from "./tables.ts";

type Leaving = { database: Pick<Database, "db">; storage: Storage };
/** Private texts are readable only by the operating-system user who ran the command. */
const OWN = { mode: 0o600 };
const OWN_FOLDER = { recursive: true, mode: 0o700 };

export type Left = { records: Record<string, number>; files: number; missing: number };

/**
 * Exports the whole community as a folder, or as a zip if the name ends so. It is a snapshot of one moment,
 * and two exports are identical to the byte. Readable by its owner only.
 * @throws `conflict` if `path` exists
 */
export async function leave({ database, storage }: Leaving, path: string, onProgress: (left: Left) => void = () => {}): Promise<Left> {
  await assertFree(path);
  const isZip = path.endsWith(".zip");
  const text = isZip ? `${path}.part` : join(path, `${COMMUNITY}.part`);
  await mkdir(dirname(text), OWN_FOLDER);
  const left: Left = { records: {}, files: 0, missing: 0 };
  const written = { records: left.records, hashes: new Set<string>() };
  try {
    await atOneMoment(database.db, (tx) =>
      pipeline(Readable.from(linesOf(tx, TOLD, written, () => onProgress(left))), createWriteStream(text, OWN)),
    );
    const files = [...written.hashes].sort();
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

async function zip(path: string, text: string, hashes: string[], storage: Storage, left: Left): Promise<void> {
  const { zip: file, output } = newZip();
  // Renamed once complete.
  const written = pipeline(output, createWriteStream(`${path}.zip.part`, OWN));
  // The caller awaits `written` and gets the failure there.
  written.catch(() => {});
  addLazily(file, COMMUNITY, DATED, () => createReadStream(text));
  for (const hash of hashes) {
    const size = await addStored(file, storage, { hash, name: placeOf(hash) }, DATED);
    if (size === null) left.missing += 1;
    else left.files += 1;
  }
  file.end();
  await written;
  await rename(`${path}.zip.part`, path);
}
