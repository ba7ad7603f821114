import { type Db, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { isSignedIn, type Viewer } from "#community/rules";
import { unreadOf } from "./lists.ts";

/**
 * What to read next of what is unread in the viewer's own groups, and of what they follow elsewhere: what they follow before the rest, the latest word first. The
 * discussion they come `from` is the last of all. Null where they have read everything, and for guests.
 */
export async function nextUnread(db: Db, viewer: Viewer, from = ""): Promise<{ id: string } | null> {
  if (!isSignedIn(viewer)) return null;
  const next = await maybeOne(
    db,
    sql<{ id: string }>`
      select d.id ${unreadOf(viewer)}
      order by d.id = ${isId(from) ? from : null}::uuid, d.followed desc, d.last_post_at desc, d.id desc
      limit 1`,
  );
  return next ?? null;
}
