import { type Db, one, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { SERVER_LIMITS, type SignedIn } from "#community/rules";

/** Bytes that a person has stored, uploads in progress included, and the maximum. */
export type StorageQuota = { used: number; most: number };

export async function getStorageQuota(db: Db, me: SignedIn): Promise<StorageQuota> {
  const { used } = await one(
    db,
    sql<{ used: number }>`
      select (select coalesce(sum(size), 0) from uploads where owner_id = ${me.id})::float8
        + (select coalesce(sum(size), 0) from partial_uploads where owner_id = ${me.id})::float8 as used`,
  );
  return { used, most: SERVER_LIMITS.quotaBytes };
}

/**
 * Asserts that `size` more bytes fit into the quota. An advisory lock serializes the uploads of a person.
 * @throws `too-large`
 */
export async function assertQuota(tx: Tx, me: SignedIn, size: number): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('room:' || ${me.id}::text, 0))`);
  const { used, most } = await getStorageQuota(tx, me);
  if (used + size > most) throw quotaExceededRefusal(used, most);
}

export function quotaExceededRefusal(used: number, most: number): Refusal {
  const sentence = msg("You have used {used} of your {most} of storage. Delete something first.", {
    used: formatBytes(used),
    most: formatBytes(most),
  });
  return new Refusal("too-large", sentence, { fields: { file: sentence } });
}

export const formatBytes = (bytes: number) =>
  bytes >= 1_000_000_000
    ? `${(bytes / 1e9).toFixed(1).replace(/\.0$/, "")} GB`
    : `${Math.ceil(bytes / 1e6)} MB`;
