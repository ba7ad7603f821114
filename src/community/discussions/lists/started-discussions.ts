import { type Db, limit, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { discussionReadable, viewerMembership } from "#community/groups";
import { type GroupFacts, groupRules, LIMITS, type Viewer } from "#community/rules";
import { firstPostBeginnings } from "./discussion-lists.ts";
import { listRows } from "./discussion-row-queries.ts";
import { type DiscussionRow } from "../discussion-columns.ts";

/** A discussion with the HTML of its first post; null if the viewer cannot read it. */
type StartedRow = DiscussionRow & { html: string | null; editedAt: Date | null };

/**
 * Discussions started in a group, newest first, one page.
 * @throws `not-found` if the viewer may not read the group
 */
export async function listStartedDiscussions(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<StartedRow[]> {
  if (!groupRules.read(viewer, group)) throw notFound();
  return listRows<Pick<StartedRow, "html" | "editedAt">>(
    db,
    viewer,
    sql`select d.* from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
        where d.group_id = ${group.id} and d.state = 'open' and ${discussionReadable("d", "g", "m")}
        order by d.created_at desc, d.id desc ${limit(LIMITS.page.discussions)}`,
    sql`d.created_at desc, d.id desc`,
    {
      columns: sql`, first.body_html as html, first.edited_at as "editedAt"`,
      joins: firstPostBeginnings(viewer).joins,
    },
  );
}
