import { createHash } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "#platform/errors";

export const PORT = 5432;

/** Maximum length of the folder's path: a unix socket's path may have 107 bytes on Linux and 103 on macOS. */
const MAX_FOLDER_LENGTH = 103 - `/.s.PGSQL.${PORT}`.length;

/** First twelve characters of the hash: enough to tell the folders of one machine apart. */
export const hashPath = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * Creates a folder for the unix socket that only `owner` may enter. Its path is short even if the data
 * folder's is long. Its name is derived from the data folder, or random when another user has taken that
 * name.
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

/**
 * Removes the socket files of a killed postmaster and no others, because the caller may have chosen the
 * folder.
 */
export function removeStaleSocket(folder: string, port: number): void {
  for (const ending of ["", ".lock"]) rmSync(join(folder, `.s.PGSQL.${port}${ending}`), { force: true });
}

/** Removes the folder if it holds nothing but the socket. */
export function removeSocketFolder(folder: string, port: number): void {
  removeStaleSocket(folder, port);
  try {
    rmdirSync(folder);
  } catch {
    // The folder is gone, or contains other files. A temporary folder that remains does no harm.
  }
}

function createPrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Temporary folders are shared: an entry under our name may belong to another user, or be a link that
 * another user has created.
 */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid;
}
