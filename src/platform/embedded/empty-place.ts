import { existsSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { embeddedBinaries } from "./binaries.ts";
import { EmbeddedFailure, failureFrom, notOurs } from "./failure.ts";
import { findHome, makeDataFolder } from "./home.ts";
import { lockFolder } from "./lock.ts";
import { majorOf, noBinaries } from "./runner.ts";

/** An empty data folder, locked for a restore. */
export type EmptyPlace = {
  folder: string;
  /** Where the cluster is written before it moves to its final path. Null when the database is elsewhere. */
  cluster: string | null;
  /** Moves the complete cluster to its final path and unlocks the folder. */
  keep(): void;
  /** Removes everything that was written. */
  clear(): void;
};

/** Entries that a freshly mounted disk has. */
const OF_THE_DISK = new Set(["lost+found", "lock"]);

/**
 * Locks a data folder that is empty or missing. `major` is the PostgreSQL version of the cluster to restore,
 * null for none.
 * @throws `EmbeddedFailure` "not-ours" when it is not empty, "version-mismatch", "no-binaries", "locked",
 * "read-only"
 */
export function emptyPlace(dataDir: string, major: number | null, say: (sentence: string) => void): EmptyPlace {
  try {
    makeDataFolder(resolve(dataDir));
    const folder = realpathSync(dataDir);
    if (namesIn(folder).length > 0) throw notOurs(folder, "is not empty");
    const release = lockFolder(folder);
    try {
      return heldPlace(folder, major === null ? null : clusterIn(folder, major, say), release);
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw error instanceof Error && "code" in error ? failureFrom(error, dataDir) : error;
  }
}

const namesIn = (folder: string) => readdirSync(folder).filter((name) => !OF_THE_DISK.has(name));

/** The path at which this machine's PostgreSQL will look for the cluster of that folder. */
function clusterIn(folder: string, major: number, say: (sentence: string) => void): string {
  const binaries = embeddedBinaries();
  if (!binaries) throw noBinaries("");
  const home = findHome(binaries, folder, say);
  if (existsSync(home.cluster)) throw notOurs(home.cluster, "is there already");
  if (majorOf(home.version) === major) return home.cluster;
  throw new EmbeddedFailure(
    "version-mismatch",
    `The database in this backup was made by PostgreSQL ${major}; this Kith comes with ${home.version}.`,
    "Bring it back with the Kith that made it, export the community there, and import it into an empty data folder here.",
  );
}

function heldPlace(folder: string, cluster: string | null, release: () => void): EmptyPlace {
  const unfinished = cluster === null ? null : mkdtempSync(`${cluster}.new-`);
  return {
    folder,
    cluster: unfinished,
    keep: () => {
      if (cluster !== null) renameSync(unfinished!, cluster);
      release();
    },
    clear: () => {
      if (unfinished !== null) rmSync(unfinished, { recursive: true, force: true });
      for (const name of namesIn(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      release();
    },
  };
}
