import { createHash } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const PORT = 5432;

/** The path of a unix socket may have 107 bytes on Linux and 103 on macOS; this is what is left for its folder. */
const LONGEST_FOLDER = 103 - `/.s.PGSQL.${PORT}`.length;

/** The first twelve letters of the hash: enough to tell the folders of one machine apart. */
export const shortName = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 12);

/**
 * A folder for the unix socket that only `owner` may enter: short, whatever the data folder is called. Its name
 * follows from the data folder's; where somebody else has taken that name, it is a random one.
 */
export function socketFolder(dataDir: string, owner: { uid: number; gid: number }): string {
  const named = (base: string) => join(base, `kith-${shortName(dataDir)}`);
  const base = Buffer.byteLength(named(tmpdir())) <= LONGEST_FOLDER ? tmpdir() : "/tmp";
  const folder = make(named(base)) || isOwn(named(base), owner.uid) ? named(base) : mkdtempSync(join(base, "kith-"));
  chmodSync(folder, 0o700);
  if (owner.uid !== process.getuid?.()) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** Removes what a postmaster that was killed has left. Nothing else: the folder may be one that somebody else chose. */
export function clearSocket(folder: string, port: number): void {
  for (const ending of ["", ".lock"]) rmSync(join(folder, `.s.PGSQL.${port}${ending}`), { force: true });
}

/** Removes the folder, if nothing but the socket is in it. */
export function removeSocketFolder(folder: string, port: number): void {
  clearSocket(folder, port);
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or in use for something else: an empty folder among the temporary ones does no harm.
  }
}

function make(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Temporary folders are shared: what stands there under our name may be another user's, or a link of his. */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid;
}
