import { DAY, addMilliseconds } from "#platform/clock";
import { type Database, limit, many, maybeOne, sql, type Tx } from "#platform/database";
import type { Storage } from "#platform/storage";
import { lockFile } from "#community/common";
import { SERVER_LIMITS } from "#community/rules";

type StorageContext = { database: Database; storage: Storage };

/** Deletes bytes that no upload and no report uses, with their extracted text and thumbnail. */
export async function deleteUnusedBytes({ database, storage }: StorageContext, hash: string): Promise<void> {
  const thumbnail = await database.inTransaction(async (tx) => {
    await lockFile(tx, hash);
    if (await maybeOne(tx, sql`select from uploads where hash = ${hash} and state <> 'quarantined' limit 1`))
      return null;
    if (await isInReport(tx, hash)) return null;
    const read = await maybeOne(
      tx,
      sql<{ thumbnail: string | null }>`delete from file_texts where hash = ${hash} returning thumbnail`,
    );
    if (!(await isThumbnail(tx, hash))) await storage.remove(hash);
    return read?.thumbnail ?? null;
  });
  if (thumbnail) await deleteThumbnail({ database, storage }, thumbnail);
}

const isInReport = (tx: Tx, hash: string) =>
  maybeOne(tx, sql`select from report_files where hash = ${hash} limit 1`);

const isThumbnail = (tx: Tx, hash: string) =>
  maybeOne(tx, sql`select from file_texts where thumbnail = ${hash} limit 1`);

const deleteThumbnail = ({ database, storage }: StorageContext, hash: string) =>
  database.inTransaction(async (tx) => {
    await lockFile(tx, hash);
    const used =
      (await isThumbnail(tx, hash)) ??
      (await isInReport(tx, hash)) ??
      (await maybeOne(tx, sql`select from uploads where hash = ${hash} limit 1`));
    if (!used) await storage.remove(hash);
  });

/** An upload that is incomplete for this long counts as abandoned. */
const ABANDONED_AFTER = 2 * DAY;
const BATCH_SIZE = 200;

/** Deletes uploads that were begun 48 hours ago and never completed. Returns their number. */
export async function purgeAbandonedUploads({ database, storage }: StorageContext): Promise<number> {
  const gone = await database.inTransaction((tx) =>
    many(
      tx,
      sql<{ id: string }>`
        delete from partial_uploads where id in (
          select id from partial_uploads where created_at < ${addMilliseconds(tx.now, -ABANDONED_AFTER)}
          order by created_at ${limit(BATCH_SIZE)} for update skip locked)
        returning id`,
    ),
  );
  for (const { id } of gone) await storage.pieces.remove(id);
  return gone.length;
}

/**
 * Deletes the pictures and files of reports a year after their decision, like the reported texts, and those of
 * deleted reports; the bytes too, if nothing else uses them. Returns their number.
 */
export async function purgeReportFiles({ database, storage }: StorageContext): Promise<number> {
  const gone = await database.inTransaction((tx) =>
    many(
      tx,
      sql<{ hash: string }>`
        delete from report_files where id in (
          select f.id from report_files f left join reports r on r.id = f.report_id
          where f.report_id is null
            or r.resolved_at < ${addMilliseconds(tx.now, -SERVER_LIMITS.reports.evidenceDays * DAY)}
          order by f.id ${limit(BATCH_SIZE)} for update of f skip locked)
        returning hash`,
    ),
  );
  for (const hash of new Set(gone.map((file) => file.hash)))
    await deleteUnusedBytes({ database, storage }, hash);
  return gone.length;
}
