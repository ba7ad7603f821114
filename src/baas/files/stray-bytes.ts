import { many, sql } from "#platform/database";
import { removeUnusedBytes } from "./file-bytes.ts";
import type { Files } from "./types.ts";

/** Milliseconds after which bytes without a file cannot belong to an upload in progress. */
const STRAY_AGE = 24 * 60 * 60 * 1_000;
const BATCH_SIZE = 500;

/** Removes bytes stored by a process that ended before it wrote the row of their file. */
export async function removeStrayBytes(files: Files, now: Date): Promise<void> {
  const before = new Date(now.getTime() - STRAY_AGE);
  await files.storage.tidy(before);
  let share: string[] = [];
  for await (const { hash, changedAt } of files.storage.list()) {
    if (changedAt < before) share.push(hash);
    if (share.length >= BATCH_SIZE) share = await removeUnreferenced(files, share);
  }
  await removeUnreferenced(files, share);
}

async function removeUnreferenced(files: Files, hashes: string[]): Promise<string[]> {
  const unknown = await many(
    files.db,
    sql<{ hash: string }>`
      select hash from unnest(${hashes}::text[]) as t (hash)
      where not exists (select from api_file_parts p where p.hash = t.hash)`,
  );
  for (const { hash } of unknown) await removeUnusedBytes(files, hash);
  return [];
}
