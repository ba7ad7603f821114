import { type Db, maybeOne, sql } from "#platform/database";
import { discussionReadable, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";
import { introductionsIn } from "#community/settings";

/** Within a statement: the discussion in which newcomers say hello, by the setting `introductions`; null where the viewer does not read it, or nobody writes there any more. */
export const introductionsAt = (viewer: Viewer, setting: string) => sql<string | null>`(
  select d.id from discussions d join groups g on g.id = d.group_id ${viewersTie(viewer)}
  where d.id = ${introductionsIn(setting)}::uuid and d.state = 'open' and d.locked_at is null and g.state = 'active' and ${discussionReadable})`;

/** The same, asked by itself. */
export async function introductionsFor(db: Db, viewer: Viewer, setting: string): Promise<{ id: string } | null> {
  if (introductionsIn(setting) === null) return null;
  const { id } = (await maybeOne(db, sql<{ id: string | null }>`select ${introductionsAt(viewer, setting)} as id`))!;
  return id === null ? null : { id };
}
