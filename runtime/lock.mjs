// The launcher's lock: only one launch at a time installs and builds.
import * as fs from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const LOCK = fileURLToPath(new URL("../.stamps/launch.lock", import.meta.url));

/** Runs work while holding the lock. The lock file contains the ids of the processes that work under it. */
export async function withLock(work) {
  fs.mkdirSync(dirname(LOCK), { recursive: true });
  for (let announced = false; !takeLock(); announced = true) {
    if (!announced)
      console.log(
        `Another launch is installing or building here; waiting for it. (If there is none, remove ${LOCK}.)`,
      );
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    fs.rmSync(LOCK, { force: true });
  }
}

function takeLock() {
  if (fs.existsSync(LOCK) && isStale()) fs.rmSync(LOCK, { force: true });
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * A lock is stale if it was created before this machine started, when process ids had other meanings, or if
 * all its processes have ended.
 */
function isStale() {
  const { mtimeMs } = fs.statSync(LOCK);
  const pids = fs.readFileSync(LOCK, "utf8").split(" ").map(Number);
  return mtimeMs < Date.now() - uptime() * 1000 || !pids.some((pid) => pid !== process.pid && isAlive(pid));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Adds a child process to the lock, which then stays held until the child ends, even if the launcher is
 * killed.
 */
export const addLockHolder = (pid) => fs.appendFileSync(LOCK, ` ${pid}`);
