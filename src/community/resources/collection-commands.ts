import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { isContentReadable, getGroupToChange } from "#community/groups";
import { checkWatchedWords } from "#community/prevention";
import { LIMITS, collectionRules, type SignedIn, type Viewer } from "#community/rules";
import type {
  NewCollection,
  CollectionItem,
  CollectionChange,
  NewCurator,
  CollectionItemMove,
} from "./resource-inputs.ts";
import { getResource } from "./resource.ts";
import { type CollectionView, getCollectionForUpdate } from "./collection-queries.ts";

/**
 * Creates an empty collection.
 * @throws `not-found` for a group the viewer may not know of, `not-allowed`, `conflict` above fifty
 */
export async function createCollection(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof NewCollection>,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const group =
    uncheckedInput.groupId === undefined ? null : await getGroupToChange(tx, me, uncheckedInput.groupId);
  if (!collectionRules.make(me, group))
    throw new Refusal("not-allowed", "Only moderators can create collections.");
  const groupId = group?.id ?? null;
  const { count } = await one(
    tx,
    sql<{
      count: number;
    }>`select count(*)::int as count from collections where group_id is not distinct from ${groupId}::uuid`,
  );
  if (count >= LIMITS.collections.count)
    throw new Refusal("conflict", "There can be at most 50 collections here. Delete one first.");
  const { input } = await checkWatchedWords(tx, me, uncheckedInput, ["title", "about"], { canWait: false });
  const id = tx.newId();
  await run(
    tx,
    sql`insert into collections (id, group_id, curator_id, title, about, created_at)
      values (${id}, ${groupId}, ${me.id}, ${input.title}, ${input.about}, ${tx.now})`,
  );
  await emit(tx, { type: "collection.created", collectionId: id, groupId, by: me.id });
  return { id };
}

/**
 * Changes title and description.
 * @throws `not-found`, `not-allowed`, as do the commands below
 */
export async function editCollection(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof CollectionChange>,
): Promise<void> {
  const { me, collection } = await getCuratedCollection(tx, viewer, uncheckedInput);
  const { input } = await checkWatchedWords(tx, me, uncheckedInput, ["title", "about"], {
    before: collection,
    canWait: false,
  });
  await run(
    tx,
    sql`update collections set title = ${input.title}, about = ${input.about} where id = ${collection.id}`,
  );
  await emitCollectionChange(tx, me, collection);
}

/** Deletes a collection. Its resources remain in the library. */
export async function deleteCollection(
  tx: Tx,
  viewer: Viewer,
  input: { collectionId: string },
): Promise<void> {
  const { me, collection } = await getManagedCollection(tx, viewer, input);
  // The event contains the facts that decide who could read the collection, because the row is deleted.
  const gone = await one(
    tx,
    sql<{ audience: string; createdAt: Date }>`
      delete from collections where id = ${collection.id} returning audience, created_at as "createdAt"`,
  );
  const was = { audience: gone.audience, createdAt: gone.createdAt.toISOString() };
  await emit(tx, {
    type: "collection.removed",
    collectionId: collection.id,
    groupId: collection.group?.id ?? null,
    ...was,
    by: me.id,
  });
}

/**
 * Appends a resource; does nothing if the collection contains it already.
 * @throws `invalid` if readers of the collection could not see it, `conflict` when full
 */
export async function addToCollection(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof CollectionItem>,
): Promise<void> {
  const { me, collection } = await getCuratedCollection(tx, viewer, input);
  const resource = await getResource(tx, me, input.resourceId);
  const fits =
    resource.state === "published" && (resource.group === null || resource.group.id === collection.group?.id);
  if (!fits)
    throw invalid("resourceId", "A collection can only contain resources that all its readers can see.");
  const items = await listItemIds(tx, collection);
  if (items.includes(resource.id)) return;
  if (items.length >= LIMITS.collections.items) throw new Refusal("conflict", "The collection is full.");
  await run(
    tx,
    sql`insert into collection_items (collection_id, resource_id, position)
        select ${collection.id}, ${resource.id}, coalesce(max(position), 0) + 1 from collection_items
        where collection_id = ${collection.id}`,
  );
  await emitCollectionChange(tx, me, collection, resource.id);
}

/**
 * Removes a resource; does nothing if it is not in the collection.
 * @throws `not-found`, `not-allowed` for people who do not curate the collection
 */
export async function removeFromCollection(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof CollectionItem>,
): Promise<void> {
  const { me, collection } = await getCuratedCollection(tx, viewer, input);
  const gone = await run(
    tx,
    sql`delete from collection_items
      where collection_id = ${collection.id} and resource_id = ${input.resourceId}`,
  );
  if (gone > 0) await emitCollectionChange(tx, me, collection, input.resourceId);
}

/** Swaps an item with its neighbour, or moves it to the front. Does nothing if it is already there. */
export async function moveInCollection(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof CollectionItemMove>,
): Promise<void> {
  const { me, collection } = await getCuratedCollection(tx, viewer, input);
  const items = await listItemIds(tx, collection);
  const at = items.indexOf(input.resourceId);
  if (at < 0) throw notFound();
  const [moved] = items.splice(at, 1);
  items.splice(input.way === "top" ? 0 : Math.max(0, at + (input.way === "up" ? -1 : 1)), 0, moved!);
  await run(
    tx,
    sql`update collection_items i set position = o.place
      from unnest(${items}::uuid[]) with ordinality o (id, place)
        where i.collection_id = ${collection.id} and i.resource_id = o.id`,
  );
  await emitCollectionChange(tx, me, collection);
}

/**
 * Adds a curator.
 * @throws `invalid` on `username` for a person who cannot read the collection, `conflict` above ten
 */
export async function addCurator(tx: Tx, viewer: Viewer, input: z.output<typeof NewCurator>): Promise<void> {
  const { me, collection } = await getManagedCollection(tx, viewer, input);
  const inPlace = collection.group
    ? sql`exists (select from groups g join memberships m on m.group_id = g.id and m.person_id = p.id
      and m.state = 'member'
        join collections c on c.id = ${collection.id}
        where g.id = ${collection.group.id} and ${isContentReadable("c", "created_at", "g", "m")})`
    : sql`true`;
  const person = await maybeOne(
    tx,
    sql<{ id: string }>`
      select p.id from people p where p.username = ${input.username} and p.state in ('active', 'limited')
        and p.id <> all(${blockedEitherWayIds(me)}) and ${inPlace}`,
  );
  if (!person) throw invalid("username", "No member has that name.");
  if (collection.curators.length >= LIMITS.collections.curators)
    throw new Refusal("conflict", "The collection already has 10 curators.");
  await run(
    tx,
    sql`insert into collection_curators (collection_id, person_id, added_by, added_at)
      values (${collection.id}, ${person.id}, ${me.id}, ${tx.now}) on conflict do nothing`,
  );
  await emitCollectionChange(tx, me, collection);
}

/**
 * Removes a curator. Managers of the collection may remove any curator, and curators may remove themselves.
 */
export async function removeCurator(
  tx: Tx,
  viewer: Viewer,
  input: { collectionId: string; personId: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const collection = await getCollectionForUpdate(tx, me, input.collectionId);
  if (input.personId !== me.id && !collectionRules.manage(me, collection)) throw notCuratorRefusal();
  await run(
    tx,
    sql`delete from collection_curators
      where collection_id = ${collection.id} and person_id = ${input.personId}`,
  );
  await emitCollectionChange(tx, me, collection);
}

const notCuratorRefusal = () => new Refusal("not-allowed", "Only curators can change the collection.");
type CollectionInput = { collectionId: string };

async function getCuratedCollection(tx: Tx, viewer: Viewer, { collectionId }: CollectionInput) {
  const me = requireSignedIn(viewer);
  const collection = await getCollectionForUpdate(tx, me, collectionId);
  if (!collectionRules.curate(me, collection)) throw notCuratorRefusal();
  return { me, collection };
}

async function getManagedCollection(tx: Tx, viewer: Viewer, input: CollectionInput) {
  const found = await getCuratedCollection(tx, viewer, input);
  if (!collectionRules.manage(found.me, found.collection)) throw notCuratorRefusal();
  return found;
}

const listItemIds = async (tx: Tx, collection: CollectionView): Promise<string[]> =>
  (
    await many(
      tx,
      sql<{
        id: string;
      }>`select resource_id as id from collection_items where collection_id = ${collection.id}
        order by position, resource_id`,
    )
  ).map(({ id }) => id);

const emitCollectionChange = (tx: Tx, me: SignedIn, { id, group }: CollectionView, resourceId?: string) =>
  emit(tx, {
    type: "collection.changed",
    collectionId: id,
    groupId: group?.id ?? null,
    ...(resourceId && { resourceId }),
    by: me.id,
  });
