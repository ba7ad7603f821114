import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#platform/errors";

/** Content of the postmaster.pid file in the cluster. */
export type PostmasterFile = {
  pid: number;
  port: number;
  socketDir: string;
  /** "starting", "ready", "standby" or "stopping"; empty while the postmaster has not written it yet. */
  status: string;
};

/** Returns null when there is no complete pid file. */
export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return null;
    return { pid, port: Number(lines[3]), socketDir: lines[4] ?? "", status: (lines[7] ?? "").trim() };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

export const removePostmasterFile = (cluster: string) =>
  rmSync(join(cluster, "postmaster.pid"), { force: true });
