import { type Dirent } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { copyOfCluster, inspectData, type Piece } from "#platform/embedded";
import { CLUSTER, type Manifest, MANIFEST } from "./form.ts";

/** Entries of a data folder that are not backed up: lock, log of PostgreSQL, and temporary files. */
const LEFT_OUT = /^(cluster(\.new-.*)?|lock(\.\d+)?|postgres\.log(\.1)?)$/;

/**
 * Yields a data folder entry by entry; read each to its end before requesting the next. The database comes
 * before the files: every file that it names is there then, and later ones are deleted like any unreferenced
 * file. Throws what `copyCluster` throws.
 */
export async function* piecesOf(
  dataDir: string,
  { databaseIsOurs, madeAt }: { databaseIsOurs: boolean; madeAt: Date },
): AsyncGenerator<Piece> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  const postgresql = databaseIsOurs ? inspectData(dataDir).clusterVersion : null;
  const manifest: Manifest = { form: 1, madeAt: madeAt.toISOString(), kith: version, postgresql };
  yield { name: MANIFEST, content: `${JSON.stringify(manifest, null, 2)}\n` };
  if (databaseIsOurs) for await (const { name, content } of copyOfCluster(dataDir)) yield { name: `${CLUSTER}/${name}`, content };
  yield* filesIn(dataDir);
}

async function* filesIn(dataDir: string): AsyncGenerator<Piece> {
  const top = (await readdir(dataDir, { withFileTypes: true })).filter(({ name }) => !LEFT_OUT.test(name));
  for (const it of top) {
    if (it.isFile()) yield* fileAt(dataDir, it.name);
    if (!it.isDirectory()) continue;
    const within = await readdir(join(dataDir, it.name), { recursive: true, withFileTypes: true });
    for (const file of within.filter((found) => found.isFile())) yield* fileAt(dataDir, nameWithin(dataDir, file));
  }
}

const nameWithin = (dataDir: string, { parentPath, name }: Dirent) => join(parentPath, name).slice(join(dataDir, "/").length);

/** A file deleted since the listing is not part of the community any more. */
async function* fileAt(dataDir: string, name: string): AsyncGenerator<Piece> {
  const file = await open(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (file) yield { name, content: file.createReadStream() };
}
