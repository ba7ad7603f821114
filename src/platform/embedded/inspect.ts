import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { SUPERUSER, versionOf } from "./cluster.ts";
import { holderOfFolder } from "./lock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isAlive, worksIn } from "./processes.ts";
import { type Runner, runnersFor, tryOut } from "./runner.ts";

export type DataReport = {
  /** The major version of the cluster, null when there is none yet. */
  clusterVersion: number | null;
  /** The process of its postmaster, null when none runs. */
  postmaster: number | null;
  /** Who uses the folder, such as "process 4711"; null when nobody does. */
  usedBy: string | null;
};

/** Looks at a data folder without changing anything. Throws `EmbeddedFailure` "not-ours" for one that is none of ours. */
export function inspectData(dataDir: string): DataReport {
  const folder = realpathSync(dataDir);
  const clusterVersion = versionOf(join(folder, "cluster"));
  const postmaster = clusterVersion === null ? null : postmasterOf(realpathSync(join(folder, "cluster")));
  return { clusterVersion, postmaster, usedBy: holderOfFolder(folder) };
}

/**
 * Where the server of a data folder can be asked that another Kith has started and uses; null when there is none. Whoever
 * asks there ends nothing: the server is the other's.
 */
export function serverInUse(dataDir: string): { socketDir: string; port: number; user: string } | null {
  if (!existsSync(join(dataDir, "cluster"))) return null;
  const folder = realpathSync(dataDir);
  const found = readPostmasterFile(realpathSync(join(folder, "cluster")));
  if (!found || holderOfFolder(folder) === null || postmasterOf(realpathSync(join(folder, "cluster"))) === null) return null;
  return { socketDir: found.socketDir, port: found.port, user: SUPERUSER };
}

/** The process of a cluster that runs; null when none does. */
export function postmasterOf(cluster: string): number | null {
  const found = readPostmasterFile(cluster);
  return found && isAlive(found.pid) && worksIn(found.pid, cluster) ? found.pid : null;
}

/** How the programs in `binaries` can be run with data in `folder`, an existing one, and their version; null when in no way. */
export function inspectPrograms(binaries: string, folder: string): { how: Runner["how"]; version: string; enters: boolean } | null {
  const trials = runnersFor(binaries, join(folder, "cluster")).map((runner) => tryOut(runner, folder));
  const found = trials.find(({ version, enters }) => version !== null && enters) ?? trials.find(({ version }) => version !== null);
  return found ? { how: found.runner.how, version: found.version!, enters: found.enters } : null;
}
