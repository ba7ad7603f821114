// Runs npm for the launcher, and says what to do if npm fails.
import * as fs from "node:fs";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { runNode, StopError } from "./child-process.mjs";
import { ROOT } from "./stamps.mjs";

export const missingPackage = (what) =>
  new StopError(`npm did not install ${what}. Is this machine online, with 500 MB of free disk space?`);

export async function npm(node, args, cwd) {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, output } = await runNode(node, [findNpm(), ...args, ...quietly], { cwd, quiet: true });
  // npm prints the reason first. A page about its usage may follow, which is cut off.
  const reason = output.trim().split("\n").slice(0, 12).join("\n");
  if (code !== 0) throw new StopError(`${reason}\n\nThe installation failed: ${npmErrorAdvice(output)}`);
}

/** Finds npm's own script, so that the chosen Node runs npm directly, without a shell. */
function findNpm() {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => fs.existsSync(join(folder, "npm")));
  const beside = folders.flatMap((folder) => [
    fs.realpathSync(join(folder, "npm")),
    join(folder, "node_modules/npm/bin/npm-cli.js"),
  ]);
  const candidates = [
    process.env.npm_execpath ?? "",
    ...beside,
    join(process.execPath, "../../lib/node_modules/npm/bin/npm-cli.js"),
  ];
  const found = candidates.find((path) => basename(path) === "npm-cli.js" && fs.existsSync(path));
  if (!found) throw new StopError("npm was not found. It comes with Node: https://nodejs.org.");
  return found;
}

export function npmErrorAdvice(output) {
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED/.test(output))
    return "the package registry cannot be reached. Is this machine online? Does it need a proxy?";
  if (/ENOSPC|EDQUOT/.test(output)) return "the disk is full. Free some space, then try again.";
  if (/EACCES|EPERM|EROFS/.test(output)) return `this user may not write to ${ROOT}, or to npm's cache.`;
  if (/EUSAGE/.test(output)) return "package.json and package-lock.json do not match. Run npm install.";
  return "see the reason above. Trying again may help.";
}
