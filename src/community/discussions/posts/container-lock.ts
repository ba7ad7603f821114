import { maybeOne, sql, type Tx } from "#platform/database";
import type { PostContainer } from "./post-container.ts";

/**
 * Locks the container of a post. As everywhere, the post is locked only afterwards, to avoid deadlocks.
 * Returns whether the post is the only one in its container.
 */
export async function lockPostContainer(
  tx: Tx,
  postId: string,
): Promise<(Pick<PostContainer, "at"> & { isOnly: boolean }) | null> {
  const found = await maybeOne(
    tx,
    sql<{ discussionId: string | null; resourceId: string | null }>`
      select discussion_id as "discussionId", resource_id as "resourceId" from posts where id = ${postId}`,
  );
  if (found?.discussionId) {
    const { discussionId } = found;
    const row = await maybeOne(
      tx,
      sql<{ groupId: string; isOnly: boolean }>`
        select group_id as "groupId", last_number = 1 as "isOnly" from discussions
        where id = ${discussionId} for no key update`,
    );
    return row ? { at: { discussionId, groupId: row.groupId }, isOnly: row.isOnly } : null;
  }
  if (!found?.resourceId) return null;
  const { resourceId } = found;
  const row = await maybeOne(
    tx,
    sql<{
      groupId: string | null;
    }>`select group_id as "groupId" from resources where id = ${resourceId} for no key update`,
  );
  return row ? { at: { resourceId, groupId: row.groupId }, isOnly: false } : null;
}
