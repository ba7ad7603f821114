import { type Db, maybeOne, sql } from "#platform/database";
import { discussionReadable, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";
import { introductionsIn } from "#community/settings";

/**
 * SQL: id of the discussion in the setting `introductions`; null if the viewer cannot read it or it is
 * closed.
 */
export const introductionsAt = (viewer: Viewer, setting: string) => sql<string | null>`(
  select d.id from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
  where d.id = ${introductionsIn(setting)}::uuid and d.state = 'open' and d.locked_at is null and g.state = 'active' and ${discussionReadable})`;

/** Runs `introductionsDiscussion` as a query of its own. */
export async function introductionsFor(db: Db, viewer: Viewer, setting: string): Promise<{ id: string } | null> {
  if (introductionsIn(setting) === null) return null;
  const { id } = (await maybeOne(db, sql<{ id: string | null }>`select ${introductionsAt(viewer, setting)} as id`))!;
  return id === null ? null : { id };
}
