import { setTimeout as pause } from "node:timers/promises";
import { versionAnswering } from "./connection.ts";
import { EmbeddedFailure } from "./failure.ts";
import { readPostmasterFile, removePostmasterFile } from "./postmaster-file.ts";
import { endPostmaster, launch, type Start, untilReady } from "./postmaster.ts";
import { isAlive, signal, untilGone, workersIn, worksIn } from "./processes.ts";

export type Running = { pid: number; socketDir: string; port: number; adopted: boolean };

/** How long, in milliseconds, an earlier life of the cluster may stand in the way, and when it is helped to end. */
const PATIENCE = 20_000;
const HELP_AFTER = 1_000;

/**
 * A postmaster that can be asked: the one that already runs on this cluster, or a new one.
 * Throws `EmbeddedFailure` when there is none to be had.
 */
export async function bringUp(start: Start): Promise<Running> {
  const began = Date.now();
  for (let wait = 50; ; wait = Math.min(wait * 1.6, 3_000)) {
    const adopted = await adopt(start);
    if (adopted) return adopted;
    const pid = await launch(start);
    if (pid !== null) return { pid, socketDir: start.socketDir, port: start.port, adopted: false };
    if (Date.now() - began > PATIENCE) throw stillHeld(start);
    if (wait === 50) start.say("Waiting for what is left of an earlier PostgreSQL to end.");
    if (Date.now() - began > HELP_AFTER) endLeftovers(start.home.cluster);
    await pause(wait, undefined, { signal: start.abort });
  }
}

/** Node may have been killed while its postmaster lived on. That one serves as well as a new one, and at once. */
async function adopt(start: Start): Promise<Running | null> {
  const { cluster } = start.home;
  const found = readPostmasterFile(cluster);
  if (!found) return null;
  if (!isAlive(found.pid) || !worksIn(found.pid, cluster)) {
    // PostgreSQL would take the number for a running postmaster: if by now it is another process's, or if the dead one
    // still waits for its parent to notice. The memory of a cluster in use is guarded apart from this file.
    removePostmasterFile(cluster);
    return null;
  }
  const place = await settled(start, found.pid);
  if (!place) return null;
  const version = await versionAnswering(place, cluster);
  if (version === start.home.version) return { pid: found.pid, socketDir: place.socketDir, port: place.port, adopted: true };
  start.say(
    version
      ? `The PostgreSQL that runs is ${version}; it gives way to ${start.home.version}.`
      : "A PostgreSQL runs on this data but does not answer; it is started anew.",
  );
  await endPostmaster(found.pid);
  return null;
}

/** Where it can be asked once it is ready; null when it has ended instead. */
async function settled(start: Start, pid: number) {
  try {
    await untilReady(start, pid);
  } catch {
    start.abort.throwIfAborted();
    if (!(await untilGone(pid, 10_000))) await endPostmaster(pid);
    return null;
  }
  return readPostmasterFile(start.home.cluster);
}

/** Processes that outlived their postmaster: they end by themselves, but only after the statement that they are at. */
function endLeftovers(cluster: string): void {
  const postmaster = readPostmasterFile(cluster)?.pid;
  if (postmaster && isAlive(postmaster)) return;
  for (const pid of workersIn(cluster)) signal(pid, "SIGQUIT");
}

const stillHeld = ({ dataDir }: Start) =>
  new EmbeddedFailure(
    "cannot-start",
    "What is left of an earlier PostgreSQL has not ended and still holds the database.",
    `Wait a minute and start again. If it stays so, look for processes named postgres, and in ${dataDir}/postgres.log.`,
  );
