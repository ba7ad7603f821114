import {
  closeSync,
  copyFileSync,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import type { SystemAccount } from "./system-accounts.ts";

const MAX_LOG_SIZE = 5 * 1024 * 1024;

export const logPath = (dataDir: string) => join(dataDir, "postgres.log");

/** Current size of the log: the position from which the output of a start is read. */
export const logSize = (dataDir: string) => statSync(logPath(dataDir), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Limits the log to twice 5 MB. It is copied and truncated, not renamed, because a running server continues
 * to write to the same file.
 */
export function limitLog(dataDir: string): void {
  const path = logPath(dataDir);
  if (logSize(dataDir) <= MAX_LOG_SIZE) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path);
}

/**
 * Opens the log for appending. The user who runs PostgreSQL becomes its owner, because that user may start
 * Kith next time.
 */
export function openLogFile(dataDir: string, owner: SystemAccount): number {
  const file = openSync(logPath(dataDir), "a", 0o600);
  if (fstatSync(file).uid !== owner.uid) fchownSync(file, owner.uid, owner.gid);
  return file;
}

/** Returns the log since `from`, at most the last 16 KB. */
export function readLogSince(dataDir: string, from: number): string {
  const length = Math.min(Math.max(logSize(dataDir) - from, 0), 16_384);
  const buffer = Buffer.alloc(length);
  const file = openSync(logPath(dataDir), "r");
  readSync(file, buffer, 0, length, Math.max(logSize(dataDir) - length, 0));
  closeSync(file);
  return buffer.toString("utf8");
}
