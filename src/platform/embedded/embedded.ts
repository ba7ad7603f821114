import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { bringUp, type Running } from "./bring-up.ts";
import { embeddedBinaries } from "./binaries.ts";
import { prepareCluster, SUPERUSER } from "./cluster.ts";
import { ensureDatabase } from "./connection.ts";
import { failureFrom } from "./failure.ts";
import { findHome, makeDataFolder } from "./home.ts";
import { lockFolder } from "./lock.ts";
import { endPostmaster, type Start } from "./postmaster.ts";
import { noBinaries } from "./runner.ts";
import { PORT, socketFolder } from "./socket.ts";
import { Supervisor } from "./supervisor.ts";

export type EmbeddedOptions = {
  /** Keeps the cluster, its log and the lock; made when it is missing. */
  dataDir: string;
  /** The folder of `initdb` and `postgres`; by default those of this platform's package. */
  binaries?: string;
  /** Made when it is missing; "kith" by default. */
  database?: string;
  /** False only for tests: faster, but what was acknowledged may be gone after a power cut. */
  durable?: boolean;
  /** Settings of the server beside ours, by name. */
  settings?: Record<string, string>;
  /** Is told in whole sentences what takes time or goes amiss. */
  say: (sentence: string) => void;
};

/** A PostgreSQL of our own, to be reached over the unix socket in `socketDir`. */
export type Embedded = {
  socketDir: string;
  port: number;
  user: string;
  database: string;
  /** Such as "18.4". */
  version: string;
  /** It was running already: an earlier process of ours had been killed. */
  adopted: boolean;
  /** Is called each time it ends unasked. It is then started again, at the same place. */
  onExit(listener: (why: string) => void): void;
  /** Stops it in order, and at once after ten seconds. May be called more than once. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a data folder, or takes over the one that already runs there, and keeps it running.
 * Throws `EmbeddedFailure`, whose code, message and advice say why there is none.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    makeDataFolder(resolve(options.dataDir));
    // One name for one folder, however one gets to it: the lock, the socket and the cluster are found by it.
    const dataDir = realpathSync(options.dataDir);
    const release = lockFolder(dataDir);
    return await startLocked(options, dataDir, release).catch((error: unknown) => {
      release();
      throw error;
    });
  } catch (error) {
    // What has no code of the system's is a fault of ours, and shown as one.
    throw error instanceof Error && "code" in error ? failureFrom(error, options.dataDir) : error;
  }
}

async function startLocked(options: EmbeddedOptions, dataDir: string, release: () => void): Promise<Embedded> {
  const { database = "kith", durable = true, settings, say } = options;
  const binaries = options.binaries ?? embeddedBinaries();
  if (!binaries || !existsSync(join(binaries, "postgres"))) throw noBinaries("");
  const home = findHome(binaries, dataDir, say);
  await prepareCluster(home, dataDir, durable);
  const abort = new AbortController();
  const socketDir = socketFolder(dataDir, home.runner.owner);
  const start: Start = { home, dataDir, socketDir, port: PORT, durable, settings, say, abort: abort.signal };
  const running = await bringUp(start);
  if (running.adopted) say("A PostgreSQL that an earlier start left behind is still running; it is used on.");
  const version = await databaseIn(running, database, dataDir);
  // Should it have to be started again, then where the programs that use it expect it.
  const again = { ...start, socketDir: running.socketDir, port: running.port };
  const supervisor = new Supervisor(again, running.pid, abort, release);
  const { adopted, port } = running;
  const { onExit, stop } = supervisor;
  return { socketDir: running.socketDir, port, user: SUPERUSER, database, version, adopted, onExit, stop };
}

async function databaseIn(running: Running, database: string, dataDir: string): Promise<string> {
  try {
    return await ensureDatabase(running, database);
  } catch (error) {
    await endPostmaster(running.pid);
    throw failureFrom(error, dataDir);
  }
}
