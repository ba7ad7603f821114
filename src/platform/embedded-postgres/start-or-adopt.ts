import { setTimeout as pause } from "node:timers/promises";
import { readRunningVersion } from "./server-session.ts";
import { EmbeddedFailure } from "./embedded-failure.ts";
import { readPostmasterFile, removePostmasterFile } from "./postmaster-file.ts";
import { stopPostmaster, launchPostmaster, type PostmasterOptions, waitUntilReady } from "./postmaster.ts";
import {
  isProcessAlive,
  sendSignal,
  waitUntilGone,
  listPostgresProcesses,
  isPostgresIn,
} from "./processes.ts";

export type RunningServer = { pid: number; socketDir: string; port: number; adopted: boolean };

/**
 * Milliseconds for which an earlier server of the cluster may block the start, and after which its leftover
 * processes are ended.
 */
const START_TIMEOUT = 20_000;
const HELP_AFTER = 1_000;

/**
 * Returns a postmaster that accepts connections: the one already running on this cluster, or a new one.
 * @throws `EmbeddedFailure` when an earlier server blocks the start or the new one fails
 */
export async function startOrAdoptServer(start: PostmasterOptions): Promise<RunningServer> {
  const began = Date.now();
  for (let wait = 50; ; wait = Math.min(wait * 1.6, 3_000)) {
    const adopted = await adoptServer(start);
    if (adopted) return adopted;
    const pid = await launchPostmaster(start);
    if (pid !== null) return { pid, socketDir: start.socketDir, port: start.port, adopted: false };
    if (Date.now() - began > START_TIMEOUT) throw clusterInUseFailure(start);
    if (wait === 50) start.print("Waiting for an earlier PostgreSQL to stop.");
    if (Date.now() - began > HELP_AFTER) endLeftoverProcesses(start.home.cluster);
    await pause(wait, undefined, { signal: start.abort });
  }
}

/**
 * Adopts a postmaster that outlived its killed Node process: it is as good as a new one and ready at once.
 */
async function adoptServer(start: PostmasterOptions): Promise<RunningServer | null> {
  const { cluster } = start.home;
  const found = readPostmasterFile(cluster);
  if (!found) return null;
  if (!isProcessAlive(found.pid) || !isPostgresIn(found.pid, cluster)) {
    // PostgreSQL would mistake a stale pid for a running postmaster when the number now belongs to another
    // process, or when the dead process is a zombie. Removing the file is safe: shared memory protects a
    // running cluster as well.
    removePostmasterFile(cluster);
    return null;
  }
  const place = await awaitReady(start, found.pid);
  if (!place) return null;
  const version = await readRunningVersion(place, cluster);
  if (version === start.home.version)
    return { pid: found.pid, socketDir: place.socketDir, port: place.port, adopted: true };
  start.print(
    version
      ? `The running PostgreSQL is ${version}; it is replaced by ${start.home.version}.`
      : "A PostgreSQL runs on this data but does not respond; it is restarted.",
  );
  await stopPostmaster(found.pid);
  return null;
}

/** Returns the server once it is ready; null when it has ended instead. */
async function awaitReady(start: PostmasterOptions, pid: number) {
  try {
    await waitUntilReady(start, pid);
  } catch {
    start.abort.throwIfAborted();
    if (!(await waitUntilGone(pid, 10_000))) await stopPostmaster(pid);
    return null;
  }
  return readPostmasterFile(start.home.cluster);
}

/** Ends backends that outlived their postmaster: on their own they end only after their current statement. */
function endLeftoverProcesses(cluster: string): void {
  const postmaster = readPostmasterFile(cluster)?.pid;
  if (postmaster && isProcessAlive(postmaster)) return;
  for (const pid of listPostgresProcesses(cluster)) sendSignal(pid, "SIGQUIT");
}

const clusterInUseFailure = ({ dataDir }: PostmasterOptions) =>
  new EmbeddedFailure(
    "cannot-start",
    "An earlier PostgreSQL has not stopped and still locks the database.",
    `Wait a minute and start again. If that does not help, look for processes named postgres, and in ` +
      `${dataDir}/postgres.log.`,
  );
