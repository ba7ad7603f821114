import { type Db, limit, sql } from "#platform/database";
import { cursorOf, given, type Page, pageOf, readCursor } from "#community/common";
import { discussionReadable, LOOK_BACK, viewersReading, viewersTie } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { type DiscussionRow, isPinned, rowsOf, unreadPosts, whatWentBefore } from "./rows.ts";

const SIZE = LIMITS.page.discussions;

/** Cursor: unread (1) or rest (0), and the position there. */
type Place = NonNullable<ReturnType<typeof placeIn>>;
export const placeIn = (after: string | undefined) => readCursor(after, ["number", "time", "id"]);

/**
 * Unpinned discussions of a group: unread first, then the rest, each by last post. Unread is evaluated anew
 * for each page among the latest hundred: what is read in between appears again among the rest, and nothing
 * is skipped.
 */
export async function unreadFirst(db: Db, viewer: Viewer, groupId: string, cursor: Place | null): Promise<Page<DiscussionRow>> {
  const isRest = cursor?.[0] === 0;
  const behind = given(cursor, ([, at, id]) => sql`(d.last_post_at, d.id) < (${at}, ${id}::uuid)`);
  const here = sql`from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
    where d.group_id = ${groupId} and d.state = 'open' and not ${isPinned} and ${discussionReadable}`;
  const order = sql`d.fresh desc, d.last_post_at desc, d.id desc`;
  const rows = await rowsOf<{ fresh: boolean }>(
    db,
    viewer,
    sql`with unread as materialized ${unreadIn(viewer, groupId)}
        select d.* from (
          (select d.*, true as fresh ${here} and ${!isRest} and d.id in (select id from unread) ${behind})
          union all
          (select d.*, false ${here} and d.id not in (select id from unread) ${isRest ? behind : sql``}
           order by d.last_post_at desc, d.id desc ${limit(SIZE + 1)})) d
        order by ${order} ${limit(SIZE + 1)}`,
    order,
    { columns: sql`, d.fresh`, joins: sql`` },
  );
  const page = pageOf(rows, SIZE, (last) => cursorOf(last.fresh ? 1 : 0, last.lastPostAt, last.id));
  return { ...page, rows: page.rows.map(({ fresh: _, ...row }) => row) };
}

/** The latest discussions with unread posts. */
const unreadIn = (viewer: Viewer, groupId: string) => sql`(
  select d.id from (
    select * from discussions where group_id = ${groupId} and state = 'open' order by last_post_at desc, id desc ${limit(LOOK_BACK)}) d
  join groups g on g.id = d.group_id ${viewersTie(viewer)} ${viewersReading(viewer)} ${whatWentBefore}
  where ${unreadPosts} > 0)`;
