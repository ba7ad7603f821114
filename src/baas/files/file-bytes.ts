import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { TooLargeToScan, ScannerUnavailable } from "#platform/scanner";
import type { ByteRange } from "#platform/storage";
import { SNIFFED_BYTES, detectMimeType } from "./mime-type.ts";
import { fileTooLarge, quotaExceeded, remainingFileBytes } from "./file-quota.ts";
import type { FileRules, Files, FileNode } from "./types.ts";

/** Stored bytes that no file refers to yet. */
export type StoredBytes = { hash: string; size: number; mime: string };
export type FilePart = { position: number; hash: string; size: number };

/**
 * Stores a stream, as far as the quota allows.
 * @throws `too-large`, in which case nothing is stored
 */
export async function storeBytes(
  files: Files,
  from: Readable,
  given: { name: string; previousSize: number; remainingBytes: number },
): Promise<StoredBytes> {
  const rules = await files.rules();
  const most = Math.min(await remainingFileBytes(files.db, rules, given.previousSize), given.remainingBytes);
  const stored = await files.storage.put(from, most).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "too-large")
      throw most < given.remainingBytes ? quotaExceeded(rules) : fileTooLarge(rules);
    throw error;
  });
  const head = stored.size === 0 ? new Uint8Array() : await readHead(files, stored);
  return { ...stored, mime: await detectMimeType(head, given.name) };
}

const readHead = async ({ storage }: Files, { hash, size }: { hash: string; size: number }) =>
  buffer(await storage.open(hash, { from: 0, to: Math.min(size, SNIFFED_BYTES) - 1 }));

/**
 * Scans a file for viruses before anyone can read it.
 * @throws `wrong-type` for an infected file, `too-large` above the scanner's limit, `unavailable` if the
 * scanner cannot be reached
 */
export async function scanParts({ scanner, storage }: Files, parts: readonly FilePart[]): Promise<void> {
  if (!scanner || parts.length === 0) return;
  try {
    const { found } = await scanner.scan(streamParts({ storage }, parts));
    if (found !== null)
      throw new Refusal(
        "wrong-type",
        msg("This file contains malware ({found}) and was rejected.", { found }),
        {
          kind: "harmful-file",
        },
      );
  } catch (error) {
    if (error instanceof TooLargeToScan)
      throw new Refusal("too-large", "This file is too large for the virus scan and was rejected.", {
        kind: "no-room-for-file",
      });
    if (!(error instanceof ScannerUnavailable)) throw error;
    throw new Refusal("unavailable", "The virus scan is not available right now. Try again later.", {
      retryAfter: 60,
    });
  }
}

export const listParts = (db: Db, { id }: Pick<FileNode, "id">): Promise<FilePart[]> =>
  many(
    db,
    sql<FilePart>`select position, hash, size::float8 as size from api_file_parts where file_id = ${id}
      order by position`,
  );

/** Streams the bytes of these parts in order, or a range of them. */
export function streamParts(
  files: Pick<Files, "storage">,
  parts: readonly FilePart[],
  range?: ByteRange,
): Readable {
  return Readable.from(readParts(files, parts, range), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* readParts(
  { storage }: Pick<Files, "storage">,
  parts: readonly FilePart[],
  range?: ByteRange,
): AsyncGenerator<Buffer> {
  let at = 0;
  for (const { hash, size } of parts) {
    const from = Math.max(0, (range?.from ?? 0) - at);
    const to = Math.min(size - 1, (range?.to ?? Infinity) - at);
    at += size;
    if (from <= to) yield* (await storage.open(hash, { from, to })) as AsyncIterable<Buffer>;
  }
}

/**
 * Locks the bytes with a hash until the end of the transaction, so that no cleanup removes them.
 * @throws `conflict` if they have already been removed
 */
export async function lockBytes({ storage }: Files, tx: Tx, hash: string): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 2))`);
  // If another file had equal bytes and was deleted, a cleanup may have removed the bytes since the upload.
  if ((await storage.sizeOf(hash)) === null)
    throw new Refusal("conflict", "The upload was interrupted. Send the file again.");
}

/** Removes bytes that no file refers to. */
export async function removeUnusedBytes({ inTransaction, storage }: Files, hash: string): Promise<void> {
  await inTransaction(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 2))`);
    if (await maybeOne(tx, sql`select from api_file_parts where hash = ${hash} limit 1`)) return;
    await storage.remove(hash);
  });
}

/** Milliseconds for which replaced bytes are kept, so that running downloads can finish. */
const RETENTION = 10 * 60 * 1_000;
const BATCH_SIZE = 500;

/** Removes a batch of bytes that files no longer use. Returns the number of rows processed. */
export async function purgeReleasedBytes(files: Files, now: Date): Promise<number> {
  const gone = await many(
    files.db,
    sql<{ id: string; hash: string }>`
      select id, hash from unreferenced_bytes where at < ${new Date(now.getTime() - RETENTION)}
      order by id ${limit(BATCH_SIZE)}`,
  );
  for (const hash of new Set(gone.map((row) => row.hash))) await removeUnusedBytes(files, hash);
  await run(
    files.db,
    sql`delete from unreferenced_bytes where id = any(${gone.map(({ id }) => id)}::bigint[])`,
  );
  return gone.length;
}

/**
 * Checks the size of a file as soon as it is known.
 * @throws `too-large`
 */
export function assertFileSize(rules: FileRules, length: number | null, previousSize: number): void {
  if (length !== null && length + previousSize > rules.fileBytes) throw fileTooLarge(rules);
}
