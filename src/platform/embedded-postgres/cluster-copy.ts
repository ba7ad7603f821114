import { existsSync, type Dirent, realpathSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { readClusterVersion } from "./cluster.ts";
import { openSession } from "./server-session.ts";
import { EmbeddedFailure } from "./embedded-failure.ts";
import { readPostmasterPid } from "./inspect-data.ts";
import { lockFolder } from "./folder-lock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";

/** One entry of a copied folder: a file, a text, or a folder that may be empty. Names use slashes. */
export type CopyEntry = { name: string; content: Readable | string | null };

/**
 * Files that belong to the running server alone, or that the next server creates again (PostgreSQL, "Backing
 * up the data directory").
 */
const EXCLUDED = /^postmaster\.(pid|opts)$|(^|\/)(pg_internal\.init|pgsql_tmp)/;
/** Folders that a new server needs, copied without their content. */
const EMPTY_FOLDERS =
  /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
/** Write-ahead log. It is copied last, when the files that the copy needs are known. */
const WAL_FILES = /^pg_wal\/./;
/** Holds the checkpoint from which recovery begins; read last, as in PostgreSQL's own backups. */
const CONTROL_FILE = "global/pg_control";

/**
 * Yields the cluster of a data folder entry by entry, whether Kith runs or not. A server started on the copy
 * has the database as of the last entry. Read each entry to its end before requesting the next.
 * @throws `EmbeddedFailure` "not-ours" without a cluster, "locked" while a Kith is starting or stopping
 */
export async function* copyCluster(dataDir: string): AsyncGenerator<CopyEntry> {
  const folder = realpathSync(dataDir);
  if (
    !existsSync(join(folder, "cluster")) ||
    readClusterVersion(realpathSync(join(folder, "cluster"))) === null
  )
    throw noClusterFailure(folder);
  const cluster = realpathSync(join(folder, "cluster"));
  if (readPostmasterPid(cluster) !== null) return yield* copyRunningCluster(cluster);
  const release = lockFolder(folder);
  try {
    yield* listFiles(cluster, (name) => !EXCLUDED.test(name));
  } finally {
    release();
  }
}

const noClusterFailure = (folder: string) =>
  new EmbeddedFailure(
    "not-ours",
    `There is no database in ${folder}.`,
    "Set KITH_DATA to the data folder of a Kith that has been started before.",
  );

/** https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP */
async function* copyRunningCluster(cluster: string): AsyncGenerator<CopyEntry> {
  const { socketDir, port } = readPostmasterFile(cluster)!;
  const client = await openSession({ socketDir, port }, "postgres");
  try {
    // The replication slot protects the WAL from removal during the copy, and is dropped with this session.
    await client.query(
      "select pg_create_physical_replication_slot('kith_backup_' || pg_backend_pid(), true, true)",
    );
    await client.query("select pg_backup_start('kith', true)");
    yield* listFiles(
      cluster,
      (name) => !EXCLUDED.test(name) && !EMPTY_FOLDERS.test(name) && !WAL_FILES.test(name),
    );
    const ended =
      "select pg_walfile_name(lsn) as last, labelfile as label, spcmapfile as spaces from pg_backup_stop(false)";
    const [stop] = (await client.query<{ last: string; label: string; spaces: string }>(ended)).rows;
    yield { name: "backup_label", content: stop!.label };
    if (stop!.spaces) yield { name: "tablespace_map", content: stop!.spaces };
    const first = /\(file ([0-9A-F]{24})\)/.exec(stop!.label)![1]!;
    yield* listFiles(cluster, (name) => isNeededWal(name, first, stop!.last));
  } finally {
    await client.end().catch(() => {});
  }
}

const isNeededWal = (name: string, first: string, last: string) => {
  const segment = /^pg_wal\/([0-9A-F]{24})$/.exec(name)?.[1];
  return segment !== undefined && segment >= first && segment <= last;
};

/**
 * Lists folders before their content. A file that disappears during the listing is not needed in the copy.
 */
async function* listFiles(cluster: string, wanted: (name: string) => boolean): AsyncGenerator<CopyEntry> {
  const found = await readdir(cluster, { recursive: true, withFileTypes: true });
  const named = found.map((entry): [string, Dirent] => [
    join(entry.parentPath, entry.name).slice(cluster.length + 1),
    entry,
  ]);
  for (const [name, it] of named) if (it.isDirectory() && wanted(`${name}/`)) yield { name, content: null };
  const files = named.filter(([name, it]) => it.isFile() && wanted(name)).map(([name]) => name);
  for (const name of [
    ...files.filter((it) => it !== CONTROL_FILE),
    ...files.filter((it) => it === CONTROL_FILE),
  ]) {
    const file = await open(join(cluster, name)).catch(ignoreMissing);
    if (file) yield { name, content: file.createReadStream() };
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
