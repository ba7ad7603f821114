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
import { EmbeddedFailure, failureFrom, notOurs } from "./failure.ts";
import { giveTo, type Home } from "./home.ts";
import { majorOf, programOf } from "./runner.ts";

export const SUPERUSER = "kith";

/** The first that the system knows is used. Without one of UTF-8, pg_trgm takes only ASCII letters for letters. */
const LETTERS = ["C.UTF-8", "en_US.UTF-8", "C"];

/** The socket lies in a folder that only its owner may enter: who reaches it is he. Nobody else is let in at all. */
const ACCESS = "local all all trust\n";

/**
 * Sees to it that the cluster is there and ours: makes it on first use, gives it to who runs PostgreSQL.
 * Throws `EmbeddedFailure` "not-ours", "version-mismatch", "disk-full" or "read-only".
 */
export async function prepareCluster(home: Home, dataDir: string, durable: boolean): Promise<void> {
  if (existsSync(join(dataDir, "PG_VERSION"))) throw notOurs(dataDir, "is itself a cluster of PostgreSQL");
  const version = versionOf(home.cluster);
  if (version === null) await makeCluster(home, dataDir, durable);
  else if (version !== majorOf(home.version)) throw otherVersion(home, version);
  const { owner } = home.runner;
  if (statSync(home.cluster).uid !== owner.uid) giveTo(owner, home.cluster);
  const link = join(dataDir, "cluster");
  if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(home.cluster, link);
}

/** The major version of the cluster, null when there is none yet. */
export function versionOf(cluster: string): number | null {
  const found = statSync(cluster, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isDirectory()) throw notOurs(cluster, "is not a folder");
  const names = readdirSync(cluster);
  if (names.length === 0) return null;
  if (!names.includes("PG_VERSION")) throw notOurs(cluster, "holds other things than a database");
  return Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10);
}

/** Made beside its place and moved there when it is whole: an interrupted start leaves nothing half made. */
async function makeCluster(home: Home, dataDir: string, durable: boolean): Promise<void> {
  clearUnfinished(home.cluster);
  // A name of our own: the initdb of a start that was killed may still be writing under another.
  const unfinished = mkdtempSync(`${home.cluster}.new-`);
  try {
    await initialise(home, unfinished, durable);
    writeFileSync(join(unfinished, "pg_hba.conf"), ACCESS, { flush: true });
    renameSync(unfinished, home.cluster);
  } catch (error) {
    throw failureFrom(error, dataDir);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function clearUnfinished(cluster: string): void {
  const folder = dirname(cluster);
  for (const name of readdirSync(folder).filter((found) => found.startsWith(`${basename(cluster)}.new-`))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Something is still at it. The next time that a cluster is made here, it will have ended.
    }
  }
}

async function initialise(home: Home, folder: string, durable: boolean): Promise<void> {
  const { owner } = home.runner;
  if (owner.uid !== process.getuid?.()) chownSync(folder, owner.uid, owner.gid);
  for (const letters of LETTERS) {
    const said = await runInitdb(home, [...initdbArguments(home, letters), ...(durable ? [] : ["--no-sync"]), "-D", folder]);
    if (said === null) return;
    // What initdb has begun it removes itself.
    if (!said.includes("invalid locale name")) throw new Error(said);
  }
}

function initdbArguments({ version }: Home, letters: string): string[] {
  const args = ["--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C", `--lc-ctype=${letters}`];
  // From 17 on, the order and the case of letters do not depend on the system's C library.
  return majorOf(version) >= 17 ? [...args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : args;
}

/** Null when it went well, else what it said. */
function runInitdb({ runner }: Home, args: string[]): Promise<string | null> {
  const { file, args: all, options } = programOf(runner, "initdb", args);
  return new Promise((resolve, reject) => {
    const child = spawn(file, all, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0 ? null : said || `initdb ended with code ${code}`));
  });
}

const otherVersion = (home: Home, found: number) =>
  new EmbeddedFailure(
    "version-mismatch",
    `The database in ${home.cluster} was made by PostgreSQL ${found}; this Kith comes with ${home.version}.`,
    `Start it with the Kith that made it, export the community there, and import it into an empty data folder here.`,
  );
