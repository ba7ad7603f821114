// Runs Node programs for the launcher, and forwards signals to them.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { isatty } from "node:tty";
import { addLockHolder } from "./lock.mjs";
import { ROOT } from "./stamps.mjs";

export const WINDOWS = process.platform === "win32";
export const STARTED_BY_NPM = process.env.npm_lifecycle_event !== undefined;

/** Ends the launcher with a sentence instead of a stack trace. */
export class StopError extends Error {}

export async function runTimed(what, work) {
  const began = Date.now();
  console.log(`${what}…`);
  await work();
  console.log(`  done in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/** Runs a Node program to its end. Its output is shown as it comes, or returned if `quiet`. */
export function runNode(node, args, { cwd = ROOT, env = process.env, quiet = false } = {}) {
  const child = spawn(node.path, args, { cwd, env, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" });
  if (quiet) addLockHolder(child.pid);
  const received = relaySignals(child);
  let output = "";
  for (const stream of quiet ? [child.stdout, child.stderr] : [])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(new StopError(`${node.path} cannot be run here (${error.message}). Please install Node.`)),
    );
    child.on("close", (code, signal) => {
      if (quiet && received.size > 0) process.exit(128 + constants.signals[[...received][0]]);
      resolve({ code: signal ? 128 + constants.signals[signal] : code, output });
    });
  });
}

/**
 * Forwards each signal once, because npm repeats them. Signals of a terminal reach all its processes anyway
 * and are not forwarded.
 */
function relaySignals(child) {
  const received = new Set();
  const inTerminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(name, () => {
      if (!received.has(name) && (name === "SIGTERM" || !inTerminal)) child.kill(name);
      received.add(name);
    });
  }
  // npm runs the launcher in a shell, which ends on npm's signals without passing them on. The end of the
  // shell therefore counts as the signal.
  const parent = process.ppid;
  const checkParent = () => process.ppid !== parent && received.size === 0 && process.emit("SIGTERM");
  if (STARTED_BY_NPM) setInterval(checkParent, 250).unref();
  return received;
}
