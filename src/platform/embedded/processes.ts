import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** What /proc/<pid>/stat says after the name: the state first, the start time (in ticks since boot) as twentieth. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

const ended = (state: string | undefined) => state === "Z" || state === "X";

/** Whether the process runs. One that ended and waits for its parent to notice does not: in containers it may wait for ever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !ended(statOf(pid)?.[0]);
}

/** Tells a process from a later one of the same number: the boot and the moment at which it started. Null when it is gone. */
export function identityOf(pid: number): string | null {
  if (!isAlive(pid)) return null;
  const started = statOf(pid)?.[19];
  if (started) return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${started}`;
  return ask("ps", ["-o", "lstart=", "-p", String(pid)]) || "unknown";
}

/** Whether the process is a PostgreSQL of this folder: each of its processes has it as working directory. */
export const worksIn = (pid: number, folder: string) =>
  linksTo(pid, folder) ?? ask("ps", ["-o", "command=", "-p", String(pid)]).includes(folder);

/** The same by /proc; null where it cannot be read. */
function linksTo(pid: number, folder: string): boolean | null {
  try {
    const isPostgres = /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`));
    return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return null;
  }
}

/** All processes of PostgreSQL that work in this folder; none where there is no /proc. */
export function workersIn(folder: string): number[] {
  try {
    const pids = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
    return pids.filter((pid) => linksTo(pid, folder));
  } catch {
    return [];
  }
}

/** Waits until the process is gone, at the most `ms` milliseconds; says whether it is. */
export async function untilGone(pid: number, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** Signals a process that may be gone already. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or a process of somebody else under a number that was used again: nothing of ours to end.
  }
}

const ask = (program: string, args: string[]) => spawnSync(program, args, { encoding: "utf8" }).stdout?.trim() ?? "";
