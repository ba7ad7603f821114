import { readFileSync, writeFileSync } from "node:fs";

/**
 * `node src/commands/lockfile.ts`: completes the lockfile after `npm install`. When a registry lacks a
 * package for another platform, npm omits it from the lockfile, and `npm ci` then rejects the whole lockfile
 * on every platform. This script adds each missing package with the exact version that its parent requires;
 * npm fetches it only on its own platform.
 */
type LockEntry = {
  version: string;
  optional?: true;
  dev?: true;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const LOCKFILE = "package-lock.json";
const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "x64", "arm", "ia32", "ppc64", "riscv64", "s390x"];

const lockfile: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(LOCKFILE, "utf8"));
const { packages } = lockfile;

/** True when a package at `parent` resolves `name`, from its own folder or a parent folder. */
function resolvesPackage(parent: string, name: string): boolean {
  for (let at = parent; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/"))))
    if (packages[`${at}/node_modules/${name}`]) return true;
  return packages[`node_modules/${name}`] !== undefined;
}

function createLockEntry(name: string, version: string, dev: true | undefined): LockEntry {
  const parts = name.slice(name.lastIndexOf("/") + 1).split("-");
  const cpu = parts.includes("wasm32") ? "wasm32" : PROCESSORS.find((it) => parts.includes(it));
  const os = SYSTEMS.find((it) => parts.includes(it));
  if (!cpu || !/^\d/.test(version)) throw new Error(`${name} ${version}: its platform is unknown.`);
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    optional: true,
    ...(os && cpu !== "wasm32" && { os: [os] }),
    ...(os === "linux" &&
      cpu !== "wasm32" && { libc: [parts.at(-1)!.startsWith("musl") ? "musl" : "glibc"] }),
  };
}

const countBefore = Object.keys(packages).length;
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages))
  for (const [name, version] of Object.entries(optionalDependencies))
    if (parent !== "" && !resolvesPackage(parent, name))
      packages[`node_modules/${name}`] = createLockEntry(name, version, dev);

lockfile.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(LOCKFILE, `${JSON.stringify(lockfile, null, 2)}\n`);
console.log(`${Object.keys(packages).length - countBefore} packages of other platforms added.`);
