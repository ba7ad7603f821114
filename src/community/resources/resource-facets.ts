import { type Db, limit, one, sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import type { Viewer } from "#community/rules";
import { libraryConditions } from "./resource-library.ts";
import { joinResourceGroup, resourceVisible } from "./resource-columns.ts";

export type ResourceFacet = { value: string; label: string; count: number };
export type ResourceFacets = {
  kinds: ResourceFacet[];
  tags: ResourceFacet[];
  groups: ResourceFacet[];
  languages: ResourceFacet[];
  owners: ResourceFacet[];
  years: ResourceFacet[];
  /** Broken links. */ dead: number;
};

/** Counts stop here: they help to choose and need not be complete. */
const MAX_COUNTED = 2_000;

/**
 * Facet counts among the latest resources the viewer may see. Values of `groups` and `owners` are ids;
 * owners blocked either way are left out.
 */
export const getResourceFacets = (
  db: Db,
  viewer: Viewer,
  query: { group?: string; search?: string },
): Promise<ResourceFacets> =>
  one(
    db,
    sql<ResourceFacets>`
      with seen as materialized (
        select r.kind, r.tags, r.language, r.owner_id, r.health,
          extract(year from r.created_at at time zone 'UTC')::int as year, g.id as group_id,
          g.name as group_name
        from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
        where r.state = 'published' and ${resourceVisible(viewer, "r", "g", "m")} ${libraryConditions(query)}
        order by r.created_at desc, r.id desc ${limit(MAX_COUNTED)})
      select
        (select coalesce(json_agg(json_build_object('value', kind, 'label', kind, 'count', n)
          order by n desc), '[]')
         from (select kind, count(*)::int as n from seen group by kind) k) as kinds,
        (select coalesce(json_agg(json_build_object('value', tag, 'label', tag, 'count', n)
          order by n desc, tag), '[]')
         from (select tag, count(*)::int as n from seen, unnest(tags) tag group by tag order by n desc, tag
           limit 20) t) as tags,
        (select coalesce(json_agg(json_build_object('value', group_id, 'label', group_name, 'count', n)
          order by n desc, group_name), '[]')
         from (select group_id, group_name, count(*)::int as n from seen where group_id is not null
           group by group_id, group_name order by n desc limit 20) s) as groups,
        (select coalesce(json_agg(json_build_object('value', language, 'label', language, 'count', n)
          order by n desc, language), '[]')
         from (select language, count(*)::int as n from seen group by language order by n desc, language
           limit 20) l) as languages,
        (select coalesce(json_agg(json_build_object('value', p.id, 'label', p.display_name, 'count', n)
          order by n desc, lower(p.display_name), p.id), '[]')
         from (select owner_id, count(*)::int as n from seen
           where owner_id <> all(${blockerIds(viewer)}) and owner_id <> all(${blockedIds(viewer)})
               group by owner_id order by n desc, owner_id limit 20) k
                 join people p on p.id = k.owner_id) as owners,
        (select coalesce(json_agg(json_build_object('value', year::text, 'label', year::text, 'count', n)
          order by year desc), '[]')
         from (select year, count(*)::int as n from seen group by year order by year desc
           limit 20) y) as years,
        (select count(*)::int from seen where health = 'dead') as dead`,
  );
