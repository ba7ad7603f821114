import { enqueueJob } from "#platform/jobs";
import { HOUR, addMilliseconds as at } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { lockFile } from "#community/common";
import { deleteUnusedBytes } from "./upload-cleanup.ts";
import type { UploadContext } from "./store-file.ts";
import { isTextExtractable } from "./extractable-types.ts";

/**
 * Job: scans a waiting file. If it is infected, it is quarantined and its bytes are deleted. If no scanner
 * is configured, the file is released.
 * @throws `ScannerUnavailable`, `TooLargeToScan`, which retry the job
 */
export async function scanFile(app: UploadContext, uploadId: string): Promise<void> {
  const { database, storage, scanner } = app;
  const upload = await maybeOne(
    database.db,
    sql<{
      hash: string;
      mime: string;
    }>`select hash, mime from uploads where id = ${uploadId} and state = 'scanning'`,
  );
  if (!upload) return;
  const { hash, mime } = upload;
  const found = scanner ? (await scanner.scan(await storage.open(hash))).found : null;
  if (found !== null) return quarantineEverywhere(app, hash);
  await database.inTransaction(async (tx) => {
    await run(tx, sql`update uploads set state = 'ok' where hash = ${hash} and state = 'scanning'`);
    if (isTextExtractable(mime))
      await enqueueJob(tx, {
        task: "read-file",
        payload: { hash },
        key: `read-file:${hash}`,
        mostAttempts: 3,
      });
    await emitFileEvent(tx, "file.scanned", hash);
  });
}

/**
 * Quarantines all uploads with these infected bytes and deletes the bytes, also from reports. This includes
 * uploads that were released before the virus was known.
 */
export async function quarantineEverywhere(app: UploadContext, hash: string): Promise<void> {
  await app.database.inTransaction(async (tx) => {
    await lockFile(tx, hash);
    const taken = await run(
      tx,
      sql`update uploads set state = 'quarantined' where hash = ${hash} and state <> 'quarantined'`,
    );
    await run(tx, sql`delete from report_files where hash = ${hash}`);
    if (taken > 0) await emitFileEvent(tx, "file.scanned", hash);
  });
  await deleteUnusedBytes(app, hash);
}

/** Emits an event for each resource that uses the file. */
export async function emitFileEvent(tx: Tx, type: "file.scanned" | "file.read", hash: string): Promise<void> {
  const users = await many(
    tx,
    sql<{ resourceId: string; groupId: string | null }>`
      select r.id as "resourceId", r.group_id as "groupId" from uploads u
      join resources r on r.upload_id = u.id
      where u.hash = ${hash} and r.state <> 'removed' limit 500`,
  );
  for (const user of users) await emit(tx, { type, ...user });
}

/**
 * Enqueues files whose scan job has failed for good. The latest are first: a file too large for the scanner
 * has no result until an admin raises its limit, and would block all others.
 */
export async function enqueuePendingScans(tx: Tx): Promise<void> {
  const waiting = await many(
    tx,
    sql<{
      id: string;
    }>`select id from uploads where state = 'scanning' and created_at < ${at(tx.now, -HOUR)}
      order by created_at desc, id limit 500`,
  );
  for (const { id } of waiting)
    await enqueueJob(tx, {
      task: "scan-file",
      payload: { uploadId: id },
      key: `scan-file:${id}`,
      mostAttempts: 25,
    });
}
