import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import {
  isDiscussionReadable,
  UNREAD_LOOK_BACK,
  viewerReadPositions,
  viewerMembership,
} from "#community/groups";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";
import {
  type DiscussionRow,
  firstUnreadPost,
  isPinned,
  unreadPosts,
  joinLastHiddenPost,
} from "../discussion-columns.ts";

/** A discussion as a sidebar row; each page carries up to thirty. */
export type SidebarRow = Pick<
  DiscussionRow,
  "id" | "title" | "language" | "unread" | "firstUnread" | "pinned" | "locked" | "mine"
>;

/**
 * Sidebar of a group: pinned first, then unread, then latest; at most 30.
 * @throws `not-found` if the viewer may not read the group
 */
export async function listSidebarRows(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<SidebarRow[]> {
  if (!groupRules.read(viewer, group)) throw notFound();
  return many(
    db,
    sql<SidebarRow>`select s.* from groups g ${viewerMembership(viewer, "g", "m")} cross
      join lateral (${sidebarRows(viewer)}) s where g.id = ${group.id}`,
  );
}

const COLUMNS = sql`id, title, language, audience, author_id, created_at, posts_count, last_number, last_post_at,
  locked_at, pinned_at, pinned_until`;

/**
 * Statement of `listSidebarRows`, inside one where `g` is the group and `m` the viewer's membership. The
 * caller checks that the viewer may read the group.
 */
export const sidebarRows = (viewer: Viewer) => sql<SidebarRow>`
  select d.id, d.title, d.language, ${unreadPosts("d", "m", "rs", "before_me")} as unread,
    ${firstUnreadPost("d", "m", "rs", "before_me")} as "firstUnread", ${isPinned("d")} as pinned,
    d.locked_at is not null as locked,
    coalesce(d.author_id = ${viewer.id}::uuid, false) as mine
  from (
    (select ${COLUMNS} from discussions d where group_id = g.id and state = 'open' and ${isPinned("d")}
    order by pinned_at desc limit 3)
    union all
    (select ${COLUMNS} from discussions d where group_id = g.id and state = 'open' and not ${isPinned("d")}
      order by last_post_at desc, id desc ${limit(UNREAD_LOOK_BACK)})) d
  ${viewerReadPositions(viewer, "d", "rs")} ${joinLastHiddenPost("d", "g", "m", "before_me")}
  where ${isDiscussionReadable("d", "g", "m")}
  order by not ${isPinned("d")}, ${unreadPosts("d", "m", "rs", "before_me")} = 0, d.last_post_at desc,
    d.id desc limit 30`;
