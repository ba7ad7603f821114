import { sql } from "#platform/database";
import { contentReadable, viewerMembership } from "#community/groups";
import type { Viewer } from "#community/rules";

// Aliases in statements with these fragments: `r` resource, `g` its group, if any, `m` the viewer's
// membership in it.

export const joinResourceGroup = (viewer: Viewer) =>
  sql`left join groups g on g.id = r.group_id ${viewerMembership(viewer, "g", "m")}`;

/** SQL twin of `resourceRules.see`. */
export const resourceVisible = (viewer: Viewer) => sql<boolean>`
  (r.state <> 'removed' and (r.group_id is null or ${contentReadable("r", "created_at", "g", "m")})
    and (r.state = 'published' or coalesce(r.owner_id = ${viewer.id}::uuid, false)))`;
