import { sql } from "#platform/database";
import type { ExportedGroup, VisibleContent } from "./visible-content.ts";
import type { ExportPart } from "./export-parts.ts";

/** Resources of the group with their versions. */
export const createLibraryParts = (visibleContent: VisibleContent): ExportPart[] => [
  {
    kind: "resource",
    who: ["owner"],
    rows: sql`
      select r.id, r.group_id as "group", ${visibleContent.named("r.owner_id")} as owner, r.kind, r.title, r.why,
        r.url, r.site_name as "siteName", r.body_md as body,
        r.upload_id as file, r.tags, r.language, r.licence, nullif(r.audience, 'group') as audience,
        r.version, nullif(r.edits_by, 'owner') as "editsBy",
        r.created_at as "createdAt", r.updated_at as "updatedAt"
      from resources r where r.id in ${visibleContent.resources} order by r.id`,
  },
  {
    kind: "version",
    who: ["by"],
    rows: sql`
      select v.resource_id as resource, v.version as number, ${visibleContent.named("v.by_id")} as by, v.note,
        v.body_md as body, v.restored_from as "restoredFrom",
        (select u.id from uploads u where u.id = v.upload_id and u.state <> 'scanning') as file,
        v.created_at as "createdAt"
      from resource_versions v where v.resource_id in ${visibleContent.resources} order by v.resource_id, v.version`,
  },
];

/** References to resources: from posts, collections and "start here". */
export const createLinkParts = ({ id }: ExportedGroup, visibleContent: VisibleContent): ExportPart[] => [
  {
    kind: "start",
    rows: sql`
      select s.group_id as "group", s.discussion_id as discussion, s.resource_id as resource, s.position,
        s.added_at as "createdAt" from group_start_items s
      where s.group_id = ${id} and (s.discussion_id in ${visibleContent.discussions}
        or s.resource_id in ${visibleContent.resources}) order by s.position, s.id`,
  },
  {
    kind: "use",
    rows: sql`
      select s.resource_id as resource, s.post_id as post, case when s.is_origin then true end as origin
      from resource_uses s join posts p on p.id = s.post_id and p.discussion_id in ${visibleContent.discussions}
        and ${visibleContent.shown}
      where s.resource_id in ${visibleContent.resources} order by s.resource_id, s.post_id`,
  },
  {
    kind: "collection",
    who: ["curator"],
    rows: sql`
      select c.id, c.group_id as "group", ${visibleContent.named("c.curator_id")} as curator, c.title, c.about,
        nullif(c.audience, 'group') as audience, c.created_at as "createdAt",
        (select json_agg(json_build_object('user', k.person_id) order by k.person_id)
          from collection_curators k where k.collection_id = c.id and k.person_id in ${visibleContent.members}
            and ${visibleContent.ifNamed("k.person_id")} is not null) as helpers,
        coalesce((select json_agg(json_build_object('resource', i.resource_id, 'position', i.position)
          order by i.position, i.resource_id)
          from collection_items i where i.collection_id = c.id and i.resource_id in ${visibleContent.resources}),
            '[]') as items
      from collections c where c.group_id = ${id} order by c.id`,
  },
];
