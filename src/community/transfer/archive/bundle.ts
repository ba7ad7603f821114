import { createReadStream } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { Refusal } from "#platform/refusal";
import { openZip } from "./zip.ts";

/** What is brought in: one file, a folder, or a zip, read as they lie there and never unpacked. */
export type Bundle = {
  /** The name of the file or folder. */
  name: string;
  /** Every file in it, with forward slashes, sorted. */
  names: string[];
  /** The bytes of a file, as a stream. Throws the refusal `not-found` for what is not in it. */
  read: (name: string) => Promise<Readable>;
  /** In bytes, unpacked; null for what is not in it. */
  sizeOf: (name: string) => number | null;
  close: () => void;
};

export const MOST_FILES = 200_000;
export const MOST_BYTES = 20_000_000_000;

/** Opens what lies at `path`. Throws the refusal `invalid` for what cannot be read or has no end. */
export async function openBundle(path: string): Promise<Bundle> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw ["ENOENT", "ENOTDIR"].includes(error.code ?? "")
      ? new Refusal("invalid", `There is nothing at ${path}.`)
      : unreadable(path, error);
  });
  if (found.isDirectory()) return withoutMachines(bundleOf(basename(path), await filesBelow(await realpath(path))));
  if (!found.isFile()) throw new Refusal("invalid", `${path} is neither a file nor a folder.`);
  if (await isZip(path)) return withoutMachines(await openZip(path));
  return bundleOf(basename(path), new Map([[basename(path), { path, size: found.size }]]));
}

type Files = Map<string, { path: string; size: number }>;

const bundleOf = (name: string, files: Files): Bundle => ({
  name,
  names: [...files.keys()].sort(),
  read: async (wanted) => {
    const file = files.get(wanted);
    if (!file) throw missing(wanted);
    return naming(wanted, createReadStream(file.path));
  },
  sizeOf: (wanted) => files.get(wanted)?.size ?? null,
  close: () => {},
});

/** The refusal for what is there and cannot be read. */
export function unreadable(name: string, error: NodeJS.ErrnoException): Refusal {
  if (error.code === "EACCES" || error.code === "EPERM")
    return new Refusal("invalid", `${name} may not be read by the account that this runs under.`);
  if (error.code === "ENOENT") return new Refusal("invalid", `${name} is not there any more.`);
  return new Refusal("invalid", `${name} cannot be read: ${error.message.replace(/\.$/, "")}.`);
}

/** The same stream, which says what it is of where it breaks. */
export function naming(name: string, stream: Readable): Readable {
  const named = new PassThrough();
  stream.on("error", (error) => named.destroy(unreadable(name, error)));
  named.on("close", () => stream.destroy());
  return stream.pipe(named);
}

/** What a file manager leaves beside files: nobody wrote it, and nothing of it is to be read. */
const OF_MACHINES = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
const withoutMachines = (bundle: Bundle): Bundle => ({ ...bundle, names: bundle.names.filter((name) => !OF_MACHINES.test(name)) });

/** Seen from within the one folder in which everything lies, as zips have it that were made of a folder. */
export function fromWithin(bundle: Bundle): Bundle {
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

export const missing = (name: string) => new Refusal("not-found", `${name} is not in the archive.`);
/** Text packs to a tenth, sparse tables to a fiftieth. What unpacks to more than this, and is not small, is a trap. */
const MOST_RATIO = 200;
const SMALL = 10_000_000;

/** Throws the refusal `invalid` for a file that swells beyond measure, from so many bytes to so many. */
export function assertNoTrap(name: string, packed: number, unpacked: number): void {
  if (unpacked > SMALL && unpacked > packed * MOST_RATIO)
    throw tooMuch(`has a file that unpacks to more than ${MOST_RATIO} times its size (${name})`);
}

export const tooMuch = (what: string) => new Refusal("invalid", `This archive ${what}.`);

async function filesBelow(root: string): Promise<Files> {
  const files: Files = new Map();
  let bytes = 0;
  for await (const path of pathsBelow(root)) {
    const { size } = await lstat(path);
    bytes += size;
    files.set(relative(root, path).split(sep).join("/"), { path, size });
    if (files.size > MOST_FILES) throw tooMuch(`has more than ${MOST_FILES} files`);
    if (bytes > MOST_BYTES) throw tooMuch("is larger than 20 GB");
  }
  return files;
}

/** Folder by folder: Node's own recursion follows links to folders, and a folder holds what lies in it. */
async function* pathsBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw unreadable(folder, error);
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) yield* pathsBelow(path);
  }
}

async function isZip(path: string): Promise<boolean> {
  for await (const chunk of naming(path, createReadStream(path, { end: 3 })))
    return (chunk as Buffer).toString("latin1").startsWith("PK\u0003\u0004");
  return false;
}
