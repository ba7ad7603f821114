import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const MOST_FILES = 500;
const MOST_BYTES = 5_000_000;
const DEEPEST = 8;
const SOURCE = /^(?!.*\.(d|test)\.[cm]?ts$).*\.(ts|mts|js|mjs)$/;

/** Sources of a folder at one moment, by URL, and which of them are extensions. */
export type Snapshot = { sources: Record<string, string>; entries: { file: string; url: string }[] };

/**
 * Reads a folder: its own files are extensions, those in subfolders are imported by them. A missing folder is
 * empty.
 * @throws an error with a sentence for more files or bytes than allowed
 */
export async function readSnapshot(folder: string): Promise<Snapshot> {
  const snapshot: Snapshot = { sources: {}, entries: [] };
  let bytes = 0;
  const take = async (path: string) => {
    bytes += (await stat(path)).size;
    const url = pathToFileURL(path).href;
    snapshot.sources[url] = bytes > MOST_BYTES ? "" : await readFile(path, "utf8");
    if (bytes > MOST_BYTES || Object.keys(snapshot.sources).length > MOST_FILES)
      throw new Error(`A folder of extensions has ${MOST_FILES} files and ${MOST_BYTES / 1_000_000} megabytes at the most.`);
    const file = relative(folder, path);
    if (!file.includes(sep)) snapshot.entries.push({ file, url });
  };
  await walk(folder, take, 0);
  return snapshot;
}

async function walk(folder: string, take: (path: string) => Promise<void>, depth: number): Promise<void> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && depth === 0) return [];
    throw error;
  });
  for (const it of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (it.name.startsWith(".") || it.name === "node_modules") continue;
    const path = join(folder, it.name);
    if (it.isDirectory() && depth < DEEPEST) await walk(path, take, depth + 1);
    else if (it.isFile() && SOURCE.test(it.name)) await take(path);
  }
}
