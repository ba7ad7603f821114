import { readFileSync, renameSync, rmSync, statSync, linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#platform/errors";
import { parseTrustedJson } from "#platform/json";
import { EmbeddedFailure } from "./embedded-failure.ts";
import { processIdentity } from "./processes.ts";

/**
 * Milliseconds for which an empty lock file counts as being written. One that is empty for longer was left
 * by a full disk.
 */
const BEING_WRITTEN_MS = 2_000;

/**
 * Locks the data folder for this process and returns the release function. A lock whose process is gone is
 * taken over.
 * @throws `EmbeddedFailure` "locked" when another process has it
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, "lock");
  const mine = JSON.stringify({ pid: process.pid, process: processIdentity(process.pid) });
  for (let attempt = 0; attempt < 5; attempt++) {
    if (writeLock(path, mine)) return () => releaseLock(path, mine);
    const found = readLock(path);
    if (found === null) continue;
    const holder = describeHolder(path, found);
    if (holder) throw lockedFailure(holder, dataDir, path);
    removeStaleLock(path, found);
  }
  throw lockedFailure("another one", dataDir, path);
}

/** Describes the process that has locked the folder; null when the folder is free. Changes nothing. */
export function findLockHolder(dataDir: string): string | null {
  const path = join(dataDir, "lock");
  const found = readLock(path);
  return found === null ? null : describeHolder(path, found);
}

function writeLock(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    // On a full disk the file is created without content.
    rmSync(path, { force: true });
    throw error;
  }
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Describes the holder of the lock; null when there is none. */
function describeHolder(path: string, content: string): string | null {
  try {
    const { pid, process: identity } = parseTrustedJson<{ pid: number; process: string }>(content);
    return processIdentity(pid) === identity ? `process ${pid}` : null;
  } catch {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return age < BEING_WRITTEN_MS ? "a process that is just starting" : null;
  }
}

/**
 * Two processes may find the same stale lock. The lock is renamed before it is removed, so that a process
 * that has renamed the fresh lock of the other one can restore it.
 */
function removeStaleLock(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readLock(aside) !== stale) linkSync(aside, path);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseLock(path: string, mine: string): void {
  if (readLock(path) === mine) rmSync(path, { force: true });
}

const lockedFailure = (holder: string, dataDir: string, path: string) =>
  new EmbeddedFailure(
    "locked",
    `Another Kith (${holder}) uses the data folder ${dataDir}.`,
    `Stop it first, or set KITH_DATA to another folder. If no Kith is running, remove ${path}.`,
  );
