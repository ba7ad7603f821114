import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { enqueueJob } from "#platform/jobs";
import { limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { fitPicture } from "#platform/images";
import { type ExtractedFile, extractFileIsolated, readPlainText } from "#platform/text-extraction";
import { Refusal } from "#platform/refusal";
import type { Storage } from "#platform/storage";
import { lockFile } from "#community/common";
import { deleteUnusedBytes } from "./upload-cleanup.ts";
import type { UploadContext } from "./store-file.ts";
import { isTextExtractable } from "./extractable-types.ts";
import { emitFileEvent } from "./virus-scans.ts";

type ExtractionContext = Pick<UploadContext, "database" | "storage">;
/** Maximum width and height of a thumbnail in pixels, its maximum bytes, and maximum bytes of its source. */
const THUMBNAIL_LIMITS = { pixels: 480, bytes: 1_000_000, from: 40_000_000 };
/** Maximum number of bytes of extracted text. */
const MAX_TEXT = 4_000_000;

/**
 * Job: extracts the text of these bytes once and stores it with a thumbnail. Emits `file.read` for each
 * resource that uses the bytes. A failure is stored too, so that it is not retried.
 */
export async function extractFileText(app: ExtractionContext, hash: string): Promise<void> {
  const { database, storage } = app;
  const file = await maybeOne(
    database.db,
    sql<{ mime: string; size: number }>`
      select mime, size::float8 as size from uploads where hash = ${hash} and state = 'ok'
        and not exists (select from file_texts where hash = ${hash}) limit 1`,
  );
  if (!file || !isTextExtractable(file.mime) || (await storage.sizeOf(hash)) === null) return;
  const { picture, ...found } = await extractText(storage, hash, file);
  const thumbnail = picture && (await storage.put(Readable.from([picture]), THUMBNAIL_LIMITS.bytes)).hash;
  await database.inTransaction(async (tx) => {
    if (thumbnail) await lockFile(tx, thumbnail);
    await run(
      tx,
      sql`insert into file_texts (hash, state, pages, text, language, thumbnail, read_at)
          values (${hash}, ${found.state}, ${found.pages}, ${found.text}, ${found.language}, ${thumbnail},
            ${tx.now}) on conflict (hash) do nothing`,
    );
    await emitFileEvent(tx, "file.read", hash);
  });
  // If the file was deleted meanwhile, its text and thumbnail are deleted too.
  await deleteUnusedBytes(app, hash);
}

async function extractText(
  storage: Storage,
  hash: string,
  { mime, size }: { mime: string; size: number },
): Promise<ExtractedFile> {
  if (mime.startsWith("text/")) {
    const bytes = await buffer(await storage.open(hash, { from: 0, to: Math.min(size, MAX_TEXT) - 1 }));
    return { ...readPlainText(bytes, size > MAX_TEXT), picture: null };
  }
  if (mime.startsWith("image/")) {
    const picture =
      size > THUMBNAIL_LIMITS.from ? null : await shrinkPicture(await buffer(await storage.open(hash)));
    return { state: "empty", pages: null, text: "", language: "", picture };
  }
  const extraction = await extractFileIsolated(await storage.open(hash), { mime, size });
  return { ...extraction, picture: extraction.picture && (await shrinkPicture(extraction.picture)) };
}

/** Scales a picture down. Returns null if it cannot be scaled; it then has no thumbnail. */
const shrinkPicture = (bytes: Buffer): Promise<Buffer | null> =>
  fitPicture(bytes, THUMBNAIL_LIMITS.pixels).then(
    (it) => it.bytes,
    (error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    },
  );

const BATCH_SIZE = 200;

/**
 * Enqueues files without extracted text: imported files, and files whose job was lost. The latest are first:
 * files whose bytes are lost can never be read, and would block all others.
 */
export async function enqueueTextExtraction(tx: Tx): Promise<void> {
  const unread = await many(
    tx,
    sql<{ hash: string; mime: string }>`
      select u.hash, min(u.mime) as mime from uploads u where u.attached_kind = 'resource' and u.state = 'ok'
        and (u.mime ~ '^(image|text)/' or u.mime ~ '(pdf|openxmlformats|opendocument|epub)')
        and not exists (select from file_texts t where t.hash = u.hash)
      group by u.hash order by max(u.created_at) desc, u.hash ${limit(BATCH_SIZE)}`,
  );
  for (const { hash } of unread)
    await enqueueJob(tx, { task: "read-file", payload: { hash }, key: `read-file:${hash}`, mostAttempts: 3 });
}
