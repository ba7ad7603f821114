import { sql } from "#platform/database";
import type { PersonCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import { isContentReadable, groupFactsJson, isGroupModerator, viewerMembership } from "#community/groups";
import {
  type GroupFacts,
  type HiddenResourceFacts,
  isSignedIn,
  isStaff,
  type ResourceEditFacts,
  type ResourceKind,
  type Viewer,
  type Visibility,
} from "#community/rules";

export type FileFacts = {
  id: string;
  fileName: string;
  size: number;
  mime: string;
  width: number | null;
  height: number | null;
};
/** A file with its scan state, and whether it has a thumbnail. */
export type CardFile = FileFacts & { state: "scanning" | "ok" | "quarantined"; thumbnail: boolean };
export type ResourceCard = {
  id: string;
  kind: ResourceKind;
  title: string;
  why: string;
  url: string | null;
  siteName: string;
  tags: string[];
  language: string;
  health: "unknown" | "ok" | "redirected" | "dead";
  file: CardFile | null;
  group: { id: string; slug: string; name: string; visibility: Visibility } | null;
  owner: PersonCard | null;
  createdAt: Date;
  updatedAt: Date | null;
  comments: number;
  /** Number of bookmarks. */
  bookmarks: number;
  talkedAt: Date | null;
};
/** A resource as the viewer sees it, with the facts for `resourceRules`. */
export type Resource = Omit<ResourceCard, "group"> &
  Omit<ResourceEditFacts, "group"> &
  HiddenResourceFacts & {
    group: (GroupFacts & { id: string; slug: string; name: string; membersCount: number }) | null;
    licence: string;
    bodyMd: string;
    bodyHtml: string;
    version: number;
    /** Number of changes so far; identifies the state on which an edit is based. */
    changes: number;
    featuredAt: Date | null;
    level: "watching" | "normal" | "muted";
    /** The viewer has bookmarked the resource. */
    bookmarked: boolean;
    /** Time of the removal; null if the resource is published. */
    removedAt: Date | null;
    removedBy: string | null;
    removedReason: string;
    /** Minutes at 200 words a minute; 0 for anything but a document. */
    readingMinutes: number;
    collections: { id: string; title: string }[];
  };

export type ResourceRow = Omit<Resource, "readingMinutes">;

/** Joins the group of the resource, if it is in one, and the viewer's membership. */
export const joinResourceGroup = (viewer: Viewer, resource: string, group: string, membership: string) => {
  const [r, g] = [sql.ref(resource), sql.ref(group)];
  return sql`left join groups ${g} on ${g}.id = ${r}.group_id ${viewerMembership(viewer, group, membership)}`;
};

/** SQL equivalent of `resourceRules.see`. */
export const isResourceVisible = (viewer: Viewer, resource: string, group: string, membership: string) => {
  const r = sql.ref(resource);
  return sql<boolean>`
  (${r}.state <> 'removed' and (${r}.group_id is null
    or ${isContentReadable(resource, "created_at", group, membership)})
    and (${r}.state = 'published' or coalesce(${r}.owner_id = ${viewer.id}::uuid, false)
      or (${r}.state = 'hidden' and ${canDecideReports(viewer, membership)})))`;
};

/** Whether the viewer may decide reports in the group of the membership; staff may decide all. */
const canDecideReports = (viewer: Viewer, membership: string) =>
  isSignedIn(viewer) && isStaff(viewer) ? sql<boolean>`true` : isGroupModerator(membership);

/** Whether the resource is removed and the viewer could read it otherwise. */
export const wasResourceVisible = (resource: string, group: string, membership: string) => {
  const r = sql.ref(resource);
  return sql<boolean>`(${r}.state = 'removed'
    and (${r}.group_id is null or ${isContentReadable(resource, "created_at", group, membership)}))`;
};

const joinOwnerAndFile = sql`left join people owner on owner.id = r.owner_id left
  join uploads u on u.id = r.upload_id`;

const cardColumns = (viewer: Viewer) => sql`
  r.id, r.kind, r.title, r.why, r.url, r.site_name as "siteName", r.tags, r.language, r.health,
  r.created_at as "createdAt", r.updated_at as "updatedAt",
  r.comments_count as comments, r.bookmarks_count as bookmarks, r.last_comment_at as "talkedAt",
  ${visiblePersonCard(viewer, "owner")} as owner,
  case when u.id is not null then json_build_object('id', u.id, 'fileName', u.file_name, 'size', u.size,
    'mime', u.mime, 'width', u.width, 'height', u.height, 'state', u.state,
    'thumbnail', exists (select from file_texts t
      where t.hash = u.hash and t.thumbnail is not null and u.state = 'ok')) end as file,
  case when g.id is not null then json_build_object('id', g.id, 'slug', g.slug, 'name', g.name, 'visibility',
    g.visibility) end as "group"`;

/**
 * Selects resources `r` as cards, with their groups `g`. The caller appends a condition. `more`: further
 * columns, each with a leading comma.
 */
export const selectResourceCards = (viewer: Viewer, more = sql``) => sql<ResourceCard>`
  select ${cardColumns(viewer)} ${more}
  from resources r ${joinResourceGroup(viewer, "r", "g", "m")} ${joinOwnerAndFile}`;

const viewerColumns = (viewer: Viewer) => sql`
  coalesce((select f.level from resource_follows f
    where f.resource_id = r.id and f.person_id = ${viewer.id}::uuid), 'normal') as level,
  exists (select from resource_bookmarks b
    where b.resource_id = r.id and b.person_id = ${viewer.id}::uuid) as bookmarked`;

const resourceColumns = (viewer: Viewer) => sql`, r.state, r.audience, r.licence, r.body_md as "bodyMd",
    r.body_html as "bodyHtml", r.version, r.changes,
    r.edits_by as "editsBy", r.featured_at as "featuredAt", ${viewerColumns(viewer)},
    r.hidden_at as "hiddenAt", r.returned_at as "returnedAt", case when r.state = 'hidden' then r.hidden_count else 0 end as "hiddenTimes",
    r.removed_at as "removedAt", r.removed_by as "removedBy", r.removed_reason as "removedReason",
    case when r.owner_id <> all(${blockerIds(viewer)}) then r.owner_id end as "ownerId",
    case when g.id is not null then ${groupFactsJson("g", "m")} end as "group",
    (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title), '[]')
     from collection_items i join collections c on c.id = i.collection_id
     where i.resource_id = r.id
       and (c.group_id is null or (c.group_id = r.group_id
         and ${isContentReadable("c", "created_at", "g", "m")})))
         as collections`;

export const selectResource = (viewer: Viewer, id: string) => sql<ResourceRow>`
  ${selectResourceCards(viewer, resourceColumns(viewer))}
  where r.id = ${id} and (${isResourceVisible(viewer, "r", "g", "m")} or ${wasResourceVisible("r", "g", "m")})`;
