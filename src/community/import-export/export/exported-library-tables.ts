import { sql } from "#platform/database";
import type { RecordQuery } from "../writing/archive-lines.ts";
import { ISO_FORMAT } from "./post-columns.ts";
import { oldPathsColumn } from "./former-addresses.ts";
import { isPersonDataExported } from "./exported-people.ts";
import { isGroupExported, discussionExported, resourceExported } from "./exported-content.ts";

const isPresentCondition = isPersonDataExported("p");

/** Resources with their versions. */
export const RESOURCE_TABLES: RecordQuery[] = [
  {
    kind: "resource",
    rows: sql`
      select r.id, r.group_id as "group", r.owner_id as owner, r.kind, r.title, r.why, r.url,
        r.site_name as "siteName", r.body_md as body,
        r.upload_id as file, r.tags, r.language, r.licence, r.state, nullif(r.audience, 'group') as audience,
        r.version, nullif(r.changes, 0) as changes,
        nullif(r.edits_by, 'owner') as "editsBy", r.created_at as "createdAt", r.updated_at as "updatedAt",
        case when p.id is not null then r.featured_at end as "featuredAt", p.id as "featuredBy",
        r.removed_at as "removedAt", r.removed_by as "removedBy", r.removed_reason as "removedReason",
        r.hidden_at as "hiddenAt", nullif(r.hidden_count, 0) as "hiddenTimes", r.unhidden_at as "shownAt",
        ${oldPathsColumn("resource", "r")} as "oldPaths"
      from resources r left join people p on p.id = r.featured_by and ${isPresentCondition}
      where ${resourceExported} order by r.id`,
  },
  {
    kind: "version",
    rows: sql`
      select v.resource_id as resource, v.version as number, v.by_id as by, v.note, v.body_md as body,
        v.upload_id as file,
        v.restored_from as "restoredFrom", v.created_at as "createdAt"
      from resource_versions v join resources r on r.id = v.resource_id and ${resourceExported}
      order by v.resource_id, v.version`,
  },
];

/** References to resources: from posts and from collections. */
export const RESOURCE_REFERENCE_TABLES: RecordQuery[] = [
  {
    kind: "use",
    rows: sql`
      select s.resource_id as resource, s.post_id as post, case when s.is_origin then true end as origin
      from resource_uses s join resources r on r.id = s.resource_id and ${resourceExported}
      join posts p on p.id = s.post_id ${discussionExported} order by s.resource_id, s.post_id`,
  },
  {
    kind: "collection",
    rows: sql`
      select c.id, c.group_id as "group", c.curator_id as curator, c.title, c.about,
        nullif(c.audience, 'group') as audience, c.created_at as "createdAt",
        (select json_agg(json_build_object('user', k.person_id, 'by', k.added_by, 'createdAt',
          to_char(k.added_at at time zone 'UTC', ${ISO_FORMAT})) order by k.person_id)
          from collection_curators k join people p on p.id = k.person_id and ${isPresentCondition}
            where k.collection_id = c.id) as helpers,
        coalesce((select json_agg(json_build_object('resource', i.resource_id, 'position', i.position)
          order by i.position, i.resource_id)
          from collection_items i join resources r on r.id = i.resource_id and ${resourceExported}
            where i.collection_id = c.id), '[]') as items
      from collections c where c.group_id is null
        or exists (select from groups g where g.id = c.group_id and ${isGroupExported}) order by c.id`,
  },
];
