import { msg } from "#platform/messages";
import type { Readable } from "node:stream";
import { run, sql, type Tx } from "#platform/database";
import { invalidPath, pathConflict, pathTaken, formatPath } from "./file-errors.ts";
import {
  removeUnusedBytes,
  lockBytes,
  assertFileSize,
  type FilePart,
  listParts,
  scanParts,
  type StoredBytes,
  storeBytes,
} from "./file-bytes.ts";
import { mergeParts } from "./merge-parts.ts";
import { fileTooLarge, assertFileQuota } from "./file-quota.ts";
import { assertAllowed, changeTree, type ResolvedPath, resolvePath } from "./file-access.ts";
import type { Caller, FileRules, Files, FilePath } from "./types.ts";

export type FileContent = {
  from: Readable;
  /** Length in bytes that the client announces; null if unknown. */
  length: number | null;
};

/**
 * `new`: the path must be free. `replace`: an existing file is overwritten. `append`: bytes are added at the
 * end.
 */
export type WriteMode = "new" | "replace" | "append";

/**
 * Writes a file and creates missing directories. Others read the previous version until the new one is
 * complete. `bring` provides the bytes; it is called only if the caller may write.
 * @throws `not-allowed`, `conflict` if the path is taken, `too-large`, `wrong-type`
 */
export async function writeFile(
  files: Files,
  caller: Caller,
  path: FilePath,
  readContent: () => Promise<FileContent>,
  how: WriteMode,
): Promise<void> {
  if (path.length === 0) throw invalidPath("Name the file.");
  const rules = await files.rules();
  const before = await resolvePath(files.db, rules, caller, path);
  assertWritable(before, how);
  const previousSize = before.node?.size ?? 0;
  const content = await readContent();
  assertFileSize(rules, content.length, how === "append" ? previousSize : 0);
  const remainingBytes = how === "append" ? rules.fileBytes - previousSize : rules.fileBytes;
  const storedBytes = await storeBytes(files, content.from, {
    name: path.at(-1)!,
    previousSize: how === "append" ? 0 : previousSize,
    remainingBytes,
  });
  try {
    const earlier =
      how === "append" && before.node && files.scanner ? await listParts(files.db, before.node) : [];
    await scanParts(files, [...earlier, ...createPart(storedBytes)]);
    const id = await changeTree(
      files,
      (tx) => recordFile(tx, { rules, caller, path, taken: storedBytes, how }),
      (tx) => lockBytes(files, tx, storedBytes.hash),
    );
    // The append is already stored, and the next one will merge the parts, so a failed merge is ignored.
    if (how === "append") await mergeParts(files, id).catch(() => {});
  } catch (error) {
    // If this cleanup fails, the nightly one removes the bytes; the caller must see the original error.
    await removeUnusedBytes(files, storedBytes.hash).catch(() => {});
    throw error;
  }
}

function assertWritable(path: ResolvedPath, how: WriteMode) {
  assertAllowed(path, "WRITE");
  if (path.nearest?.kind === "file" && !path.exists)
    throw pathConflict(msg("{path} is a file.", { path: formatPath(path.path.slice(0, path.depth)) }));
  if (path.node?.kind === "directory")
    throw pathConflict(msg("{path} is a directory.", { path: formatPath(path.path) }));
  if (path.node && how === "new") throw pathTaken(path.path);
}

const createPart = ({ hash, size }: StoredBytes): FilePart[] =>
  size > 0 ? [{ hash, size, position: 0 }] : [];

type WriteRecord = { rules: FileRules; caller: Caller; path: FilePath; taken: StoredBytes; how: WriteMode };

async function recordFile(tx: Tx, { rules, caller, path, taken, how }: WriteRecord): Promise<string> {
  const resolved = await resolvePath(tx, rules, caller, path);
  assertWritable(resolved, how);
  const { node } = resolved;
  const kept = node && how === "append" ? node.size : 0;
  if (kept + taken.size > rules.fileBytes) throw fileTooLarge(rules);
  await assertFileQuota(tx, rules, {
    bytes: kept + taken.size - (node?.size ?? 0),
    count: path.length - resolved.depth,
  });
  const parentId = await ensureDirectories(tx, caller, resolved, path.slice(0, -1));
  const id = node?.id ?? tx.newId();
  if (!node) await insertNode(tx, caller, { id, parentId, name: path.at(-1)!, kind: "file" });
  else if (how !== "append") await run(tx, sql`delete from api_file_parts where file_id = ${id}`);
  const mime = kept > 0 ? node!.mime : taken.mime;
  await run(
    tx,
    sql`update api_files set size = ${kept + taken.size}, mime = ${mime}, version = ${tx.newId()},
      updated_at = ${tx.now} where id = ${id}`,
  );
  for (const part of createPart(taken)) await insertPart(tx, id, part);
  return id;
}

const insertPart = (tx: Tx, id: string, { hash, size }: FilePart) =>
  run(
    tx,
    sql`insert into api_file_parts (file_id, position, hash, size)
        select ${id}, coalesce(max(position) + 1, 0), ${hash}, ${size}::bigint from api_file_parts
        where file_id = ${id}`,
  );

type NewNode = { id: string; parentId: string | null; name: string; kind: "directory" | "file" };

const insertNode = (tx: Tx, { userId }: Caller, { id, parentId, name, kind }: NewNode) =>
  run(
    tx,
    sql`insert into api_files (id, parent_id, name, kind, owner_id, version, created_at, updated_at)
        values (${id}, ${parentId}, ${name}, ${kind}, ${userId}, ${id}, ${tx.now}, ${tx.now})`,
  );

/**
 * Creates missing directories and returns the id of the last one, null for the root. Must be called while
 * the tree is locked.
 */
export async function ensureDirectories(
  tx: Tx,
  caller: Caller,
  path: ResolvedPath,
  directory: FilePath,
): Promise<string | null> {
  if (path.depth > directory.length) return path.node!.parentId;
  if (path.nearest?.kind === "file")
    throw pathConflict(msg("{path} is a file.", { path: formatPath(path.path.slice(0, path.depth)) }));
  let parentId = path.nearest?.id ?? null;
  for (const name of directory.slice(path.depth)) {
    const id = tx.newId();
    await insertNode(tx, caller, { id, parentId, name, kind: "directory" });
    parentId = id;
  }
  return parentId;
}

/**
 * Creates a directory and missing parents. An existing directory is left unchanged.
 * @throws `not-allowed`, `conflict` if a file has this path
 */
export async function createDirectory(files: Files, caller: Caller, path: FilePath): Promise<void> {
  if (path.length === 0) throw invalidPath("Name the directory.");
  const rules = await files.rules();
  await changeTree(files, async (tx) => {
    const resolved = await resolvePath(tx, rules, caller, path);
    assertAllowed(resolved, "WRITE");
    if (resolved.node?.kind === "directory") return;
    await assertFileQuota(tx, rules, { bytes: 0, count: path.length - resolved.depth });
    await ensureDirectories(tx, caller, resolved, path);
  });
}
