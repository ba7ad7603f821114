import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "#platform/errors";

/**
 * Fields of /proc/<pid>/stat after the name: the state first, the start time (ticks since boot) as twentieth.
 */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

const hasEnded = (state: string | undefined) => state === "Z" || state === "X";

/** True when the process runs. A zombie does not count: in a container it may remain for ever. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (errorCode(error) !== "EPERM") return false;
  }
  return !hasEnded(readStat(pid)?.[0]);
}

/**
 * Identifies a process by boot and start time, so that a later process with the same pid differs. Null when
 * the process is gone.
 */
export function processIdentity(pid: number): string | null {
  if (!isProcessAlive(pid)) return null;
  const started = readStat(pid)?.[19];
  if (started) return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${started}`;
  return runProgram("ps", ["-o", "lstart=", "-p", String(pid)]) || "unknown";
}

/**
 * True when the process is a PostgreSQL of this folder: the folder is the working directory of each of its
 * processes.
 */
export const isPostgresIn = (pid: number, folder: string) =>
  hasWorkingFolder(pid, folder) ?? runProgram("ps", ["-o", "command=", "-p", String(pid)]).includes(folder);

/** Checks the working directory in /proc; null where it cannot be read. */
function hasWorkingFolder(pid: number, folder: string): boolean | null {
  try {
    const isPostgres = /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`));
    return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return null;
  }
}

/** All PostgreSQL processes that work in this folder; empty without /proc. */
export function listPostgresProcesses(folder: string): number[] {
  try {
    const pids = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    return pids.filter((pid) => hasWorkingFolder(pid, folder));
  } catch {
    return [];
  }
}

/** Waits up to `ms` milliseconds until the process is gone; returns whether it is. */
export async function waitUntilGone(pid: number, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (isProcessAlive(pid)) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** Signals a process that may already be gone. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone, or its pid now belongs to another user's process, which is not ours to end.
  }
}

const runProgram = (program: string, args: string[]) =>
  spawnSync(program, args, { encoding: "utf8" }).stdout?.trim() ?? "";
