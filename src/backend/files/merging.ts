import { many, run, sql, type Tx } from "#platform/database";
import { contentOf, forgetBytes, holdBytes, type Part, partsOf } from "./bytes.ts";
import { changeTree } from "./standing.ts";
import type { Files } from "./types.ts";

/** Parts that a file may have before its last ones are put together. */
const MANY = 16;
/** How often one who adds puts parts together, while others go on adding. */
const MOST_ROUNDS = 10;

/**
 * Puts the last parts of a file together, so that one that is added to for years has few. Each is put together with those before
 * it that are no larger than all that follows: a byte is written anew as often as the file doubles. What was read or added meanwhile
 * loses nothing by it.
 */
export async function mergeParts(files: Files, id: string): Promise<void> {
  // Who adds meanwhile leaves it to the one who is at it.
  if (files.merging.has(id)) return void files.merging.set(id, { leftOver: true });
  files.merging.set(id, { leftOver: false });
  try {
    for (let n = 0; n < MOST_ROUNDS && (await mergeOnce(files, id)); n++);
  } finally {
    const { leftOver } = files.merging.get(id)!;
    files.merging.delete(id);
    // What was left to this one during its last round is nobody's any more. It is done while nobody waits; and if that fails, by whoever adds next.
    if (leftOver) setImmediate(() => void mergeParts(files, id).catch(() => {}));
  }
}

/** Whether something was put together. */
async function mergeOnce(files: Files, id: string): Promise<boolean> {
  const parts = await partsOf(files.db, { id });
  const last = lastOf(parts);
  if (last.length < 2) return false;
  const size = last.reduce((sum, part) => sum + part.size, 0);
  const stored = await files.storage.put(contentOf(files, last), size);
  const merge = async (tx: Tx) => {
    const now = await many(
      tx,
      sql<Part>`select position, hash, size::float8 as size from program_file_parts
                where file_id = ${id} and position between ${last[0]!.position} and ${last.at(-1)!.position} order by position`,
    );
    if (JSON.stringify(now) !== JSON.stringify(last)) return false;
    await run(
      tx,
      sql`delete from program_file_parts where file_id = ${id} and position between ${last[0]!.position} and ${last.at(-1)!.position}`,
    );
    await run(
      tx,
      sql`insert into program_file_parts (file_id, position, hash, size) values (${id}, ${last[0]!.position}, ${stored.hash}, ${size})`,
    );
    return true;
  };
  const merged = await changeTree(files, merge, (tx) => holdBytes(files, tx, stored.hash));
  if (!merged) await forgetBytes(files, stored.hash);
  return merged;
}

/**
 * From the first part on that is no larger than all that follows it. Looking on behind one that is larger matters: a short
 * piece at the end would otherwise keep all before it apart.
 */
function lastOf(parts: readonly Part[]): readonly Part[] {
  if (parts.length <= MANY) return [];
  let from = parts.length;
  let size = 0;
  for (const [at, part] of [...parts.entries()].toReversed()) {
    if (part.size <= size) from = at;
    size += part.size;
  }
  return parts.slice(from);
}
