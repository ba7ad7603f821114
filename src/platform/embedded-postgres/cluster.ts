import { spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { EmbeddedFailure, toEmbeddedFailure, foreignDataFailure } from "./embedded-failure.ts";
import { chownTree, type ClusterLocation } from "./cluster-location.ts";
import { majorVersion, programCall } from "./program-runner.ts";

export const SUPERUSER = "kith";

/**
 * The first of these locales that the system has is used. Without a UTF-8 locale, pg_trgm recognises only
 * ASCII letters.
 */
const LOCALES = ["C.UTF-8", "en_US.UTF-8", "C"];

/**
 * Only its owner may enter the socket's folder, so everyone who reaches the socket is trusted; there is no
 * other way to connect.
 */
const PG_HBA = "local all all trust\n";

/**
 * Creates the cluster on first use and gives it to the user who runs PostgreSQL.
 * @throws `EmbeddedFailure` "not-ours", "version-mismatch", "disk-full" or "read-only"
 */
export async function prepareCluster(
  home: ClusterLocation,
  dataDir: string,
  durable: boolean,
): Promise<void> {
  if (existsSync(join(dataDir, "PG_VERSION")))
    throw foreignDataFailure(dataDir, "is itself a PostgreSQL cluster");
  const version = readClusterVersion(home.cluster);
  if (version === null) await createCluster(home, dataDir, durable);
  else if (version !== majorVersion(home.version)) throw versionMismatch(home, version);
  const { owner } = home.runner;
  if (statSync(home.cluster).uid !== owner.uid) chownTree(owner, home.cluster);
  const link = join(dataDir, "cluster");
  if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(home.cluster, link);
}

/** Major version of the cluster, null when there is none yet. */
export function readClusterVersion(cluster: string): number | null {
  const found = statSync(cluster, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isDirectory()) throw foreignDataFailure(cluster, "is not a folder");
  const names = readdirSync(cluster);
  if (names.length === 0) return null;
  if (!names.includes("PG_VERSION"))
    throw foreignDataFailure(cluster, "contains other files than a database");
  return Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10);
}

/**
 * Creates the cluster next to its final path and renames it when complete, so that an interrupted start
 * leaves no partial cluster.
 */
async function createCluster(home: ClusterLocation, dataDir: string, durable: boolean): Promise<void> {
  removeUnfinished(home.cluster);
  // The name is unique because the initdb of a killed start may still be writing to an earlier folder.
  const unfinished = mkdtempSync(`${home.cluster}.new-`);
  try {
    await initializeCluster(home, unfinished, durable);
    writeFileSync(join(unfinished, "pg_hba.conf"), PG_HBA, { flush: true });
    renameSync(unfinished, home.cluster);
  } catch (error) {
    throw toEmbeddedFailure(error, dataDir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeUnfinished(cluster: string): void {
  const folder = dirname(cluster);
  for (const name of readdirSync(folder).filter((found) => found.startsWith(`${basename(cluster)}.new-`))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // A process still uses the folder, which is removed when the next cluster is created.
    }
  }
}

async function initializeCluster(home: ClusterLocation, folder: string, durable: boolean): Promise<void> {
  const { owner } = home.runner;
  if (owner.uid !== process.getuid?.()) chownSync(folder, owner.uid, owner.gid);
  for (const letters of LOCALES) {
    const output = await runInitdb(home, [
      ...initdbArguments(home, letters),
      ...(durable ? [] : ["--no-sync"]),
      "-D",
      folder,
    ]);
    if (output === null) return;
    // initdb has removed its files, so the next locale can be tried in the same folder.
    if (!output.includes("invalid locale name")) throw new Error(output);
  }
}

function initdbArguments({ version }: ClusterLocation, letters: string): string[] {
  const args = [
    "--username",
    SUPERUSER,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    `--lc-ctype=${letters}`,
  ];
  // From version 17 on, sorting and case do not depend on the system's C library.
  return majorVersion(version) >= 17
    ? [...args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    : args;
}

/** Returns null on success, else the output of initdb. */
function runInitdb({ runner }: ClusterLocation, args: string[]): Promise<string | null> {
  const { file, args: all, options } = programCall(runner, "initdb", args);
  return new Promise((resolve, reject) => {
    const child = spawn(file, all, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0 ? null : output || `initdb ended with code ${code}`));
  });
}

const versionMismatch = (home: ClusterLocation, found: number) =>
  new EmbeddedFailure(
    "version-mismatch",
    `The database in ${home.cluster} was created by PostgreSQL ${found}; this Kith comes with ${home.version}.`,
    `Start it with the Kith that created it, export the community there, and import it into an empty data folder here.`,
  );
