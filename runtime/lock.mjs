// For the launcher: one launch at a time installs and builds in one place.
import * as fs from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const LOCK = fileURLToPath(new URL("../.stamps/launch.lock", import.meta.url));

/** Two launches must not install or build in one place. The lock names the processes that are at it. */
export async function underLock(work) {
  fs.mkdirSync(dirname(LOCK), { recursive: true });
  for (let told = false; !takeLock(); told = true) {
    if (!told)
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

/** From before this boot, when the numbers were those of other processes; or all that it names are gone. */
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

/** What the holder of the lock has begun is at it as well: it holds until that is done, should the holder be killed. */
export const alsoUnderLock = (pid) => fs.appendFileSync(LOCK, ` ${pid}`);
