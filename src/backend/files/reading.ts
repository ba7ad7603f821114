import type { Readable } from "node:stream";
import type { Range } from "#platform/storage";
import { maybeOne, sql } from "#platform/database";
import { contentOf, type Part } from "./bytes.ts";
import { noSuchFile } from "./faults.ts";
import { foundAt, nodeColumns } from "./standing.ts";
import type { Caller, Files, Node, Path } from "./types.ts";

/** An open file: its node, and its bytes or a range of them. */
export type Opened = { node: Node; open: (range?: Range) => Promise<Readable> };

/**
 * The node at a path; null for the root.
 * @throws `not-found`, also without read permission
 */
export async function findFile(files: Files, caller: Caller, path: Path): Promise<Node | null> {
  return (await foundAt(files.db, await files.rules(), caller, path)).node;
}

/**
 * Opens a file for reading; returns `directory` for a directory.
 * @throws `not-found`, also without read permission
 */
export async function openFile(files: Files, caller: Caller, path: Path): Promise<Opened | "directory"> {
  const { node: found } = await foundAt(files.db, await files.rules(), caller, path);
  if (found?.kind !== "file") return "directory";
  // The version and its parts, in one query.
  const whole = await maybeOne(
    files.db,
    sql<Node & { parts: Part[] }>`
      select ${nodeColumns("f")}, (
        select coalesce(json_agg(json_build_object('position', p.position, 'hash', p.hash, 'size', p.size) order by p.position), '[]')
        from program_file_parts p where p.file_id = f.id) as parts
      from program_files f where f.id = ${found.id}`,
  );
  if (!whole) throw noSuchFile(path);
  const { parts, ...node } = whole;
  const open = async (range?: Range) => {
    const [part, ...more] = parts;
    return part && more.length === 0 ? files.storage.open(part.hash, range) : contentOf(files, parts, range);
  };
  return { node, open };
}
