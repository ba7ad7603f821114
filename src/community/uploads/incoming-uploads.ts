import { Readable } from "node:stream";
import { z } from "zod";
import { type Db, many, maybeOne, run, sql } from "#platform/database";
import { isId, uuidv7 } from "#platform/ids";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { formatBytes, assertQuota, quotaExceededRefusal, getStorageQuota } from "#community/common";
import { requireSignedIn } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import { deleteUnusedBytes } from "./upload-cleanup.ts";
import { type UploadContext, storeFile } from "./store-file.ts";

type IncomingUploadContext = UploadContext & { settings: Settings };

/** Properties of a file that a client announces before it sends the bytes. */
export const NewUpload = z.object({
  size: z.number("Give the size of the file.").int().min(0, "Give the size of the file."),
  // Accepts a name of any length; it is truncated when stored.
  fileName: z.string().transform((name) => name.toWellFormed().replaceAll("\0", "").slice(-2_000)),
});

/** Maximum number of bytes of a file, according to the site settings. */
export const getMaxBytes = async (settings: Settings): Promise<number> =>
  (await settings.get()).fileMegabytes * 1_000_000;

export const fileTooLargeRefusal = (most: number): Refusal => {
  const sentence = msg("A file can have at most {most}.", { most: formatBytes(most) });
  return new Refusal("too-large", sentence, { fields: { file: sentence } });
};

/**
 * Begins an upload in chunks.
 * @throws `not-signed-in`, `not-allowed`, `too-large` for the file or the member's quota
 */
export async function beginUpload(
  app: IncomingUploadContext,
  viewer: Viewer,
  input: z.output<typeof NewUpload>,
): Promise<{ id: string }> {
  const me = requireUploader(viewer);
  const most = await getMaxBytes(app.settings);
  if (input.size > most) throw fileTooLargeRefusal(most);
  return app.database.inTransaction(async (tx) => {
    await assertQuota(tx, me, input.size);
    const id = tx.newId();
    await run(
      tx,
      sql`insert into partial_uploads (id, owner_id, size, file_name, created_at)
        values (${id}, ${me.id}, ${input.size}, ${input.fileName}, ${tx.now})`,
    );
    return { id };
  });
}

/**
 * Stores a file sent in one request under the id `as`. A repeated request stores it only once.
 * @throws as `beginUpload` and `finishUpload`
 */
export async function storeUpload(
  app: IncomingUploadContext,
  viewer: Viewer,
  fileName: string,
  from: Readable,
  as = uuidv7(),
): Promise<{ id: string }> {
  const me = requireUploader(viewer);
  const most = await getMaxBytes(app.settings);
  const { used, most: room } = await getStorageQuota(app.database.db, me);
  const stored = await app.storage
    .put(from, Math.max(0, Math.min(most, room - used)))
    .catch((error: unknown) => {
      // The storage reports only that there were too many bytes. The lower of the two limits was exceeded:
      // the maximum file size or the member's quota.
      if (error instanceof Refusal && error.reason === "too-large" && room - used >= most)
        throw fileTooLargeRefusal(most);
      if (error instanceof Refusal && error.reason === "too-large") throw quotaExceededRefusal(used, room);
      throw error;
    });
  return storeFile(app, me, { id: as, fileName, stored });
}

/**
 * Requires a person who may upload.
 * @throws `not-signed-in`, `not-allowed` for limited accounts
 */
export function requireUploader(viewer: Viewer): SignedIn {
  const me = requireSignedIn(viewer);
  if (me.limited) throw new Refusal("not-allowed", "Your account is read-only at the moment.");
  return me;
}

export type IncomingUpload = { id: string; size: number; fileName: string; arrived: number; createdAt: Date };

/**
 * The viewer's upload in progress, or their finished upload with this id.
 * @throws `not-found` otherwise
 */
export async function getIncomingUpload(
  { database, storage }: UploadContext,
  viewer: Viewer,
  id: string,
): Promise<IncomingUpload> {
  const row = isId(id)
    ? await maybeOne(
        database.db,
        sql<IncomingUpload & { whole: boolean }>`
          select id, size::float8 as size, file_name as "fileName", created_at as "createdAt", false as whole
          from partial_uploads where id = ${id} and owner_id = ${viewer.id}::uuid
          union all select id, size::float8, file_name, created_at, true from uploads
          where id = ${id} and owner_id = ${viewer.id}::uuid`,
      )
    : undefined;
  if (!row) throw notFound();
  const { whole, ...incoming } = row;
  return {
    ...incoming,
    arrived: whole ? row.size : Math.min(row.size, (await storage.pieces.sizeOf(id)) ?? 0),
  };
}

/**
 * Turns a completely received file into an upload of the same id; idempotent.
 * @throws as `storeFile`
 */
export async function finishUpload(app: UploadContext, viewer: Viewer, id: string): Promise<{ id: string }> {
  const me = requireUploader(viewer);
  const { size, fileName, arrived } = await getIncomingUpload(app, me, id);
  if (await maybeOne(app.database.db, sql`select from uploads where id = ${id}`)) return { id };
  if (arrived < size) throw new Refusal("conflict", "The file has not fully arrived yet.");
  // Storage contains no bytes of an empty file.
  const stored =
    size === 0 ? await app.storage.put(Readable.from([]), 0) : await app.storage.pieces.finish(id);
  try {
    return await storeFile(app, me, { id, fileName, stored });
  } catch (error) {
    await cancelUpload(app, me, id);
    throw error;
  }
}

/** The viewer's unused uploads among these ids, in their order. */
export async function listUnusedUploads(db: Db, viewer: Viewer, ids: string[]): Promise<UnusedUpload[]> {
  const rows = await many(
    db,
    sql<UnusedUpload>`
      select id, file_name as "fileName", size::float8 as size, state from uploads
      where id = any(${ids.filter(isId)}::uuid[]) and owner_id = ${viewer.id}::uuid and attached_kind is null
        and file_name <> ''`,
  );
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}
export type UnusedUpload = {
  id: string;
  fileName: string;
  size: number;
  state: "scanning" | "ok" | "quarantined";
};

/** An upload of the viewer, used or unused. */
export const getOwnUpload = async (
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ fileName: string } | null> =>
  (await maybeOne(
    db,
    sql<{
      fileName: string;
    }>`select file_name as "fileName" from uploads where id = ${id} and owner_id = ${viewer.id}::uuid`,
  )) ?? null;

/**
 * Deletes an unused upload of the viewer.
 * @throws `not-found` otherwise
 */
export async function deleteUpload(app: UploadContext, viewer: Viewer, id: string): Promise<void> {
  const me = requireSignedIn(viewer);
  const gone = isId(id)
    ? await maybeOne(
        app.database.db,
        sql<{
          hash: string;
        }>`delete from uploads where id = ${id} and owner_id = ${me.id} and attached_kind is null
          and file_name <> '' returning hash`,
      )
    : undefined;
  if (!gone) throw notFound();
  await deleteUnusedBytes(app, gone.hash);
}

/** Cancels an upload in progress. Does nothing if there is none. */
export async function cancelUpload(
  { database, storage }: UploadContext,
  viewer: Viewer,
  id: string,
): Promise<void> {
  const gone = await run(
    database.db,
    sql`delete from partial_uploads where id = ${id} and owner_id = ${viewer.id}::uuid`,
  );
  if (gone > 0) await storage.pieces.remove(id);
}
