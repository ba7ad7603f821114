import { sql } from "#platform/database";
import { contentReadable, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";

/** Joins the group of the resource, if it is in one, and the viewer's membership. */
export const joinResourceGroup = (viewer: Viewer, resource: string, group: string, membership: string) => {
  const [r, g] = [sql.ref(resource), sql.ref(group)];
  return sql`left join groups ${g} on ${g}.id = ${r}.group_id ${viewerMembership(viewer, group, membership)}`;
};

/** SQL twin of `resourceRules.see`. */
export const resourceVisible = (viewer: Viewer, resource: string, group: string, membership: string) => {
  const r = sql.ref(resource);
  return sql<boolean>`
  (${r}.state <> 'removed' and (${r}.group_id is null
    or ${contentReadable(resource, "created_at", group, membership)})
    and (${r}.state = 'published' or coalesce(${r}.owner_id = ${viewer.id}::uuid, false)))`;
};
