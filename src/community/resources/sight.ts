import { sql } from "#platform/database";
import { contentReadable, viewersTie } from "#community/groups";
import type { Viewer } from "#community/rules";

// In every statement with these fragments `r` is the resource, `g` its group, if any, and `m` the viewer's tie to that.

export const resourcesGroup = (viewer: Viewer) => sql`left join groups g on g.id = r.group_id ${viewersTie(viewer)}`;

/** The twin of `resourceRules.see`. */
export const resourceVisible = (viewer: Viewer) => sql<boolean>`
  (r.state <> 'removed' and (r.group_id is null or ${contentReadable("r", "created_at")}) and (r.state = 'published' or coalesce(r.keeper_id = ${viewer.id}::uuid, false)))`;
