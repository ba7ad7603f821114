import { type Db, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { isDiscussionReadable, contentReadableSince, viewerMembership } from "#community/groups";
import { resourceRules, type SignedIn, type Viewer } from "#community/rules";
import {
  joinResourceGroup,
  type Resource,
  type ResourceRow,
  selectResource,
  wasResourceVisible,
} from "./resource-columns.ts";

/**
 * Returns a resource.
 * @throws `not-found` if it is missing or invisible, `gone` if it is removed and the viewer cannot restore
 * it (`getTombstone` has the reason)
 */
export async function getResource(db: Db, viewer: Viewer, id: string): Promise<Resource> {
  const row = isId(id) ? await maybeOne(db, selectResource(viewer, id)) : undefined;
  return requireVisible(viewer, row);
}

/** Like `getResource`, but locks the row. For commands that change the resource. */
export async function getResourceForUpdate(tx: Tx, me: SignedIn, id: string): Promise<Resource> {
  const row = isId(id)
    ? await maybeOne(tx, sql<ResourceRow>`${selectResource(me, id)} for no key update of r`)
    : undefined;
  return requireVisible(me, row);
}

function requireVisible(viewer: Viewer, row: ResourceRow | undefined): Resource {
  if (!row) throw notFound();
  if (row.state === "removed" && !resourceRules.seeRemoved(viewer, row))
    throw new Refusal("gone", "This resource was removed from the library.");
  return {
    ...row,
    readingMinutes:
      row.kind === "document" ? Math.max(1, Math.round(row.bodyMd.split(/\s+/).length / 200)) : 0,
  };
}

export type Tombstone = { at: Date; byOwner: boolean; reason: string };

/**
 * Tombstone of a removed resource, for people who could read it.
 * @throws `not-found` for everyone else
 */
export async function getTombstone(db: Db, viewer: Viewer, id: string): Promise<Tombstone> {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<Tombstone>`
          select r.removed_at as at, r.removed_by = r.owner_id as "byOwner", r.removed_reason as reason
          from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
          where r.id = ${id} and r.removed_at is not null and ${wasResourceVisible("r", "g", "m")}`,
      )
    : undefined;
  if (!row) throw notFound();
  return row;
}

export type ResourceUse = {
  discussionId: string;
  title: string;
  number: number;
  group: { slug: string; name: string };
  at: Date;
};

/** References to the resource in discussions that the viewer may read, newest first. */
export const listResourceUses = (db: Db, viewer: Viewer, resource: Resource): Promise<ResourceUse[]> =>
  many(
    db,
    sql<ResourceUse>`
      select d.id as "discussionId", d.title, p.number,
        json_build_object('slug', g.slug, 'name', g.name) as "group", p.created_at as at
      from resource_uses use join posts p on p.id = use.post_id and p.state = 'published'
      join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      where use.resource_id = ${resource.id} and ${isDiscussionReadable("d", "g", "m")}
        and coalesce(p.created_at >= ${contentReadableSince("d", "g", "m")}, true)
      order by p.created_at desc, p.id limit 20`,
  );
