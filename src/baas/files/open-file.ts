import type { Readable } from "node:stream";
import type { ByteRange } from "#platform/storage";
import { maybeOne, sql } from "#platform/database";
import { streamParts, type FilePart } from "./file-bytes.ts";
import { fileNotFound } from "./file-errors.ts";
import { resolveReadablePath, nodeColumns } from "./file-access.ts";
import type { Caller, Files, FileNode, FilePath } from "./types.ts";

/** An opened file: its node, and a function that streams its bytes or a range of them. */
export type OpenedFile = { node: FileNode; open: (range?: ByteRange) => Promise<Readable> };

/**
 * Returns the node at a path; null for the root.
 * @throws `not-found`, also without read permission
 */
export async function findFile(files: Files, caller: Caller, path: FilePath): Promise<FileNode | null> {
  return (await resolveReadablePath(files.db, await files.rules(), caller, path)).node;
}

/**
 * Opens a file for reading; returns `directory` for a directory.
 * @throws `not-found`, also without read permission
 */
export async function openFile(
  files: Files,
  caller: Caller,
  path: FilePath,
): Promise<OpenedFile | "directory"> {
  const { node: found } = await resolveReadablePath(files.db, await files.rules(), caller, path);
  if (found?.kind !== "file") return "directory";
  // Version and parts are read in one query, so that they belong together.
  const whole = await maybeOne(
    files.db,
    sql<FileNode & { parts: FilePart[] }>`
      select ${nodeColumns("f")}, (
        select coalesce(json_agg(json_build_object('position', p.position, 'hash', p.hash, 'size', p.size)
          order by p.position), '[]')
        from api_file_parts p where p.file_id = f.id) as parts
      from api_files f where f.id = ${found.id}`,
  );
  if (!whole) throw fileNotFound(path);
  const { parts, ...node } = whole;
  const open = async (range?: ByteRange) => {
    const [part, ...more] = parts;
    return part && more.length === 0
      ? files.storage.open(part.hash, range)
      : streamParts(files, parts, range);
  };
  return { node, open };
}
