import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What a running postmaster writes about itself into its cluster. */
export type PostmasterFile = {
  pid: number;
  port: number;
  socketDir: string;
  /** "starting", "ready", "standby" or "stopping"; empty while it has not got that far. */
  status: string;
};

/** Null when no postmaster has left one, or it is only being written. */
export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3]), socketDir: lines[4] ?? "", status: (lines[7] ?? "").trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export const removePostmasterFile = (cluster: string) => rmSync(join(cluster, "postmaster.pid"), { force: true });
