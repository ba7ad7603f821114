import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { isSignedIn, type Viewer } from "#community/rules";
import { unreadDiscussionRows } from "../lists/discussion-lists.ts";

/**
 * The next unread discussion that is in the viewer's groups or followed elsewhere: followed ones first, then
 * by last post; the current discussion (`from`) is last. Null if all discussions are read, and for guests.
 */
export async function findNextUnread(db: Db, viewer: Viewer, from = ""): Promise<{ id: string } | null> {
  if (!isSignedIn(viewer)) return null;
  const next = await maybeOne(
    db,
    sql<{ id: string }>`
      select d.id ${unreadDiscussionRows(viewer)}
      order by d.id = ${isId(from) ? from : null}::uuid, d.followed desc, d.last_post_at desc, d.id desc
      limit 1`,
  );
  return next ?? null;
}
