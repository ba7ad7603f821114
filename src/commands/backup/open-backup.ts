import { createWriteStream, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Transform } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { RestoreTarget } from "#platform/embedded-postgres";
import { errorMessage, isSystemError } from "#platform/errors";
import { Refusal } from "#platform/refusal";
import { CLUSTER_FOLDER, BackupManifest, MANIFEST_FILE } from "./backup-manifest.ts";

export type Backup = {
  manifest: BackupManifest;
  /**
   * Unpacks all entries into a folder; returns the number of files.
   * @throws `invalid` when an entry is damaged
   */
  unpack(target: RestoreTarget): Promise<number>;
  close(): void;
};

/**
 * Opens a file written by `npm run backup`.
 * @throws `invalid` for other files and truncated ones
 */
export async function openBackup(path: string): Promise<Backup> {
  // The zip reader itself rejects names that would lead outside the target.
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowUnreadable);
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const manifest = await readManifest(zip, entries);
    return { manifest, unpack: (target) => unpackEntries(zip, entries, target), close: () => zip.close() };
  } catch (error) {
    zip.close();
    return rethrowUnreadable(error);
  }
}

function rethrowUnreadable(error: unknown): never {
  if (error instanceof Refusal || isSystemError(error)) throw error;
  throw new Refusal("invalid", `This zip cannot be read; it may be incomplete (${errorMessage(error)}).`);
}

async function readManifest(zip: ZipFile, entries: Entry[]): Promise<BackupManifest> {
  const entry = entries.find(({ fileName }) => fileName === MANIFEST_FILE);
  const manifest = entry && BackupManifest.safeParse(await json(await zip.openReadStreamPromise(entry)));
  if (!manifest)
    throw new Refusal(
      "invalid",
      "This is not a backup of Kith. Use `npm run import` for files written by `npm run export`.",
    );
  if (!manifest.success)
    throw new Refusal("invalid", "This backup was created by a newer Kith. Restore it with that version.");
  return manifest.data;
}

async function unpackEntries(zip: ZipFile, entries: Entry[], target: RestoreTarget): Promise<number> {
  let files = 0;
  for (const entry of entries) {
    const path = targetPath(entry.fileName, target);
    if (path === null) continue;
    mkdirSync(entry.fileName.endsWith("/") ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (entry.fileName.endsWith("/")) continue;
    await writeEntry(zip, entry, path);
    files++;
  }
  return files;
}

/** Returns null for entries that are not unpacked. */
function targetPath(name: string, target: RestoreTarget): string | null {
  if (name === MANIFEST_FILE) return null;
  if (!name.startsWith(`${CLUSTER_FOLDER}/`)) return join(target.folder, name);
  return target.cluster === null ? null : join(target.cluster, name.slice(CLUSTER_FOLDER.length + 1));
}

async function writeEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  let seen = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      seen = crc32(chunk, seen);
      callback(null, chunk);
    },
  });
  const unpacked = await zip.openReadStreamPromise(entry).catch(rethrowUnreadable);
  await pipeline(unpacked, counting, createWriteStream(path, { mode: 0o600, flush: true })).catch(
    rethrowUnreadable,
  );
  if (seen !== entry.crc32)
    throw new Refusal("invalid", `${entry.fileName} in this backup is damaged: its checksum does not match.`);
}
