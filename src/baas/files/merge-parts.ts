import { many, run, sql, type Tx } from "#platform/database";
import { streamParts, removeUnusedBytes, lockBytes, type FilePart, listParts } from "./file-bytes.ts";
import { changeTree } from "./file-access.ts";
import type { Files } from "./types.ts";

/** Maximum parts of a file before the last ones are merged. */
const MERGE_THRESHOLD = 16;
/** Maximum rounds of merging while others append. */
const MAX_MERGE_ROUNDS = 10;

/**
 * Merges the last parts of a file, so that many appends do not leave many parts. Large earlier parts are
 * left alone until those after them are as large, so each byte is rewritten only when the file has about
 * doubled. Concurrent reads and appends lose nothing.
 */
export async function mergeParts(files: Files, id: string): Promise<void> {
  // If this process is already merging the file, that merge will include the new part.
  if (files.merging.has(id)) return void files.merging.set(id, { leftOver: true });
  files.merging.set(id, { leftOver: false });
  try {
    for (let n = 0; n < MAX_MERGE_ROUNDS && (await mergeLastParts(files, id)); n++);
  } finally {
    const { leftOver } = files.merging.get(id)!;
    files.merging.delete(id);
    // An append arrived during the last round. Its merge runs in the background; if it fails, the next
    // append merges.
    if (leftOver) setImmediate(() => void mergeParts(files, id).catch(() => {}));
  }
}

/** Returns whether parts were merged. */
async function mergeLastParts(files: Files, id: string): Promise<boolean> {
  const parts = await listParts(files.db, { id });
  const last = selectLastParts(parts);
  if (last.length < 2) return false;
  const size = last.reduce((sum, part) => sum + part.size, 0);
  const stored = await files.storage.put(streamParts(files, last), size);
  const merge = async (tx: Tx) => {
    const now = await many(
      tx,
      sql<FilePart>`select position, hash, size::float8 as size from api_file_parts
                where file_id = ${id} and position between ${last[0]!.position} and ${last.at(-1)!.position}
                order by position`,
    );
    if (JSON.stringify(now) !== JSON.stringify(last)) return false;
    await run(
      tx,
      sql`delete from api_file_parts
        where file_id = ${id} and position between ${last[0]!.position} and ${last.at(-1)!.position}`,
    );
    await run(
      tx,
      sql`insert into api_file_parts (file_id, position, hash, size)
        values (${id}, ${last[0]!.position}, ${stored.hash}, ${size})`,
    );
    return true;
  };
  const merged = await changeTree(files, merge, (tx) => lockBytes(files, tx, stored.hash));
  if (!merged) await removeUnusedBytes(files, stored.hash);
  return merged;
}

/**
 * Selects the parts from the first one that is no larger than all parts after it together. The search
 * continues past larger parts: otherwise a short last part would prevent merging of all earlier ones.
 */
function selectLastParts(parts: readonly FilePart[]): readonly FilePart[] {
  if (parts.length <= MERGE_THRESHOLD) return [];
  let from = parts.length;
  let size = 0;
  for (const [at, part] of [...parts.entries()].toReversed()) {
    if (part.size <= size) from = at;
    size += part.size;
  }
  return parts.slice(from);
}
