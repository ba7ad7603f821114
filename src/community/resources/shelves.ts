import { many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { partedFrom, signedIn } from "#community/friends";
import { contentReadable, groupToChange } from "#community/groups";
import { LIMITS, shelfRules, type SignedIn, type Viewer } from "#community/rules";
import type { NewShelf, OnShelf, ShelfChange, ShelfCurator, ShelfMove } from "./forms.ts";
import { resourceFor } from "./resource.ts";
import { type Shelf, shelfToChange } from "./shelf-lists.ts";

/**
 * Creates an empty collection.
 * @throws `not-found` for a group the viewer may not know of, `not-allowed`, `conflict` above fifty
 */
export async function makeShelf(tx: Tx, viewer: Viewer, input: z.output<typeof NewShelf>): Promise<{ id: string }> {
  const me = signedIn(viewer);
  const group = input.groupId === undefined ? null : await groupToChange(tx, me, input.groupId);
  if (!shelfRules.make(me, group)) throw new Refusal("not-allowed", "Shelves are put up by those who look after the place.");
  const groupId = group?.id ?? null;
  const { count } = await one(
    tx,
    sql<{ count: number }>`select count(*)::int as count from collections where group_id is not distinct from ${groupId}::uuid`,
  );
  if (count >= LIMITS.shelves.count) throw new Refusal("conflict", "Fifty shelves stand here already. Take one of them apart first.");
  const id = tx.newId();
  await run(
    tx,
    sql`insert into collections (id, group_id, curator_id, title, about, created_at) values (${id}, ${groupId}, ${me.id}, ${input.title}, ${input.about}, ${tx.now})`,
  );
  await announce(tx, { type: "collection.made", collectionId: id, groupId, by: me.id });
  return { id };
}

/**
 * Changes title and description.
 * @throws `not-found`, `not-allowed`, like the commands below
 */
export async function changeShelf(tx: Tx, viewer: Viewer, input: z.output<typeof ShelfChange>): Promise<void> {
  const { me, shelf } = await curating(tx, viewer, input);
  await run(tx, sql`update collections set title = ${input.title}, about = ${input.about} where id = ${shelf.id}`);
  await changed(tx, me, shelf);
}

/** Deletes a collection; its items stay in the library. */
export async function dropShelf(tx: Tx, viewer: Viewer, input: { shelfId: string }): Promise<void> {
  const { me, shelf } = await managing(tx, viewer, input);
  // Who could read it is told that it is gone: nothing else is left to ask about that.
  const gone = await one(
    tx,
    sql<{ audience: string; createdAt: Date }>`
      delete from collections where id = ${shelf.id} returning audience, created_at as "createdAt"`,
  );
  const was = { audience: gone.audience, createdAt: gone.createdAt.toISOString() };
  await announce(tx, { type: "collection.removed", collectionId: shelf.id, groupId: shelf.group?.id ?? null, ...was, by: me.id });
}

/**
 * Appends a resource; does nothing if it is in the collection.
 * @throws `invalid` if readers of the collection could not see it, `conflict` when full
 */
export async function putOnShelf(tx: Tx, viewer: Viewer, input: z.output<typeof OnShelf>): Promise<void> {
  const { me, shelf } = await curating(tx, viewer, input);
  const resource = await resourceFor(tx, me, input.resourceId);
  const fits = resource.state === "published" && (resource.group === null || resource.group.id === shelf.group?.id);
  if (!fits) throw invalid("resourceId", "A shelf holds what everybody who reads it may see.");
  const items = await itemsOf(tx, shelf);
  if (items.includes(resource.id)) return;
  if (items.length >= LIMITS.shelves.items) throw new Refusal("conflict", "The shelf is full.");
  await run(
    tx,
    sql`insert into collection_items (collection_id, resource_id, position)
        select ${shelf.id}, ${resource.id}, coalesce(max(position), 0) + 1 from collection_items where collection_id = ${shelf.id}`,
  );
  await changed(tx, me, shelf, resource.id);
}

/**
 * Removes a resource; does nothing if it is not in the collection.
 * @throws `not-found`, `not-allowed` for people who do not curate it
 */
export async function takeFromShelf(tx: Tx, viewer: Viewer, input: z.output<typeof OnShelf>): Promise<void> {
  const { me, shelf } = await curating(tx, viewer, input);
  const gone = await run(tx, sql`delete from collection_items where collection_id = ${shelf.id} and resource_id = ${input.resourceId}`);
  if (gone > 0) await changed(tx, me, shelf, input.resourceId);
}

/** Swaps an item with its neighbour, or moves it to the front; does nothing at an end. */
export async function moveOnShelf(tx: Tx, viewer: Viewer, input: z.output<typeof ShelfMove>): Promise<void> {
  const { me, shelf } = await curating(tx, viewer, input);
  const items = await itemsOf(tx, shelf);
  const at = items.indexOf(input.resourceId);
  if (at < 0) throw notFound();
  const [moved] = items.splice(at, 1);
  items.splice(input.way === "top" ? 0 : Math.max(0, at + (input.way === "up" ? -1 : 1)), 0, moved!);
  await run(
    tx,
    sql`update collection_items i set position = o.place from unnest(${items}::uuid[]) with ordinality o (id, place)
        where i.collection_id = ${shelf.id} and i.resource_id = o.id`,
  );
  await changed(tx, me, shelf);
}

/**
 * Adds a curator.
 * @throws `invalid` on `username` for a person who cannot read it, `conflict` above ten
 */
export async function addCurator(tx: Tx, viewer: Viewer, input: z.output<typeof ShelfCurator>): Promise<void> {
  const { me, shelf } = await managing(tx, viewer, input);
  const inPlace = shelf.group
    ? sql`exists (select from groups g join memberships m on m.group_id = g.id and m.person_id = p.id and m.state = 'member'
        join collections c on c.id = ${shelf.id} where g.id = ${shelf.group.id} and ${contentReadable("c", "created_at")})`
    : sql`true`;
  const person = await maybeOne(
    tx,
    sql<{ id: string }>`
      select p.id from people p where p.username = ${input.username} and p.state in ('active', 'limited') and p.id <> all(${partedFrom(me)}) and ${inPlace}`,
  );
  if (!person) throw invalid("username", "Nobody by that name is here.");
  if (shelf.curators.length >= LIMITS.shelves.curators) throw new Refusal("conflict", "Ten people look after it already.");
  await run(
    tx,
    sql`insert into collection_curators (collection_id, person_id, added_by, added_at) values (${shelf.id}, ${person.id}, ${me.id}, ${tx.now}) on conflict do nothing`,
  );
  await changed(tx, me, shelf);
}

/** Removes a curator: managers remove anyone, curators themselves. */
export async function dropCurator(tx: Tx, viewer: Viewer, input: { shelfId: string; personId: string }): Promise<void> {
  const me = signedIn(viewer);
  const shelf = await shelfToChange(tx, me, input.shelfId);
  if (input.personId !== me.id && !shelfRules.manage(me, shelf)) throw notYours();
  await run(tx, sql`delete from collection_curators where collection_id = ${shelf.id} and person_id = ${input.personId}`);
  await changed(tx, me, shelf);
}

const notYours = () => new Refusal("not-allowed", "Only those who look after the shelf can change it.");
type OfShelf = { shelfId: string };

async function curating(tx: Tx, viewer: Viewer, { shelfId }: OfShelf) {
  const me = signedIn(viewer);
  const shelf = await shelfToChange(tx, me, shelfId);
  if (!shelfRules.curate(me, shelf)) throw notYours();
  return { me, shelf };
}

async function managing(tx: Tx, viewer: Viewer, input: OfShelf) {
  const found = await curating(tx, viewer, input);
  if (!shelfRules.manage(found.me, found.shelf)) throw notYours();
  return found;
}

const itemsOf = async (tx: Tx, shelf: Shelf): Promise<string[]> =>
  (
    await many(
      tx,
      sql<{ id: string }>`select resource_id as id from collection_items where collection_id = ${shelf.id} order by position, resource_id`,
    )
  ).map(({ id }) => id);

const changed = (tx: Tx, me: SignedIn, { id, group }: Shelf, resourceId?: string) =>
  announce(tx, { type: "collection.changed", collectionId: id, groupId: group?.id ?? null, ...(resourceId && { resourceId }), by: me.id });
