import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Database } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { COMMUNITY_FILE } from "../adapters/ndjson.ts";
import { writeArchiveLines, archivePath } from "../writing/archive-lines.ts";
import { addLazyEntry, addStoredFile, FIXED_ENTRY_OPTIONS, createZip } from "../writing/zip-writer.ts";
import { EXPORTED_TABLES } from "./exported-tables.ts";

type ExportContext = { database: Pick<Database, "db" | "inSnapshot">; storage: Storage };
/** The export contains private texts: only the operating-system user who ran the command can read it. */
const OWNER_ONLY_FILE = { mode: 0o600 };
const OWNER_ONLY_FOLDER = { recursive: true, mode: 0o700 };

export type ExportCounts = { records: Record<string, number>; files: number; missing: number };

/**
 * Exports the whole community as a folder, or as a zip if the name ends with `.zip`. The export is a
 * snapshot of one moment; two exports of the same state are identical to the byte. Only the operating-system
 * user who runs the command can read it.
 * @throws `conflict` if `path` exists
 */
export async function exportCommunity(
  { database, storage }: ExportContext,
  path: string,
  onProgress: (left: ExportCounts) => void = () => {},
): Promise<ExportCounts> {
  await assertPathFree(path);
  const isZip = path.endsWith(".zip");
  const text = isZip ? `${path}.part` : join(path, `${COMMUNITY_FILE}.part`);
  await mkdir(dirname(text), OWNER_ONLY_FOLDER);
  const left: ExportCounts = { records: {}, files: 0, missing: 0 };
  const written = { records: left.records, hashes: new Set<string>() };
  try {
    await database.inSnapshot((tx) =>
      pipeline(
        Readable.from(writeArchiveLines(tx, EXPORTED_TABLES, written, () => onProgress(left))),
        createWriteStream(text, OWNER_ONLY_FILE),
      ),
    );
    const files = [...written.hashes].sort();
    await (isZip ? writeZip(path, text, files, storage, left) : copyFiles(path, files, storage, left));
    await (isZip ? rm(text) : rename(text, join(path, COMMUNITY_FILE)));
  } catch (error) {
    await rm(isZip ? `${path}.zip.part` : text, { force: true });
    await rm(text, { force: true });
    throw error;
  }
  return left;
}

async function assertPathFree(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  const free =
    !found || (found.isDirectory() && !path.endsWith(".zip") && (await readdir(path)).length === 0);
  if (!free) throw new Refusal("conflict", msg("{path} already exists.", { path }));
}

async function copyFiles(
  path: string,
  hashes: string[],
  storage: Storage,
  left: ExportCounts,
): Promise<void> {
  for (const hash of hashes) {
    if ((await storage.sizeOf(hash)) === null) left.missing += 1;
    else {
      const filePath = join(path, archivePath(hash));
      await mkdir(dirname(filePath), OWNER_ONLY_FOLDER);
      await pipeline(await storage.open(hash), createWriteStream(filePath, OWNER_ONLY_FILE));
      left.files += 1;
    }
  }
}

async function writeZip(
  path: string,
  text: string,
  hashes: string[],
  storage: Storage,
  left: ExportCounts,
): Promise<void> {
  const { zip: file, output } = createZip();
  // The file gets its final name once it is complete.
  const written = pipeline(output, createWriteStream(`${path}.zip.part`, OWNER_ONLY_FILE));
  // The caller awaits `written` and gets the failure there.
  written.catch(() => {});
  addLazyEntry(file, COMMUNITY_FILE, FIXED_ENTRY_OPTIONS, () => createReadStream(text));
  for (const hash of hashes) {
    const size = await addStoredFile(file, storage, { hash, name: archivePath(hash) }, FIXED_ENTRY_OPTIONS);
    if (size === null) left.missing += 1;
    else left.files += 1;
  }
  file.end();
  await written;
  await rename(`${path}.zip.part`, path);
}
