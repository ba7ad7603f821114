import { type Db, maybeOne, sql } from "#platform/database";
import { isDiscussionReadable, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";
import { parseIntroductionsAddress } from "#community/settings";

/**
 * SQL: id of the discussion in the setting `introductions`; null if the viewer cannot read it or it is
 * closed.
 */
export const introductionsDiscussion = (viewer: Viewer, setting: string) => sql<string | null>`(
  select d.id from discussions d join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
  where d.id = ${parseIntroductionsAddress(setting)}::uuid and d.state = 'open' and d.locked_at is null
    and g.state = 'active' and ${isDiscussionReadable("d", "g", "m")})`;

/** Id of the introductions discussion, in a query of its own. */
export async function getIntroductionsDiscussion(
  db: Db,
  viewer: Viewer,
  setting: string,
): Promise<{ id: string } | null> {
  if (parseIntroductionsAddress(setting) === null) return null;
  const { id } = (await maybeOne(
    db,
    sql<{ id: string | null }>`select ${introductionsDiscussion(viewer, setting)} as id`,
  ))!;
  return id === null ? null : { id };
}
