import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { discussionReadable, LOOK_BACK, viewersReading, viewersTie } from "#community/groups";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import { type DiscussionRow, firstUnreadPost, isPinned, unreadPosts, whatWentBefore } from "./rows.ts";

/** As much of a discussion as a line at the side shows: up to thirty of them go along with every page. */
export type SidebarRow = Pick<DiscussionRow, "id" | "title" | "unread" | "firstUnread" | "pinned" | "locked" | "mine">;

/** A group's discussions for the side: pinned on top, then unread, then the latest; 30 at most. `not-found` for who may not read it. */
export async function sidebarOf(db: Db, viewer: Viewer, group: GroupFacts & { id: string }): Promise<SidebarRow[]> {
  if (!groupRules.read(viewer, group)) throw notFound();
  return many(
    db,
    sql<SidebarRow>`select s.* from groups g ${viewersTie(viewer)} cross join lateral (${sidebarRows(viewer)}) s where g.id = ${group.id}`,
  );
}

const COLUMNS = sql`id, title, audience, author_id, created_at, posts_count, last_number, last_post_at, locked_at, pinned_at, pinned_until`;

/** The statement of it, within one whose `g` is the group and `m` the viewer's tie to it; whoever uses this has asked whether they may read the group. */
export const sidebarRows = (viewer: Viewer) => sql<SidebarRow>`
  select d.id, d.title, ${unreadPosts} as unread, ${firstUnreadPost} as "firstUnread", ${isPinned} as pinned, d.locked_at is not null as locked,
    coalesce(d.author_id = ${viewer.id}::uuid, false) as mine
  from (
    (select ${COLUMNS} from discussions d where group_id = g.id and state = 'open' and ${isPinned} order by pinned_at desc limit 3)
    union all
    (select ${COLUMNS} from discussions d where group_id = g.id and state = 'open' and not ${isPinned} order by last_post_at desc, id desc ${limit(LOOK_BACK)})) d
  ${viewersReading(viewer)} ${whatWentBefore}
  where ${discussionReadable}
  order by not ${isPinned}, ${unreadPosts} = 0, d.last_post_at desc, d.id desc limit 30`;
