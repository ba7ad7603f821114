import { createReadStream } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { readChunks } from "#platform/streams";
import {
  type Bundle,
  fileNotFound,
  tooManyFiles,
  tooManyBytes,
  MAX_BYTES,
  MAX_FILES,
  unreadableFile,
  withNamedErrors,
} from "./bundle-files.ts";
import { openZip } from "./zip.ts";

/**
 * Opens the file, folder or zip at `path`.
 * @throws `invalid` if it is unreadable or too large
 */
export async function openBundle(path: string): Promise<Bundle> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw ["ENOENT", "ENOTDIR"].includes(error.code ?? "")
      ? new Refusal("invalid", msg("There is nothing at {path}.", { path }))
      : unreadableFile(path, error);
  });
  if (found.isDirectory())
    return withoutSystemFiles(createBundle(basename(path), await listFiles(await realpath(path))));
  if (!found.isFile()) throw new Refusal("invalid", msg("{path} is neither a file nor a folder.", { path }));
  if (await isZip(path)) return withoutSystemFiles(await openZip(path));
  return createBundle(basename(path), new Map([[basename(path), { path, size: found.size }]]));
}

type Files = Map<string, { path: string; size: number }>;

const createBundle = (name: string, files: Files): Bundle => ({
  name,
  names: [...files.keys()].sort(),
  read: async (wanted) => {
    const file = files.get(wanted);
    if (!file) throw fileNotFound(wanted);
    return withNamedErrors(wanted, createReadStream(file.path));
  },
  sizeOf: (wanted) => files.get(wanted)?.size ?? null,
  close: () => {},
});

/** Files that file managers leave behind; they hold no content. */
const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
const withoutSystemFiles = (bundle: Bundle): Bundle => ({
  ...bundle,
  names: bundle.names.filter((name) => !SYSTEM_FILES.test(name)),
});

/**
 * Returns the bundle with paths relative to its only top folder, if there is just one, as in a zip made of a
 * folder.
 */
export function unwrapTopFolder(bundle: Bundle): Bundle {
  const { names } = bundle;
  const top = /^[^/]+\//.exec(names[0] ?? "")?.[0];
  if (!top || !names.every((name) => name.startsWith(top))) return bundle;
  return {
    ...bundle,
    names: names.map((name) => name.slice(top.length)),
    read: (name) => bundle.read(top + name),
    sizeOf: (name) => bundle.sizeOf(top + name),
  };
}

async function listFiles(root: string): Promise<Files> {
  const files: Files = new Map();
  let bytes = 0;
  for await (const path of walkFolder(root)) {
    const { size } = await lstat(path);
    bytes += size;
    files.set(relative(root, path).split(sep).join("/"), { path, size });
    if (files.size > MAX_FILES) throw tooManyFiles();
    if (bytes > MAX_BYTES) throw tooManyBytes();
  }
  return files;
}

/** Lists one folder at a time, because Node's recursive listing follows links to folders. */
async function* walkFolder(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw unreadableFile(folder, error);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* walkFolder(path);
  }
}

async function isZip(path: string): Promise<boolean> {
  for await (const chunk of readChunks(withNamedErrors(path, createReadStream(path, { end: 3 }))))
    return chunk.toString("latin1").startsWith("PK\u0003\u0004");
  return false;
}
