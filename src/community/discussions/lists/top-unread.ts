import { type Db, limit, sql } from "#platform/database";
import { createExcerpt } from "#platform/markup";
import { mutedIds, blockedEitherWayIds } from "#community/friends";
import { isSignedIn, type Viewer } from "#community/rules";
import { firstPostExcerpts, unreadInGroups } from "./discussion-lists.ts";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow } from "../discussion-columns.ts";

/** Maximum number of discussions per group. */
const MAX_PER_GROUP = 4;
/** Maximum number of discussions in total. */
const MAX_TOTAL = 12;

/**
 * Unread discussions of the viewer's groups with activity after `since`: the top ones of each group, ordered
 * by group, with excerpts. Leaves out the groups in `except`, and authors who are blocked either way or
 * muted. Empty for guests.
 */
export async function listTopUnread(
  db: Db,
  viewer: Viewer,
  { since, except = [] }: { since: Date; except?: string[] },
): Promise<(DiscussionRow & { excerpt: string })[]> {
  if (!isSignedIn(viewer)) return [];
  const rows = await listDiscussionRows<{ beginning: string | null }>(
    db,
    viewer,
    sql`select d.*, best.news from (
          select u.*, row_number() over (partition by u.group_id
            order by u.news desc, u.last_post_at desc, u.id desc) as place from (
            select d.id, d.group_id, d.last_post_at,
              d.last_number - coalesce(rs.last_read_number, 0) as news ${unreadInGroups(viewer)}
              and d.last_post_at > ${since} and d.group_id <> all(${except}::uuid[])) u) best
        join discussions d on d.id = best.id
        where best.place <= ${MAX_PER_GROUP}
          and coalesce(d.author_id <> all(${blockedEitherWayIds(viewer)})
            and d.author_id <> all(${mutedIds(viewer)}), true)
        order by best.news desc, d.last_post_at desc, d.id desc ${limit(MAX_TOTAL)}`,
    sql`g.name, g.id, d.news desc, d.last_post_at desc, d.id desc`,
    firstPostExcerpts(viewer),
  );
  return rows.map(({ beginning, ...row }) => ({ ...row, excerpt: createExcerpt(beginning ?? "", 240) }));
}
