#!/usr/bin/env node
// The launcher: starts Kith from a fresh clone with any Node from 20 on. It installs the lockfile's packages
// without their install scripts, builds what is stale, and then runs the entry point.
import * as fs from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { runNode, runTimed, StopError, STARTED_BY_NPM, WINDOWS } from "./runtime/child-process.mjs";
import {
  hasDevelopmentPackages,
  install,
  installKey,
  isInstalled,
  repairPostgres,
} from "./runtime/installation.mjs";
import { withLock } from "./runtime/lock.mjs";
import { npmErrorAdvice, missingPackage, npm } from "./runtime/npm.mjs";
import { build, isBuilt } from "./runtime/page-build.mjs";
import { readJson, ROOT } from "./runtime/stamps.mjs";

const COMMANDS = {
  start: { entry: ["server.ts"], builds: true },
  dev: { entry: ["server.ts", "--dev"], full: true },
  test: { entry: ["test/run.ts"], full: true, builds: true },
  "test:unit": { entry: ["test/run.ts", "--unit"], full: true },
  "test:changed": { entry: ["test/run.ts", "--changed"], full: true, builds: true },
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
  types: { entry: ["src/commands/types.ts"] },
  words: { entry: ["src/commands/words.ts"], full: true },
};

async function main([name = "", ...rest]) {
  const command = Object.hasOwn(COMMANDS, name) && COMMANDS[name];
  if (!command)
    throw new StopError(
      `${name && `There is no command "${name}". `}Commands: ${Object.keys(COMMANDS).join(", ")}.`,
    );
  process.chdir(ROOT);
  const node = findNode() ?? (await withLock(async () => findNode() ?? (await fetchNode())));
  const wanted = { key: installKey(node), full: command.full === true || hasDevelopmentPackages() };
  if (!isInstalled(wanted)) await withLock(async () => isInstalled(wanted) || (await install(node, wanted)));
  repairPostgres();
  if (command.builds && !isBuilt()) await withLock(async () => isBuilt() || (await build(node)));
  if (command.entry) await handOver(node, [...command.entry, ...(rest[0] === "--" ? rest.slice(1) : rest)]);
}

/** Returns the running Node if it is new enough, else the one in `runtime/` if present. */
function findNode() {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= Number(readJson("package.json").engines.node.slice(2)))
    return { path: process.execPath, major };
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
      `Kith has no bundled Node for ${platform}. Please install Node ${readJson("package.json").engines.node}.`,
    );
  return { name, version };
}

async function fetchNode() {
  const { name, version } = pinnedNode();
  await runTimed(`Fetching Node ${version}, since this one is ${process.versions.node} (only once)`, () =>
    npm({ path: process.execPath }, ["ci"], join(ROOT, "runtime")),
  );
  const node = findNode();
  if (!node) throw missingPackage(name);
  return node;
}

/**
 * V8 sizes its heap by the machine's memory: on a large machine it reserves half a gigabyte for a hundred
 * megabytes of data. With these flags the young generation is large enough for a whole request, and the old
 * generation is collected sooner. A page then takes a tenth to a sixth less CPU time with the same memory.
 * Limits set by the operator take precedence.
 */
const HEAP_FLAGS = ["--max-semi-space-size=32", "--heap-growing-percent=40", "--max-old-space-size=1024"];
const heapFlags = () => ((process.env.NODE_OPTIONS ?? "").includes("-space-size") ? [] : HEAP_FLAGS);

async function handOver(node, entry) {
  const args = [...heapFlags(), ...entry];
  process.env.NODE_ENV = process.env.NODE_ENV || "development";
  // Cached V8 code makes a start a third quicker.
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || join(ROOT, "node_modules/.cache/node");
  // Limits the malloc arenas: each thread that compresses or decodes pictures would reserve one, together a
  // hundred megabytes that are never used.
  process.env.MALLOC_ARENA_MAX = process.env.MALLOC_ARENA_MAX || "2";
  // With a fixed threshold, malloc returns the 19 MiB of a password hash to the system. By default malloc
  // would raise the threshold and retain such blocks.
  process.env.MALLOC_MMAP_THRESHOLD_ = process.env.MALLOC_MMAP_THRESHOLD_ || "262144";
  // Every `node` that the entry point starts must be this one.
  process.env.PATH = [dirname(node.path), process.env.PATH].join(delimiter);
  // Replaces this process by the entry point where possible, so that the entry point gets signals directly.
  // Under npm the launcher must stay, to handle signals.
  if (node.path === process.execPath && !WINDOWS && !STARTED_BY_NPM)
    process.execve(node.path, [node.path, ...args], process.env);
  process.exit((await runNode(node, args)).code);
}

const isTooOld = Number.parseInt(process.versions.node, 10) < 20;
const outcome = isTooOld
  ? Promise.reject(new StopError(`Kith needs Node 20 or later; this is ${process.versions.node}.`))
  : main(process.argv.slice(2));
outcome.catch((error) => {
  const sentence =
    error.code && `${error.message}\n\nKith could not be started: ${npmErrorAdvice(error.code)}`;
  console.error(error instanceof StopError ? error.message : (sentence ?? error));
  process.exit(1);
});
