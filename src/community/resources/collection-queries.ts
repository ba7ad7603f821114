import { type Db, limit, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { andIfGiven, type PersonCard } from "#community/common";
import { blockerIds, visiblePersonCard } from "#community/friends";
import { isContentReadable, groupFactsJson, viewerMembership } from "#community/groups";
import {
  type GroupFacts,
  isSignedIn,
  LIMITS,
  type ResourceKind,
  type CollectionFacts,
  collectionRules,
  type Viewer,
} from "#community/rules";
import { type Resource, joinResourceGroup, isResourceVisible } from "./resource-columns.ts";

/** A collection with its first items. */
export type Collection = {
  id: string;
  title: string;
  about: string;
  group: { id: string; slug: string; name: string } | null;
  curator: PersonCard | null;
  count: number;
  first: { id: string; title: string; kind: ResourceKind }[];
};

/** Site-wide collections, or those of one group, with the items the viewer may see. */
export const listCollections = (
  db: Db,
  viewer: Viewer,
  query: { group?: string } = {},
): Promise<Collection[]> =>
  many(
    db,
    sql<Collection>`
      select c.id, c.title, c.about, ${visiblePersonCard(viewer, "curator")} as curator, visible.count,
        visible.first,
        case when cg.id is not null then json_build_object('id', cg.id, 'slug', cg.slug, 'name', cg.name)
          end as "group"
      from (select c.* from collections c left
        join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
            where ${isCollectionVisible("c", "g", "m")} ${andIfGiven(query.group, (group) =>
              isId(group)
                ? sql`c.group_id
              = ${group}`
                : sql`false`,
            )}
            order by c.created_at, c.id ${limit(LIMITS.collections.count)}) c
      left join groups cg on cg.id = c.group_id
      left join people curator on curator.id = c.curator_id
      cross join lateral (
        select count(*)::int as count,
          coalesce(json_agg(json_build_object('id', it.id, 'title', it.title, 'kind', it.kind)
            order by it.place) filter (where it.place <= 5), '[]') as first
        from (select r.id, r.title, r.kind, row_number() over (order by i.position, i.resource_id) as place
          from collection_items i join resources r
            on r.id = i.resource_id ${joinResourceGroup(viewer, "r", "g", "m")}
          where i.collection_id = c.id and r.state = 'published'
            and ${isResourceVisible(viewer, "r", "g", "m")}) it) visible
      where visible.count > 0
      order by c.created_at, c.id`,
  );

/** Whether the viewer may see the collection `c`: SQL equivalent of `collectionRules.see`. */
export const isCollectionVisible = (collection: string, group: string, membership: string) => {
  const c = sql.ref(collection);
  return sql<boolean>`(${c}.group_id is null
  or ${isContentReadable(collection, "created_at", group, membership)})`;
};

export type CollectionEntry = { id: string; title: string; kind: ResourceKind };
export type CollectionView = Omit<CollectionFacts, "group"> & {
  id: string;
  title: string;
  about: string;
  group: (GroupFacts & { id: string; slug: string; name: string; membersCount: number }) | null;
  curators: (PersonCard & { made: boolean })[];
};

/**
 * A collection with its curators.
 * @throws `not-found` for a missing or invisible one
 */
export async function getCollection(db: Db, viewer: Viewer, id: string): Promise<CollectionView> {
  const row = isId(id) ? await maybeOne(db, selectCollection(viewer, id)) : undefined;
  if (!row || !collectionRules.see(viewer, row)) throw notFound();
  return row;
}

/** Like `getCollection`, but locks the row. For commands that change the collection. */
export async function getCollectionForUpdate(tx: Tx, viewer: Viewer, id: string): Promise<CollectionView> {
  const row = isId(id)
    ? await maybeOne(tx, sql<CollectionView>`${selectCollection(viewer, id)} for no key update of c`)
    : undefined;
  if (!row || !collectionRules.see(viewer, row)) throw notFound();
  return row;
}

const selectCollection = (viewer: Viewer, id: string) => sql<CollectionView>`
  select c.id, c.title, c.about, c.audience, c.created_at as "createdAt",
    coalesce(c.curator_id = ${viewer.id}::uuid, false) as made,
    ${isCurator(viewer)} as curates, case when g.id is not null then ${groupFactsJson("g", "m")}
      end as "group",
    (select coalesce(json_agg((${visiblePersonCard(viewer, "p")})::jsonb || jsonb_build_object('made',
      p.id = c.curator_id) order by p.id <> c.curator_id, lower(p.display_name), p.id), '[]')
     from people p where (p.id = c.curator_id
       or p.id in (select person_id from collection_curators k where k.collection_id = c.id))
       and p.id <> all(${blockerIds(viewer)})) as curators
  from collections c left join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
  where c.id = ${id}`;

/** Whether the viewer is a curator of the collection `c`. */
const isCurator = (viewer: Viewer) => sql<boolean>`
  (coalesce(c.curator_id = ${viewer.id}::uuid, false)
    or exists (select from collection_curators k
      where k.collection_id = c.id and k.person_id = ${viewer.id}::uuid))`;

/** Visible items of a collection in its order. The caller has loaded the collection. */
export const listCollectionItems = (
  db: Db,
  viewer: Viewer,
  collection: CollectionView,
): Promise<CollectionEntry[]> =>
  collectionRules.see(viewer, collection)
    ? many(
        db,
        sql<CollectionEntry>`
          select r.id, r.title, r.kind from collection_items i
          join resources r on r.id = i.resource_id ${joinResourceGroup(viewer, "r", "g", "m")}
          where i.collection_id = ${collection.id} and r.state = 'published'
            and ${isResourceVisible(viewer, "r", "g", "m")}
          order by i.position, i.resource_id ${limit(LIMITS.collections.items)}`,
      )
    : Promise.reject(notFound());

/**
 * Collections to which the viewer may add the resource, each with whether it contains the resource; at most
 * 50. Empty for guests.
 */
export async function listAddableCollections(
  db: Db,
  viewer: Viewer,
  resource: Pick<Resource, "id" | "group">,
): Promise<{ id: string; title: string; holds: boolean }[]> {
  if (!isSignedIn(viewer)) return [];
  const rows = await many(
    db,
    sql<CollectionFacts & { id: string; title: string; holds: boolean }>`
      select c.id, c.title, c.audience, c.created_at as "createdAt",
        coalesce(c.curator_id = ${viewer.id}::uuid, false) as made, ${isCurator(viewer)} as curates,
        case when g.id is not null then ${groupFactsJson("g", "m")} end as "group",
        exists (select from collection_items i
          where i.collection_id = c.id and i.resource_id = ${resource.id}) as holds
      from collections c left join groups g on g.id = c.group_id ${viewerMembership(viewer, "g", "m")}
      where (c.group_id is null or c.group_id = ${resource.group?.id ?? null}::uuid)
        and ${isCollectionVisible("c", "g", "m")}
      order by c.title, c.id ${limit(LIMITS.collections.count * 2)}`,
  );
  return rows
    .filter((it) => collectionRules.curate(viewer, it))
    .map(({ id, title, holds }) => ({ id, title, holds }));
}
