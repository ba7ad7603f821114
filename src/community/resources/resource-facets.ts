import { type Db, limit, one, sql } from "#platform/database";
import { blockedIds, blockerIds } from "#community/friends";
import type { Viewer } from "#community/rules";
import { libraryConditions } from "./resource-library.ts";
import { joinResourceGroup, isResourceVisible } from "./resource-columns.ts";

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

/** Maximum number of counted resources. Counts only help to choose and need not be complete. */
const MAX_COUNTED = 1_000;
const MAX_CHOICES = 20;

/**
 * Facet counts among the latest thousand resources that the viewer may see, in one pass. Values of `groups`
 * and `owners` are ids. Owners who are blocked either way are left out.
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
        where r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")} ${libraryConditions(query, "r")}
        order by r.created_at desc, r.id desc ${limit(MAX_COUNTED)}),
      counted as materialized (
        select kind, language, year, owner_id, group_id, group_name, count(*)::int as n from seen
        group by grouping sets ((kind), (language), (year), (owner_id), (group_id, group_name)))
      select
        ${facetOf(sql`select kind as value, kind as label, n from counted where kind is not null
          order by n desc, kind`)} as kinds,
        ${facetOf(sql`select tag as value, tag as label, count(*)::int as n from seen, unnest(tags) tag
          group by tag order by n desc, tag ${limit(MAX_CHOICES)}`)} as tags,
        ${facetOf(sql`select group_id as value, group_name as label, n from counted
          where group_id is not null order by n desc, group_name ${limit(MAX_CHOICES)}`)} as groups,
        ${facetOf(sql`select language as value, language as label, n from counted where language is not null
          order by n desc, language ${limit(MAX_CHOICES)}`)} as languages,
        ${facetOf(sql`select p.id as value, p.display_name as label, n
          from (select owner_id, n from counted
            where owner_id is not null and owner_id <> all(${blockerIds(viewer)})
              and owner_id <> all(${blockedIds(viewer)})
            order by n desc, owner_id ${limit(MAX_CHOICES)}) most join people p on p.id = most.owner_id
          order by n desc, lower(p.display_name), p.id`)} as owners,
        ${facetOf(sql`select year::text as value, year::text as label, n from counted where year is not null
          order by year desc ${limit(MAX_CHOICES)}`)} as years,
        (select count(*)::int from seen where health = 'dead') as dead`,
  );

/** SQL: these facet values as a JSON array, in their order. */
const facetOf = (values: ReturnType<typeof sql>) => sql`
  (select coalesce(json_agg(json_build_object('value', value, 'label', label, 'count', n)), '[]')
   from (${values}) facet)`;
