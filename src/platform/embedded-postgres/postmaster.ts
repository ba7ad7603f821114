import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { toEmbeddedFailure } from "./embedded-failure.ts";
import type { ClusterLocation } from "./cluster-location.ts";
import { limitLog, logSize, readLogSince, openLogFile } from "./server-log.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isProcessAlive, sendSignal, waitUntilGone } from "./processes.ts";
import { noBinariesFailure, programCall } from "./program-runner.ts";
import { serverSettings } from "./server-settings.ts";
import { removeStaleSocket } from "./socket-folder.ts";

export type PostmasterOptions = {
  home: ClusterLocation;
  dataDir: string;
  socketDir: string;
  port: number;
  durable: boolean;
  settings: Record<string, string> | undefined;
  print: (sentence: string) => void;
  /** Cancels all waiting. */
  abort: AbortSignal;
};

/** A previous postmaster of the same cluster may still hold shared memory or the pid file for a moment. */
const CLUSTER_IN_USE = /pre-existing shared memory block|is still in use|lock file ".*" already exists/;

/**
 * Starts a postmaster and waits until it accepts connections. Returns null when an earlier one still blocks
 * the start.
 */
export async function launchPostmaster(start: PostmasterOptions): Promise<number | null> {
  limitLog(start.dataDir);
  const from = logSize(start.dataDir);
  const child = spawnPostmaster(start);
  await new Promise((resolve, reject) =>
    child.once("spawn", resolve).once("error", (error) => reject(noBinariesFailure(error.message))),
  );
  const pid = child.pid!;
  try {
    await waitUntilReady(start, pid, () => child.exitCode === null && child.signalCode === null);
    return pid;
  } catch (error) {
    if (start.abort.aborted) await stopPostmaster(pid);
    if (!(error instanceof PostmasterEnded)) throw error;
    const logSince = readLogSince(start.dataDir, from);
    if (CLUSTER_IN_USE.test(logSince)) return null;
    throw toEmbeddedFailure(logSince, start.dataDir);
  }
}

/**
 * Detached: Ctrl-C in the terminal reaches Kith, which then stops the server in order. Unreferenced: it does
 * not keep Node running.
 */
function spawnPostmaster(start: PostmasterOptions): ChildProcess {
  const { runner, cluster } = start.home;
  mkdirSync(start.socketDir, { recursive: true, mode: 0o700 });
  removeStaleSocket(start.socketDir, start.port);
  if (runner.how === "user") chownSync(start.socketDir, runner.owner.uid, runner.owner.gid);
  const { file, args, options } = programCall(runner, "postgres", ["-D", cluster, ...serverSettings(start)]);
  const log = openLogFile(start.dataDir, runner.owner);
  const child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  child.unref();
  return child;
}

class PostmasterEnded extends Error {}

/**
 * Waits until our postmaster is ready; after a crash it first replays its WAL, however long that takes.
 * Throws when the postmaster ends before it is ready.
 */
export async function waitUntilReady(
  start: PostmasterOptions,
  pid: number,
  alive = () => isProcessAlive(pid),
): Promise<void> {
  let word = Date.now() + 5_000;
  for (;;) {
    const found = readPostmasterFile(start.home.cluster);
    if (found?.pid === pid && found.status === "ready") return;
    if (!alive() || found?.status === "stopping") throw new PostmasterEnded();
    if (Date.now() > word) {
      start.print("PostgreSQL is recovering from an interruption. Please wait.");
      word = Date.now() + 15_000;
    }
    await pause(5, undefined, { signal: start.abort });
  }
}

/**
 * Stops a postmaster gracefully, and forcibly after `timeout` milliseconds. Committed data is safe either
 * way.
 */
export async function stopPostmaster(pid: number, timeout = 10_000): Promise<void> {
  sendSignal(pid, "SIGINT");
  if (await waitUntilGone(pid, timeout)) return;
  sendSignal(pid, "SIGQUIT");
  // The postmaster itself kills children that ignore its SIGQUIT after five seconds.
  if (await waitUntilGone(pid, 7_000)) return;
  sendSignal(pid, "SIGKILL");
  await waitUntilGone(pid, 2_000);
}
