import { type Db, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { blockerIds } from "#community/friends";
import {
  contentReadable,
  discussionReadable,
  groupFactsJson,
  contentReadsFrom,
  viewerMembership,
} from "#community/groups";
import {
  type GroupFacts,
  type ResourceEditFacts,
  resourceRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { cardColumns, joinOwnerAndFile, type ResourceCard } from "./resource-library.ts";
import { joinResourceGroup, resourceVisible } from "./resource-visibility.ts";

/** A resource as the viewer sees it, with the facts for `resourceRules`. */
export type Resource = Omit<ResourceCard, "group"> &
  Omit<ResourceEditFacts, "group"> & {
    group: (GroupFacts & { id: string; slug: string; name: string; membersCount: number }) | null;
    licence: string;
    bodyMd: string;
    bodyHtml: string;
    version: number;
    /** Number of changes so far. */
    changes: number;
    featuredAt: Date | null;
    level: "watching" | "normal" | "muted";
    /** The viewer has bookmarked it. */
    bookmarked: boolean;
    /** When it was removed; null if published. */
    removedAt: Date | null;
    removedBy: string | null;
    removedReason: string;
    /** At 200 words a minute; 0 for anything but a document. */
    readingMinutes: number;
    collections: { id: string; title: string }[];
  };

/**
 * @throws `not-found` for a missing or invisible resource, `gone` for a removed one the viewer cannot restore
 * (`getTombstone` has the reason)
 */
export async function getResource(db: Db, viewer: Viewer, id: string): Promise<Resource> {
  const row = isId(id) ? await maybeOne(db, selectResource(viewer, id)) : undefined;
  return requireVisible(viewer, row);
}

/** Like `getResource`, for commands that change it: locks the row. */
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
 * Tombstone of a removed resource, for its former readers.
 * @throws `not-found` otherwise
 */
export async function getTombstone(db: Db, viewer: Viewer, id: string): Promise<Tombstone> {
  const row = isId(id)
    ? await maybeOne(
        db,
        sql<Tombstone>`
          select r.removed_at as at, r.removed_by = r.owner_id as "byOwner", r.removed_reason as reason
          from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
          where r.id = ${id} and r.removed_at is not null and ${wasVisible}`,
      )
    : undefined;
  if (!row) throw notFound();
  return row;
}

type ResourceRow = Omit<Resource, "readingMinutes">;

/** It is removed, from a place the viewer can read. */
const wasVisible = sql<boolean>`(r.state = 'removed'
  and (r.group_id is null or ${contentReadable("r", "created_at", "g", "m")}))`;

const viewerColumns = (viewer: Viewer) => sql`
  coalesce((select f.level from resource_follows f
    where f.resource_id = r.id and f.person_id = ${viewer.id}::uuid), 'normal') as level,
  exists (select from resource_bookmarks b
    where b.resource_id = r.id and b.person_id = ${viewer.id}::uuid) as bookmarked`;

const selectResource = (viewer: Viewer, id: string) => sql<ResourceRow>`
  select ${cardColumns(viewer)}, r.state, r.audience, r.licence, r.body_md as "bodyMd",
    r.body_html as "bodyHtml", r.version, r.changes,
    r.edits_by as "editsBy", r.featured_at as "featuredAt", ${viewerColumns(viewer)},
    r.removed_at as "removedAt", r.removed_by as "removedBy", r.removed_reason as "removedReason",
    case when r.owner_id <> all(${blockerIds(viewer)}) then r.owner_id end as "keeperId",
    case when g.id is not null then ${groupFactsJson("g", "m")} end as "group",
    (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title), '[]')
     from collection_items i join collections c on c.id = i.collection_id
     where i.resource_id = r.id
       and (c.group_id is null or (c.group_id = r.group_id
         and ${contentReadable("c", "created_at", "g", "m")})))
         as collections
  from resources r ${joinResourceGroup(viewer, "r", "g", "m")} ${joinOwnerAndFile}
  where r.id = ${id} and (${resourceVisible(viewer, "r", "g", "m")} or ${wasVisible})`;

export type ResourceUse = {
  discussionId: string;
  title: string;
  number: number;
  group: { slug: string; name: string };
  at: Date;
};

/** Uses in discussions the viewer may read, newest first. */
export const listResourceUses = (db: Db, viewer: Viewer, resource: Resource): Promise<ResourceUse[]> =>
  many(
    db,
    sql<ResourceUse>`
      select d.id as "discussionId", d.title, p.number,
        json_build_object('slug', g.slug, 'name', g.name) as "group", p.created_at as at
      from resource_uses use join posts p on p.id = use.post_id and p.state = 'published'
      join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
      join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
      where use.resource_id = ${resource.id} and ${discussionReadable("d", "g", "m")}
        and coalesce(p.created_at >= ${contentReadsFrom("d", "g", "m")}, true)
      order by p.created_at desc, p.id limit 20`,
  );
