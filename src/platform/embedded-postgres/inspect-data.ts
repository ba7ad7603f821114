import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { SUPERUSER, readClusterVersion } from "./cluster.ts";
import { findLockHolder } from "./folder-lock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isProcessAlive, isPostgresIn } from "./processes.ts";
import { type ProgramRunner, listRunners, tryRunner } from "./program-runner.ts";

export type DataReport = {
  /** Major version of the cluster; null when there is no cluster yet. */
  clusterVersion: number | null;
  /** Process id of its postmaster, null when none runs. */
  postmaster: number | null;
  /** Holder of the folder's lock, such as "process 4711"; null when the folder is free. */
  usedBy: string | null;
};

/**
 * Inspects a data folder without changing it.
 * @throws `EmbeddedFailure` "not-ours" for a folder that is not Kith's
 */
export function inspectData(dataDir: string): DataReport {
  const folder = realpathSync(dataDir);
  const clusterVersion = readClusterVersion(join(folder, "cluster"));
  const postmaster =
    clusterVersion === null ? null : readPostmasterPid(realpathSync(join(folder, "cluster")));
  return { clusterVersion, postmaster, usedBy: findLockHolder(folder) };
}

/**
 * Address of the server in a data folder that another Kith process has started and uses; null when there is
 * none. Never stop that server: it belongs to the other process.
 */
export function findServerInUse(dataDir: string): { socketDir: string; port: number; user: string } | null {
  if (!existsSync(join(dataDir, "cluster"))) return null;
  const folder = realpathSync(dataDir);
  const found = readPostmasterFile(realpathSync(join(folder, "cluster")));
  if (
    !found ||
    findLockHolder(folder) === null ||
    readPostmasterPid(realpathSync(join(folder, "cluster"))) === null
  )
    return null;
  return { socketDir: found.socketDir, port: found.port, user: SUPERUSER };
}

/** Process id of a running cluster; null when none runs. */
export function readPostmasterPid(cluster: string): number | null {
  const found = readPostmasterFile(cluster);
  return found && isProcessAlive(found.pid) && isPostgresIn(found.pid, cluster) ? found.pid : null;
}

/**
 * Returns how the programs in `binaries` can run with data in the existing `folder`, and their version; null
 * when they cannot run.
 */
export function inspectBinaries(
  binaries: string,
  folder: string,
): { how: ProgramRunner["how"]; version: string; enters: boolean } | null {
  const trials = listRunners(binaries, join(folder, "cluster")).map((runner) => tryRunner(runner, folder));
  const found =
    trials.find(({ version, enters }) => version !== null && enters) ??
    trials.find(({ version }) => version !== null);
  return found ? { how: found.runner.how, version: found.version!, enters: found.enters } : null;
}
