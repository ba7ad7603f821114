import { later } from "#platform/jobs";
import { HOUR, later as at } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { holdFile } from "#community/common";
import { forgetBytes } from "./forgetting.ts";
import type { FileHouse } from "./keeping.ts";
import { isReadable } from "./readable.ts";

/**
 * Job: scans a waiting file. An infected one is quarantined and its bytes deleted. Without a configured
 * scanner the file is released.
 * @throws `ScannerAway`, `BeyondScanner`, which retry the job
 */
export async function scanFile(house: FileHouse, uploadId: string): Promise<void> {
  const { database, storage, scanner } = house;
  const upload = await maybeOne(
    database.db,
    sql<{ hash: string; mime: string }>`select hash, mime from uploads where id = ${uploadId} and state = 'scanning'`,
  );
  if (!upload) return;
  const { hash, mime } = upload;
  const found = scanner ? (await scanner.scan(await storage.open(hash))).found : null;
  if (found !== null) return takeFromAll(house, hash);
  await database.inTransaction(async (tx) => {
    await run(tx, sql`update uploads set state = 'ok' where hash = ${hash} and state = 'scanning'`);
    if (isReadable(mime)) await later(tx, { task: "read-file", payload: { hash }, key: `read-file:${hash}`, mostAttempts: 3 });
    await announceUsers(tx, "file.scanned", hash);
  });
}

/**
 * Quarantines infected bytes in all uploads, even those released before the virus was known, and deletes
 * them.
 */
export async function takeFromAll(house: FileHouse, hash: string): Promise<void> {
  await house.database.inTransaction(async (tx) => {
    await holdFile(tx, hash);
    const taken = await run(tx, sql`update uploads set state = 'quarantined' where hash = ${hash} and state <> 'quarantined'`);
    if (taken > 0) await announceUsers(tx, "file.scanned", hash);
  });
  await forgetBytes(house, hash);
}

/** Emits an event about a file for each resource that uses it. */
export async function announceUsers(tx: Tx, type: "file.scanned" | "file.read", hash: string): Promise<void> {
  const users = await many(
    tx,
    sql<{ resourceId: string; groupId: string | null }>`
      select r.id as "resourceId", r.group_id as "groupId" from uploads u join resources r on r.upload_id = u.id
      where u.hash = ${hash} and r.state <> 'removed' limit 500`,
  );
  for (const user of users) await announce(tx, { type, ...user });
}

/**
 * Enqueues files whose scan job has given up. Latest first: a file larger than the scanner reads has no
 * result until an admin raises its limit, and would block all others.
 */
export async function scanAgain(tx: Tx): Promise<void> {
  const waiting = await many(
    tx,
    sql<{
      id: string;
    }>`select id from uploads where state = 'scanning' and created_at < ${at(tx.now, -HOUR)} order by created_at desc, id limit 500`,
  );
  for (const { id } of waiting) await later(tx, { task: "scan-file", payload: { uploadId: id }, key: `scan-file:${id}`, mostAttempts: 25 });
}
