import { type Database, type Db, run, sql, type Tx } from "#platform/database";
import { GUEST, type SignedIn, type Viewer } from "#community/rules";

export const PREVIEW_ROLES = ["guest", "member", "friend"] as const;
export type PreviewRole = (typeof PREVIEW_ROLES)[number];

/** Thrown to roll back a transaction whose rows must never be visible to others. */
class RollbackSignal extends Error {}

/**
 * Runs a read as a guest, as an unrelated member, or as a friend of `me`. The member or friend is inserted
 * in a transaction that is rolled back, so that all rules apply.
 */
export async function readWithPreviewRole<T>(
  database: Database,
  me: SignedIn,
  as: PreviewRole,
  read: (db: Db, viewer: Viewer) => Promise<T>,
): Promise<T> {
  if (as === "guest") return read(database.db, GUEST);
  const results: T[] = [];
  const reading = database.inTransaction(async (tx) => {
    results.push(await read(tx, await createPreviewViewer(tx, me, as)));
    throw new RollbackSignal();
  });
  await reading.catch((error: unknown) => {
    if (!(error instanceof RollbackSignal)) throw error;
  });
  return results[0]!;
}

async function createPreviewViewer(tx: Tx, me: SignedIn, as: PreviewRole): Promise<SignedIn> {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into people (id, username, display_name, trust, state, created_at)
        values (${id}, ${`as-${id.slice(-12)}`}, '-', 'established', 'active', ${tx.now})`,
  );
  if (as === "friend")
    await run(
      tx,
      sql`insert into friendships (low_id, high_id, state, requested_by, requested_at, changed_at)
          values (least(${me.id}::uuid, ${id}::uuid), greatest(${me.id}::uuid, ${id}::uuid), 'friends',
            ${me.id}, ${tx.now}, ${tx.now})`,
    );
  return { id, role: "member", trust: "established", limited: false };
}
