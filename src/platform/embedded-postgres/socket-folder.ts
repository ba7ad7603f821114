import { createHash } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PORT = 5432;

/** The path of a unix socket may have 107 bytes on Linux and 103 on macOS; this is what is left for its folder. */
const MAX_FOLDER_LENGTH = 103 - `/.s.PGSQL.${PORT}`.length;

/** First twelve characters of the hash: enough to tell the folders of one machine apart. */
export const hashPath = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * Creates a folder for the unix socket that only `owner` may enter; its path is short whatever the data
 * folder's is. Its name is derived from the data folder; when another user has taken it, the name is random.
 */
export function socketFolder(dataDir: string, owner: { uid: number; gid: number }): string {
  const named = (base: string) => join(base, `kith-${hashPath(dataDir)}`);
  const base = Buffer.byteLength(named(tmpdir())) <= MAX_FOLDER_LENGTH ? tmpdir() : "/tmp";
  const folder =
    createPrivateFolder(named(base)) || isOwn(named(base), owner.uid)
      ? named(base)
      : mkdtempSync(join(base, "kith-"));
  chmodSync(folder, 0o700);
  if (owner.uid !== process.getuid?.()) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** Removes the files of a killed postmaster and nothing else: the folder may be one that the caller chose. */
export function clearSocket(folder: string, port: number): void {
  for (const ending of ["", ".lock"]) rmSync(join(folder, `.s.PGSQL.${port}${ending}`), { force: true });
}

/** Removes the folder if it holds nothing but the socket. */
export function removeSocketFolder(folder: string, port: number): void {
  clearSocket(folder, port);
  try {
    rmdirSync(folder);
  } catch {
    // Already gone, or in use for something else: an empty temporary folder does no harm.
  }
}

function createPrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Temporary folders are shared: an entry under our name may be another user's, or a link of theirs. */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid;
}
