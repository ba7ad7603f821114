import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SystemAccount } from "./system-accounts.ts";
import { EmbeddedFailure, foreignDataFailure } from "./embedded-failure.ts";
import {
  type ProgramRunner,
  type RunnerTrial,
  noBinariesFailure,
  listRunners,
  tryRunner,
} from "./program-runner.ts";
import { hashPath } from "./socket-folder.ts";

/**
 * Folder for the cluster when Kith runs as root and PostgreSQL's user cannot reach the data folder or our
 * binaries.
 */
const STATE_FOLDER = "/var/lib/kith";

export type ClusterLocation = {
  runner: ProgramRunner;
  /** Version of PostgreSQL, such as "18.4". */
  version: string;
  /** Path of the cluster, existing or to be created. */
  cluster: string;
};

/**
 * Finds a user who can run PostgreSQL and a path that this user can reach.
 * @throws `EmbeddedFailure` "no-binaries"
 */
export function locateCluster(
  binaries: string,
  dataDir: string,
  print: (sentence: string) => void,
): ClusterLocation {
  const cluster = clusterPath(dataDir);
  let last: RunnerTrial | null = null;
  for (const runner of listRunners(binaries, cluster)) {
    last = tryRunner(runner, dirname(cluster));
    if (last.version && last.enters) return { runner, version: last.version, cluster };
  }
  if (last?.runner.how !== "user") throw noBinariesFailure(last?.output ?? "");
  return locateElsewhere(last, cluster, print);
}

/** Path of the cluster: in the data folder, or the target of a symbolic link there. */
function clusterPath(dataDir: string): string {
  const path = join(dataDir, "cluster");
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  if (existsSync(path)) return realpathSync(path);
  throw new EmbeddedFailure(
    "not-ours",
    `The link ${path} points to a folder that does not exist.`,
    "Restore that folder, or remove the link to start with an empty database.",
  );
}

/**
 * Finds a location when Kith runs as root and PostgreSQL's user cannot reach our binaries, our data, or
 * both.
 */
function locateElsewhere(
  trial: RunnerTrial,
  cluster: string,
  print: (sentence: string) => void,
): ClusterLocation {
  if (!trial.enters && existsSync(cluster)) throw outOfReachFailure(cluster);
  const runner = trial.version ? trial.runner : copyPrograms(trial.runner);
  const folder = trial.enters ? dirname(cluster) : join(STATE_FOLDER, hashPath(cluster));
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const { version, enters, output } = tryRunner(runner, folder);
  if (!version || !enters) throw noBinariesFailure(output);
  if (!trial.enters)
    print(
      `The database is stored in ${folder}: PostgreSQL must not run as root, and no other user can ` +
        `enter ${dirname(cluster)}.`,
    );
  return { runner, version, cluster: join(folder, "cluster") };
}

/**
 * Kith does not start with a cluster that is out of reach: an empty database at another path would look like
 * lost data.
 */
const outOfReachFailure = (cluster: string) =>
  new EmbeddedFailure(
    "cannot-start",
    `PostgreSQL must not run as root, and no other user can enter ${dirname(cluster)}, where the database is.`,
    "Start Kith as an ordinary user who owns that folder, or give others access to it and its parents (chmod o+x).",
  );

function copyPrograms(runner: ProgramRunner): ProgramRunner {
  const { mtimeMs } = statSync(join(runner.binaries, "postgres"));
  const target = join(STATE_FOLDER, `postgresql-${hashPath(`${runner.binaries} ${mtimeMs}`)}`);
  const unfinished = `${target}.${process.pid}`;
  if (!existsSync(target)) {
    mkdirSync(STATE_FOLDER, { recursive: true, mode: 0o711 });
    cpSync(dirname(runner.binaries), unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, target);
  }
  return { ...runner, binaries: join(target, "bin") };
}

/** Gives a file tree to the user who runs PostgreSQL. Links are changed, not followed. */
export function chownTree(owner: SystemAccount, path: string): void {
  lchownSync(path, owner.uid, owner.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownTree(owner, join(path, name));
}

/**
 * Creates the data folder. When root creates it in a user's folder, that user becomes its owner and can start
 * Kith as well.
 */
export function makeDataFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw foreignDataFailure(path, "is not a folder");
  // Two steps, because the recursive mkdir reports a misleading reason on a read-only disk.
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  if (process.getuid?.() !== 0 || statSync(path).uid !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) chownSync(path, uid, gid);
}
