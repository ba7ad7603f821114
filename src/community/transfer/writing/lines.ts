import type { Db, sql } from "#platform/database";
import type { Kind } from "../archive/records.ts";
import { inShares } from "./cursor.ts";

/** Records of one type as a query. Its columns are the record's fields (docs/interchange.md). */
export type Told = { kind: Kind; rows: ReturnType<typeof sql> };
/** Progress so far: records by type, and the hashes of referenced files. */
export type Written = { records: Record<string, number>; hashes: Set<string> };

const ROWS = 1_000;
/** Path of a file's bytes in an archive. */
export const placeOf = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;

/** An archive line by line, read with cursors so that memory stays constant. */
export async function* linesOf(tx: Db, all: Told[], written: Written, onProgress: () => void = () => {}): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "format", name: "community-ndjson", version: 1 })}\n`;
  for (const { kind, rows } of all)
    for await (const some of inShares(tx, rows, ROWS)) {
      written.records[kind] = (written.records[kind] ?? 0) + some.length;
      yield some.map((row) => `${JSON.stringify({ type: kind, ...told(row, written.hashes) })}\n`).join("");
      onProgress();
    }
}

/** A row without empty fields; a file gets the path of its bytes, if it has any. */
function told({ hash, ...row }: Record<string, unknown>, hashes: Set<string>): Record<string, unknown> {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ""));
  if (typeof hash !== "string") return said;
  if (said["state"] !== "quarantined") hashes.add(hash);
  return { ...said, path: placeOf(hash), sha256: hash };
}
