import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Database, maybeOne, run, sql } from "#platform/database";
import { fitPicture } from "#platform/images";
import { enqueueJob } from "#platform/jobs";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { TooLargeToScan, type Scanner, ScannerUnavailable } from "#platform/scanner";
import type { Storage, StoredContent } from "#platform/storage";
import { lockFile, assertQuota } from "#community/common";
import type { SignedIn } from "#community/rules";
import { deleteUnusedBytes } from "./upload-cleanup.ts";
import { type FileKind, detectFileKind, INSPECTED_BYTES } from "./file-kinds.ts";
import { sanitizeFileName } from "./file-names.ts";
import { isTextExtractable } from "./extractable-types.ts";
import { quarantineEverywhere } from "./virus-scans.ts";

export type UploadContext = { database: Database; storage: Storage; scanner: Scanner | null };
type UploadedFile = { id: string; fileName: string; stored: StoredContent };
type InspectedFile = StoredContent & {
  kind: FileKind;
  fileName: string;
  width: number | null;
  height: number | null;
};

/**
 * Maximum bytes of a picture, since it is decoded in memory, and maximum width and height of the stored
 * picture in pixels.
 */
const PICTURE_LIMITS = { bytes: 40_000_000, pixels: 4_096 };

/**
 * Creates an upload from received bytes if their kind is allowed and no virus is found; otherwise deletes
 * them. If the scanner is unavailable, the file waits, and is not served until it is scanned.
 * @throws `wrong-type`, `too-large` for a picture, the quota or the scanner
 */
export async function storeFile(
  app: UploadContext,
  me: SignedIn,
  arrived: UploadedFile,
): Promise<{ id: string }> {
  const hashes = new Set([arrived.stored.hash]);
  try {
    const file = await inspectFile(app, arrived, hashes);
    const state = await scanIfNeeded(app, file);
    await recordFile(app, me, arrived.id, file, state);
  } catch (error) {
    for (const hash of hashes) await deleteUnusedBytes(app, hash);
    throw error;
  }
  // Deletes the original of a re-encoded picture.
  for (const hash of hashes) await deleteUnusedBytes(app, hash);
  return { id: arrived.id };
}

async function inspectFile(
  { storage }: UploadContext,
  { fileName, stored }: UploadedFile,
  hashes: Set<string>,
): Promise<InspectedFile> {
  const part = async (from: number, to: number) =>
    stored.size === 0
      ? Buffer.alloc(0)
      : buffer(await storage.open(stored.hash, { from, to: Math.min(to, stored.size - 1) }));
  const head = await part(0, INSPECTED_BYTES.head - 1);
  const tail = await part(Math.max(0, stored.size - INSPECTED_BYTES.tail), stored.size - 1);
  const kind = await detectFileKind({ name: sanitizeFileName(fileName, []), head, tail });
  if (!kind.mime.startsWith("image/") || kind.mime === "image/gif")
    return { ...stored, kind, fileName: sanitizeFileName(fileName, kind.endings), width: null, height: null };
  if (stored.size > PICTURE_LIMITS.bytes)
    throw new Refusal("too-large", "That picture is larger than 40 MB.", {
      fields: { file: "That picture is larger than 40 MB." },
    });
  const picture = await fitPicture(await buffer(await storage.open(stored.hash)), PICTURE_LIMITS.pixels);
  const content = await storage.put(Readable.from([picture.bytes]), PICTURE_LIMITS.bytes);
  hashes.add(content.hash);
  const plain = sanitizeFileName(fileName, kind.endings).replace(/\.[^.]+$/, "");
  return { ...content, kind: WEBP, fileName: `${plain}.webp`, width: picture.width, height: picture.height };
}

const WEBP: FileKind = { mime: "image/webp", endings: ["webp"] };

const TOO_LARGE_TO_SCAN = { text: "This file is too large for the virus scan and was not accepted." };

/**
 * Scans the file if a scanner is configured.
 * @throws `wrong-type` for a detected virus, `too-large` for a file over the scanner's size limit, which
 * could never be scanned
 */
async function scanIfNeeded(
  app: UploadContext,
  { hash, fileName }: InspectedFile,
): Promise<"ok" | "scanning"> {
  const { storage, scanner } = app;
  if (!scanner) return "ok";
  try {
    const { found } = await scanner.scan(await storage.open(hash));
    if (found === null) return "ok";
    await quarantineEverywhere(app, hash);
    const sentence = msg("“{fileName}” contains malware ({found}) and was rejected.", {
      fileName: fileName.slice(0, 80),
      found,
    });
    throw new Refusal("wrong-type", sentence, { fields: { file: sentence } });
  } catch (error) {
    if (error instanceof ScannerUnavailable) return "scanning";
    if (error instanceof TooLargeToScan)
      throw new Refusal("too-large", TOO_LARGE_TO_SCAN.text, { fields: { file: TOO_LARGE_TO_SCAN.text } });
    throw error;
  }
}

async function recordFile(
  { database, storage }: UploadContext,
  me: SignedIn,
  id: string,
  file: InspectedFile,
  state: "ok" | "scanning",
) {
  await database.inTransaction(async (tx) => {
    await run(tx, sql`delete from partial_uploads where id = ${id}`);
    // Checks the quota again: other uploads may have finished meanwhile, and a re-encoded picture may be
    // larger. All code locks the quota before the bytes, to avoid deadlocks.
    await assertQuota(tx, me, file.size);
    await lockFile(tx, file.hash);
    if ((await storage.sizeOf(file.hash)) === null)
      throw new Refusal("conflict", "The upload was interrupted. Send the file again.");
    const known = await maybeOne(
      tx,
      sql`select from uploads where hash = ${file.hash} and state = 'quarantined' limit 1`,
    );
    if (known) throw new Refusal("wrong-type", "This file was found to be harmful and is not accepted.");
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, file_name, width, height, state, created_at)
          values (${id}, ${me.id}, ${file.hash}, ${file.size}, ${file.kind.mime}, ${file.fileName},
            ${file.width}, ${file.height}, ${state}, ${tx.now})
          on conflict (id) do nothing`,
    );
    if (state === "scanning")
      await enqueueJob(tx, {
        task: "scan-file",
        payload: { uploadId: id },
        key: `scan-file:${id}`,
        mostAttempts: 25,
      });
    else if (isTextExtractable(file.kind.mime))
      await enqueueJob(tx, {
        task: "read-file",
        payload: { hash: file.hash },
        key: `read-file:${file.hash}`,
        mostAttempts: 3,
      });
  });
}
