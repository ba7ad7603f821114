import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const MAX_FILES = 500;
const MAX_BYTES = 5_000_000;
const MAX_DEPTH = 8;
const SOURCE_FILE = /^(?!.*\.(d|test)\.[cm]?ts$).*\.(ts|mts|js|mjs)$/;

/** Sources of a folder at one moment, by URL, and which of them are extensions. */
export type Snapshot = { sources: Record<string, string>; entries: { file: string; url: string }[] };

/**
 * Reads the sources in a folder. Files directly in it are extensions; files in subfolders are modules that
 * extensions import. A missing folder counts as empty.
 * @throws an error with a readable message for more files or bytes than allowed
 */
export async function readSnapshot(folder: string): Promise<Snapshot> {
  const snapshot: Snapshot = { sources: {}, entries: [] };
  let bytes = 0;
  const take = async (path: string) => {
    bytes += (await stat(path)).size;
    const url = pathToFileURL(path).href;
    snapshot.sources[url] = bytes > MAX_BYTES ? "" : await readFile(path, "utf8");
    if (bytes > MAX_BYTES || Object.keys(snapshot.sources).length > MAX_FILES)
      throw new Error(
        `An extension folder can have at most ${MAX_FILES} files and ${MAX_BYTES / 1_000_000} megabytes.`,
      );
    const file = relative(folder, path);
    if (!file.includes(sep)) snapshot.entries.push({ file, url });
  };
  await walkFolder(folder, take, 0);
  return snapshot;
}

async function walkFolder(
  folder: string,
  take: (path: string) => Promise<void>,
  depth: number,
): Promise<void> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && depth === 0) return [];
    throw error;
  });
  for (const it of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (it.name.startsWith(".") || it.name === "node_modules") continue;
    const path = join(folder, it.name);
    if (it.isDirectory() && depth < MAX_DEPTH) await walkFolder(path, take, depth + 1);
    else if (it.isFile() && SOURCE_FILE.test(it.name)) await take(path);
  }
}
