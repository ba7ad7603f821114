import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { startOrAdoptServer, type RunningServer } from "./start-or-adopt.ts";
import { embeddedBinaries } from "./binaries.ts";
import { prepareCluster, SUPERUSER } from "./cluster.ts";
import { ensureDatabase } from "./server-session.ts";
import { toEmbeddedFailure } from "./embedded-failure.ts";
import { locateCluster, makeDataFolder } from "./cluster-location.ts";
import { lockFolder } from "./folder-lock.ts";
import { stopPostmaster, type PostmasterOptions } from "./postmaster.ts";
import { noBinariesFailure } from "./program-runner.ts";
import { PORT, socketFolder } from "./socket-folder.ts";
import { Supervisor } from "./supervisor.ts";

export type EmbeddedOptions = {
  /** Folder of the cluster, its log and the lock; created when missing. */
  dataDir: string;
  /** Folder of `initdb` and `postgres`; by default those of this platform's package. */
  binaries?: string;
  /** Name of the database, "kith" by default. The database is created when missing. */
  database?: string;
  /** False only for tests: faster, but acknowledged writes may be lost in a power cut. */
  durable?: boolean;
  /** Additional server settings by name. */
  settings?: Record<string, string>;
  /** Called with a whole sentence about each delay or problem. */
  print: (sentence: string) => void;
};

/** An embedded PostgreSQL, reachable over the unix socket in `socketDir`. */
export type EmbeddedServer = {
  socketDir: string;
  port: number;
  user: string;
  database: string;
  /** Version of PostgreSQL, such as "18.4". */
  version: string;
  /** True when it was already running because an earlier Kith process had been killed. */
  adopted: boolean;
  /** Called each time the server ends unexpectedly. The server is then restarted at the same address. */
  onExit(listener: (why: string) => void): void;
  /** Stops the server gracefully, and forcibly after ten seconds. May be called more than once. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a data folder, or adopts the one already running there, and keeps it
 * running.
 * @throws `EmbeddedFailure` with code, message and advice
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    makeDataFolder(resolve(options.dataDir));
    // Lock, socket and cluster are found by the folder's real path, even if `options.dataDir` is a link to
    // it.
    const dataDir = realpathSync(options.dataDir);
    const release = lockFolder(dataDir);
    return await startLocked(options, dataDir, release).catch((error: unknown) => {
      release();
      throw error;
    });
  } catch (error) {
    // An error without a system code is a bug, and is rethrown unchanged.
    throw error instanceof Error && "code" in error ? toEmbeddedFailure(error, options.dataDir) : error;
  }
}

async function startLocked(
  options: EmbeddedOptions,
  dataDir: string,
  release: () => void,
): Promise<EmbeddedServer> {
  const { database = "kith", durable = true, settings, print } = options;
  const binaries = options.binaries ?? embeddedBinaries();
  if (!binaries || !existsSync(join(binaries, "postgres"))) throw noBinariesFailure("");
  const home = locateCluster(binaries, dataDir, print);
  await prepareCluster(home, dataDir, durable);
  const abort = new AbortController();
  const socketDir = socketFolder(dataDir, home.runner.owner);
  const start: PostmasterOptions = {
    home,
    dataDir,
    socketDir,
    port: PORT,
    durable,
    settings,
    print,
    abort: abort.signal,
  };
  const running = await startOrAdoptServer(start);
  if (running.adopted) print("A PostgreSQL of an earlier start is still running; Kith uses it.");
  const version = await prepareDatabaseIn(running, database, dataDir);
  // A restart uses the same address, where clients expect the server.
  const again = { ...start, socketDir: running.socketDir, port: running.port };
  const supervisor = new Supervisor(again, running.pid, abort, release);
  const { adopted, port } = running;
  const { onExit, stop } = supervisor;
  return { socketDir: running.socketDir, port, user: SUPERUSER, database, version, adopted, onExit, stop };
}

async function prepareDatabaseIn(running: RunningServer, database: string, dataDir: string): Promise<string> {
  try {
    return await ensureDatabase(running, database);
  } catch (error) {
    await stopPostmaster(running.pid);
    throw toEmbeddedFailure(error, dataDir);
  }
}
