import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A clock tick of Linux, in microseconds. */
const CLOCK_TICK = 10_000;

/**
 * Makes a measured process report on request its CPU time in microseconds, its memory, and the CPU time of
 * its embedded PostgreSQL in `dataDir`, if any. `known` is sent at once and means that the process listens.
 */
export function reportUsage(
  stop: () => Promise<void> = async () => {},
  known: object = {},
  dataDir?: string,
) {
  process.on("message", (asked) => {
    const { user, system } = process.cpuUsage();
    if (asked === "cpu")
      process.send?.({
        cpu: user + system,
        rss: process.memoryUsage().rss,
        database: dataDir ? readDatabaseCpu(dataDir) : 0,
      });
  });
  process.send?.(known);
  process.on("disconnect", () => void stop().finally(() => process.exit(0)));
}

/**
 * Returns the CPU time of the PostgreSQL server and all its current processes on Linux; 0 on other systems,
 * which do not report it.
 */
function readDatabaseCpu(dataDir: string): number {
  if (process.platform !== "linux") return 0;
  const server = readFileSync(join(dataDir, "cluster/postmaster.pid"), "utf8").split("\n")[0]!;
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((it) => /^\d+$/.test(it))) {
    const { parent, spent } = readProcessTimes(pid);
    if (pid === server || parent === server) ticks += spent;
  }
  return ticks * CLOCK_TICK;
}

/**
 * Fields 4, 14 and 15 of /proc/[pid]/stat, proc(5); the second is a name in brackets. A process that has
 * ended counts as 0.
 */
function readProcessTimes(pid: string): { parent: string; spent: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
    return { parent: fields[1]!, spent: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return { parent: "", spent: 0 };
  }
}
