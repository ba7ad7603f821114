import { type Db, limit, sql } from "#platform/database";
import { encodeCursor, andIfGiven, type Page, toPage, readCursor } from "#community/common";
import {
  isDiscussionReadable,
  UNREAD_LOOK_BACK,
  viewerReadPositions,
  viewerMembership,
} from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow, isPinned, unreadPosts, joinLastHiddenPost } from "../discussion-columns.ts";

const PAGE_SIZE = LIMITS.page.discussions;

/** Cursor: 1 for the unread part or 0 for the rest, and the position in that part. */
type UnreadCursor = NonNullable<ReturnType<typeof readUnreadCursor>>;
export const readUnreadCursor = (after: string | undefined) => readCursor(after, ["number", "time", "id"]);

/**
 * Unpinned discussions of a group: unread ones first, then all others, each part by last post. For each
 * page, the unread ones are determined anew among the latest hundred: a discussion read in the meantime
 * appears again among the others, and no discussion is skipped.
 */
export async function listUnreadFirst(
  db: Db,
  viewer: Viewer,
  groupId: string,
  cursor: UnreadCursor | null,
): Promise<Page<DiscussionRow>> {
  const isRest = cursor?.[0] === 0;
  const behind = andIfGiven(cursor, ([, at, id]) => sql`(d.last_post_at, d.id) < (${at}, ${id}::uuid)`);
  const here = sql`from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
    where d.group_id = ${groupId} and d.state = 'open' and not ${isPinned("d")}
      and ${isDiscussionReadable("d", "g", "m")}`;
  const order = sql`d.fresh desc, d.last_post_at desc, d.id desc`;
  const rows = await listDiscussionRows<{ fresh: boolean }>(
    db,
    viewer,
    sql`with unread as materialized ${unreadInGroup(viewer, groupId)}
        select d.* from (
          (select d.*, true as fresh ${here} and ${!isRest} and d.id in (select id from unread) ${behind})
          union all
          (select d.*, false ${here} and d.id not in (select id from unread) ${isRest ? behind : sql``}
           order by d.last_post_at desc, d.id desc ${limit(PAGE_SIZE + 1)})) d
        order by ${order} ${limit(PAGE_SIZE + 1)}`,
    order,
    { columns: sql`, d.fresh`, joins: sql`` },
  );
  const page = toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.fresh ? 1 : 0, last.lastPostAt, last.id));
  return { ...page, rows: page.rows.map(({ fresh: _, ...row }) => row) };
}

/** The latest discussions with unread posts. */
const unreadInGroup = (viewer: Viewer, groupId: string) => sql`(
  select d.id from (
    select * from discussions where group_id = ${groupId} and state = 'open'
      order by last_post_at desc, id desc ${limit(UNREAD_LOOK_BACK)}) d
  join groups g
    on g.id = d.group_id ${viewerMembership(viewer, "g", "m")} ${viewerReadPositions(viewer, "d", "rs")}
    ${joinLastHiddenPost("d", "g", "m", "before_me")}
  where ${unreadPosts("d", "m", "rs", "before_me")} > 0)`;
