import { type Dirent } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { copyCluster, inspectData, type CopyEntry } from "#platform/embedded-postgres";
import { parseTrustedJson } from "#platform/json";
import { CLUSTER_FOLDER, type BackupManifest, MANIFEST_FILE } from "./backup-manifest.ts";

/**
 * Entries of a data folder that are not copied as they are: the cluster, the lock, PostgreSQL's log, and
 * temporary files.
 */
const EXCLUDED_NAMES = /^(cluster(\.new-.*)?|lock(\.\d+)?|postgres\.log(\.1)?)$/;

/**
 * Yields the entries of a data folder; read each entry to its end before requesting the next. The database
 * is copied before the files, so that every file it refers to exists. Files stored later are deleted like
 * any unreferenced file. Throws the errors of `copyCluster`.
 */
export async function* listBackupEntries(
  dataDir: string,
  { databaseIsOurs, madeAt }: { databaseIsOurs: boolean; madeAt: Date },
): AsyncGenerator<CopyEntry> {
  const { version } = parseTrustedJson<{ version: string }>(await readFile("package.json", "utf8"));
  const postgresql = databaseIsOurs ? inspectData(dataDir).clusterVersion : null;
  const manifest: BackupManifest = { form: 1, madeAt: madeAt.toISOString(), kith: version, postgresql };
  yield { name: MANIFEST_FILE, content: `${JSON.stringify(manifest, null, 2)}\n` };
  if (databaseIsOurs)
    for await (const { name, content } of copyCluster(dataDir))
      yield { name: `${CLUSTER_FOLDER}/${name}`, content };
  yield* readFiles(dataDir);
}

async function* readFiles(dataDir: string): AsyncGenerator<CopyEntry> {
  const top = (await readdir(dataDir, { withFileTypes: true })).filter(
    ({ name }) => !EXCLUDED_NAMES.test(name),
  );
  for (const it of top) {
    if (it.isFile()) yield* readFileEntry(dataDir, it.name);
    if (!it.isDirectory()) continue;
    const within = await readdir(join(dataDir, it.name), { recursive: true, withFileTypes: true });
    for (const file of within.filter((found) => found.isFile()))
      yield* readFileEntry(dataDir, relativeName(dataDir, file));
  }
}

const relativeName = (dataDir: string, { parentPath, name }: Dirent) =>
  join(parentPath, name).slice(join(dataDir, "/").length);

/** A file that was deleted since the listing no longer belongs to the community. */
async function* readFileEntry(dataDir: string, name: string): AsyncGenerator<CopyEntry> {
  const file = await open(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (file) yield { name, content: file.createReadStream() };
}
