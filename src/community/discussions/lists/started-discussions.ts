import { type Db, limit, sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import { firstPostExcerpts } from "./discussion-lists.ts";
import { listDiscussionRows } from "./discussion-row-queries.ts";
import { type DiscussionRow } from "../discussion-columns.ts";

/** A discussion with the HTML of its first post; `html` is null if the viewer cannot read the post. */
type StartedRow = DiscussionRow & { html: string | null; editedAt: Date | null };

/**
 * Ids of the group or author whose discussions are listed. Without an id, the discussions of all groups are
 * listed.
 */
type StartedQuery = { groupId?: string; authorId?: string };

/**
 * Open discussions that the viewer may read, latest start first, one page. If a block separates viewer and
 * author, the author's list is empty.
 */
export function listStartedDiscussions(
  db: Db,
  viewer: Viewer,
  { groupId, authorId }: StartedQuery,
): Promise<StartedRow[]> {
  const count = limit(LIMITS.page.discussions);
  const readable = sql`d.state = 'open' and ${isDiscussionReadable("d", "g", "m")}`;
  const latest = sql`d.created_at desc, d.id desc`;
  const membership = viewerMembership(viewer, "g", "m");
  const picked =
    authorId === undefined
      ? // The index is by group: no index orders the discussions of all groups.
        sql`select d.* from groups g ${membership} cross join lateral (
            select d.* from discussions d where d.group_id = g.id and ${readable}
            order by ${latest} ${count}) d
          where ${groupId === undefined ? sql`true` : sql`g.id = ${groupId}`} order by ${latest} ${count}`
      : sql`select d.* from discussions d join groups g on g.id = d.group_id ${membership}
          where d.author_id = ${authorId} and ${readable}
            and d.author_id <> all(${blockerIds(viewer)}) and d.author_id <> all(${blockedIds(viewer)})
          order by ${latest} ${count}`;
  return listDiscussionRows<Pick<StartedRow, "html" | "editedAt">>(db, viewer, picked, latest, {
    columns: sql`, first.body_html as html, first.edited_at as "editedAt"`,
    joins: firstPostExcerpts(viewer).joins,
  });
}
