import { readFileSync } from "node:fs";

export type Account = { uid: number; gid: number };

/** Who PostgreSQL runs as when root may not be it: its own user where there is one, else nobody. */
export const SERVICE_ACCOUNTS = ["postgres", "nobody"];

const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/** The first of these users that the machine knows. */
export function accountNamed(names: string[], passwd = passwdFile()): Account {
  const lines = passwd.split("\n").map((line) => line.split(":"));
  const line = names.map((name) => lines.find((fields) => fields[0] === name)).find((fields) => fields !== undefined);
  // `>>> 0`: macOS writes -2, the kernel counts without a sign.
  return line ? { uid: Number(line[2]) >>> 0, gid: Number(line[3]) >>> 0 } : NOBODY;
}

function passwdFile(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}
