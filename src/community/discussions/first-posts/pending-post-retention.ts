import { DAY, addMilliseconds } from "#platform/clock";
import { limit, run, sql, type Tx } from "#platform/database";
import { LIMITS } from "#community/rules";
import { isChangeOfContent } from "./pending-post-rows.ts";

/** Maximum number of rows per transaction, so that each transaction is short. */
const BATCH_SIZE = 1_000;

/**
 * For jobs: deletes returned posts after some time, and undecided posts after the retention period of
 * drafts. Those of hidden content stay as long as it is hidden. Detaches their pictures, and those of pending posts whose author or container was deleted. Returns
 * how many posts were deleted.
 */
export async function purgePendingPosts(tx: Tx): Promise<number> {
  const gone = await run(
    tx,
    sql`delete from pending_posts where id in (
          select id from pending_posts
          where not ${isChangeOfContent("pending_posts")} and (
            created_at < ${addMilliseconds(tx.now, -LIMITS.pendingPosts.days * DAY)}
            or returned_at < ${addMilliseconds(tx.now, -LIMITS.pendingPosts.returnedDays * DAY)})
          order by created_at ${limit(BATCH_SIZE)} for update skip locked)`,
  );
  await run(
    tx,
    sql`update uploads u set attached_kind = null, attached_id = null
        where u.attached_kind = 'held'
          and not exists (select from pending_posts h where h.id = u.attached_id)`,
  );
  return gone;
}
