import { existsSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { embeddedBinaries } from "./binaries.ts";
import { EmbeddedFailure, toEmbeddedFailure, foreignDataFailure } from "./embedded-failure.ts";
import { locateCluster, makeDataFolder } from "./cluster-location.ts";
import { lockFolder } from "./folder-lock.ts";
import { majorVersion, noBinariesFailure } from "./program-runner.ts";

/** An empty data folder, locked for a restore. */
export type RestoreTarget = {
  folder: string;
  /**
   * Folder to which the cluster is written before it moves to its final path. Null when no cluster is
   * restored.
   */
  cluster: string | null;
  /** Moves the complete cluster to its final path and unlocks the folder. */
  keep(): void;
  /** Removes everything that was written. */
  clear(): void;
};

/** Entries that a freshly mounted disk has. */
const IGNORED_NAMES = new Set(["lost+found", "lock"]);

/**
 * Locks a data folder that is empty or missing. `major` is the PostgreSQL version of the cluster to restore,
 * null for none.
 * @throws `EmbeddedFailure` "not-ours" when it is not empty, "version-mismatch", "no-binaries", "locked",
 * "read-only"
 */
export function prepareRestoreTarget(
  dataDir: string,
  major: number | null,
  print: (sentence: string) => void,
): RestoreTarget {
  try {
    makeDataFolder(resolve(dataDir));
    const folder = realpathSync(dataDir);
    if (listNames(folder).length > 0) throw foreignDataFailure(folder, "is not empty");
    const release = lockFolder(folder);
    try {
      return createTarget(
        folder,
        major === null ? null : locateRestoredCluster(folder, major, print),
        release,
      );
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw error instanceof Error && "code" in error ? toEmbeddedFailure(error, dataDir) : error;
  }
}

const listNames = (folder: string) => readdirSync(folder).filter((name) => !IGNORED_NAMES.has(name));

/** The path at which this machine's PostgreSQL will look for the cluster of that folder. */
function locateRestoredCluster(folder: string, major: number, print: (sentence: string) => void): string {
  const binaries = embeddedBinaries();
  if (!binaries) throw noBinariesFailure("");
  const home = locateCluster(binaries, folder, print);
  if (existsSync(home.cluster)) throw foreignDataFailure(home.cluster, "already exists");
  if (majorVersion(home.version) === major) return home.cluster;
  throw new EmbeddedFailure(
    "version-mismatch",
    `The database in this backup was created by PostgreSQL ${major}; this Kith comes with ${home.version}.`,
    "Restore it with the Kith that created it, export the community there, and import it into an empty " +
      "data folder here.",
  );
}

function createTarget(folder: string, cluster: string | null, release: () => void): RestoreTarget {
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
      for (const name of listNames(folder)) rmSync(join(folder, name), { recursive: true, force: true });
      release();
    },
  };
}
