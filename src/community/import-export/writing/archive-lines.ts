import type { Db, sql } from "#platform/database";
import type { RecordKind } from "../archive/records.ts";
import { fetchInBatches } from "./cursor.ts";

/** A query for the records of one type. Its columns are the record's fields (docs/interchange.md). */
export type RecordQuery = { kind: RecordKind; rows: ReturnType<typeof sql> };
/** Progress so far: records by type, and the hashes of referenced files. */
export type WriteProgress = { records: Record<string, number>; hashes: Set<string> };

const ROWS_PER_FETCH = 1_000;
/** Path of a file's bytes in an archive. */
export const archivePath = (hash: string) => `files/${hash.slice(0, 2)}/${hash}`;

/** Yields an archive line by line. Reads with cursors, so that memory stays constant. */
export async function* writeArchiveLines(
  tx: Db,
  all: RecordQuery[],
  written: WriteProgress,
  onProgress: () => void = () => {},
): AsyncGenerator<string> {
  yield `${JSON.stringify({ type: "format", name: "community-ndjson", version: 1 })}\n`;
  for (const { kind, rows } of all)
    for await (const some of fetchInBatches(tx, rows, ROWS_PER_FETCH)) {
      written.records[kind] = (written.records[kind] ?? 0) + some.length;
      yield some
        .map((row) => `${JSON.stringify({ type: kind, ...toRecord(row, written.hashes) })}\n`)
        .join("");
      onProgress();
    }
}

/** The record of a row, without empty fields. For a file with bytes it includes their path. */
function toRecord({ hash, ...row }: Record<string, unknown>, hashes: Set<string>): Record<string, unknown> {
  const fields = Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null && value !== ""),
  );
  if (typeof hash !== "string") return fields;
  if (fields["state"] !== "quarantined") hashes.add(hash);
  return { ...fields, path: archivePath(hash), sha256: hash };
}
