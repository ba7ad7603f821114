import type { Db, sql } from "#platform/database";
import type { Kind } from "../archive/records.ts";
import { inShares } from "./cursor.ts";

/** Records of one type, as a statement finds them. Its columns have the names of the record's fields (docs/interchange.md). */
export type Told = { kind: Kind; rows: ReturnType<typeof sql> };
/** What has been written so far: how many records of each type, and the hashes of the files that these name. */
export type Written = { records: Record<string, number>; hashes: Set<string> };

const ROWS = 1_000;
/** Where the bytes of a file lie in an archive. */
export const placeOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;

/** An archive line by line, by cursors, so that memory does not grow with it. */
export async function* linesOf(tx: Db, all: Told[], written: Written, onProgress: () => void = () => {}): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "format", name: "community-ndjson", version: 1 })}\n`;
  for (const { kind, rows } of all)
    for await (const some of inShares(tx, rows, ROWS)) {
      written.records[kind] = (written.records[kind] ?? 0) + some.length;
      yield some.map((row) => `${JSON.stringify({ type: kind, ...told(row, written.hashes) })}\n`).join("");
      onProgress();
    }
}

/** A row without what it does not say; a file says where its bytes are, if it still has them. */
function told({ hash, ...row }: Record<string, unknown>, hashes: Set<string>): Record<string, unknown> {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ""));
  if (typeof hash !== "string") return said;
  if (said["state"] !== "quarantined") hashes.add(hash);
  return { ...said, path: placeOf(hash), sha256: hash };
}
