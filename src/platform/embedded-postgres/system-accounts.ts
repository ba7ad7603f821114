import { readFileSync } from "node:fs";

export type SystemAccount = { uid: number; gid: number };

/**
 * Accounts under which PostgreSQL runs when Kith is root: its own account if it exists, else the
 * unprivileged default.
 */
export const SERVICE_ACCOUNTS = ["postgres", "nobody"];

const FALLBACK_ACCOUNT: SystemAccount = { uid: 65_534, gid: 65_534 };

/** Returns the first of these users that the machine has. */
export function findSystemAccount(names: string[], passwd = readPasswdFile()): SystemAccount {
  const lines = passwd.split("\n").map((line) => line.split(":"));
  const line = names
    .map((name) => lines.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined);
  // `>>> 0`: macOS writes -2, the kernel counts unsigned.
  return line ? { uid: Number(line[2]) >>> 0, gid: Number(line[3]) >>> 0 } : FALLBACK_ACCOUNT;
}

function readPasswdFile(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}
