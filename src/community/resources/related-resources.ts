import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { blockerIds } from "#community/friends";
import {
  isContentReadable,
  isDiscussionReadable,
  contentReadableSince,
  viewerMembership,
} from "#community/groups";
import { type ResourceKind, resourceRules, type Viewer } from "#community/rules";
import { normalizeAddress } from "./normalized-address.ts";
import { type Resource, joinResourceGroup, isResourceVisible } from "./resource-columns.ts";

export type RelatedResource = { id: string; title: string; kind: ResourceKind; siteName: string };
const MAX_RELATED = 5;
/** Maximum number of candidates examined for each kind of relation; the list need not be complete. */
const CANDIDATES = 200;

/**
 * Lists related resources: those with the same tags, in the same collections or used in the same
 * discussions, as far as the viewer can see them.
 * @throws `not-found` if the viewer may not see the resource
 */
export async function listRelatedResources(
  db: Db,
  viewer: Viewer,
  resource: Resource,
): Promise<RelatedResource[]> {
  if (!resourceRules.see(viewer, resource)) throw notFound();
  return many(
    db,
    sql<RelatedResource>`
      with near as (
        (select t.id,
        2 * cardinality(array(select unnest(t.tags) intersect select unnest(${resource.tags}::text[]))) as weight
         from resources t where t.state = 'published' and t.tags && ${resource.tags}::text[]
         order by t.created_at desc ${limit(CANDIDATES)})
        union all
        (select other.resource_id, 3 from collection_items i join collections c on c.id = i.collection_id
         left join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
         join collection_items other on other.collection_id = c.id
         where i.resource_id = ${resource.id}
           and (c.group_id is null or ${isContentReadable("c", "created_at", "g", "m")}) ${limit(CANDIDATES)})
        union all
        (select other.resource_id, 4 from resource_uses use
        join posts p on p.id = use.post_id and p.state = 'published'
         join discussions d on d.id = p.discussion_id and d.state <> 'deleted'
         join groups g on g.id = d.group_id ${viewerMembership(viewer, "g", "m")}
         join posts q on q.discussion_id = d.id and q.state = 'published'
         join resource_uses other on other.post_id = q.id
         where use.resource_id = ${resource.id} and ${isDiscussionReadable("d", "g", "m")}
           and coalesce(least(p.created_at, q.created_at) >= ${contentReadableSince("d", "g", "m")},
             true) ${limit(CANDIDATES)}))
      select r.id, r.title, r.kind, r.site_name as "siteName"
      from (select id, sum(weight) as weight from near where id <> ${resource.id} group by id) near
      join resources r on r.id = near.id ${joinResourceGroup(viewer, "r", "g", "m")}
      where r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
      order by near.weight desc, r.created_at desc, r.id ${limit(MAX_RELATED)}`,
  );
}

export type ExistingResource = {
  id: string;
  title: string;
  owner: string | null;
  group: { slug: string; name: string } | null;
};

/** Visible links to the same page, however the address is spelled: at most three, oldest first. */
export async function findExistingResources(
  db: Db,
  viewer: Viewer,
  url: string,
): Promise<ExistingResource[]> {
  const address = normalizeAddress(url);
  if (address === null) return [];
  return many(
    db,
    sql<ExistingResource>`
      select r.id, r.title, case when g.id is not null then json_build_object('slug', g.slug, 'name', g.name)
        end as "group",
        (select p.display_name from people p
          where p.id = r.owner_id and p.id <> all(${blockerIds(viewer)})) as owner
      from resources r ${joinResourceGroup(viewer, "r", "g", "m")}
      where r.normal_url = ${address} and r.state = 'published' and ${isResourceVisible(viewer, "r", "g", "m")}
      order by r.created_at, r.id limit 3`,
  );
}
