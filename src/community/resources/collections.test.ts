import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { type SignedIn, collectionRules, type Viewer } from "#community/rules";
import {
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  addCurator,
  addDocument,
  editCollection,
  listCollections,
  removeCurator,
  deleteCollection,
  listCollectionItems,
  createCollection,
  moveInCollection,
  NewDocument,
  NewCollection,
  addToCollection,
  removeResource,
  getResource,
  listResources,
  getCollection,
  listAddableCollections,
  removeFromCollection,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const notAllowed = { reason: "not-allowed" };

const aText = async (by: SignedIn, title: string, groupId?: string) =>
  (await within((tx) => addDocument(tx, by, NewDocument.parse({ title, body: "Words.", groupId })))).id;
const createTestCollection = async (by: SignedIn, groupId?: string) =>
  (
    await within((tx) =>
      createCollection(tx, by, NewCollection.parse({ title: "Start here", about: "Five texts.", groupId })),
    )
  ).id;
const add = (by: SignedIn, collectionId: string, resourceId: string) =>
  within((tx) => addToCollection(tx, by, { collectionId, resourceId }));
const titles = async (viewer: Viewer, collectionId: string) =>
  (await listCollectionItems(db, viewer, await getCollection(db, viewer, collectionId))).map(
    ({ title }) => title,
  );

describe("collection", () => {
  test("can be created by staff, or in a group by its moderators", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines, ada, guest } = people;
    const group = await createTestGroup(database, people);
    for (const viewer of [mira, noor, tomas])
      await expect(createTestCollection(viewer)).rejects.toMatchObject(notAllowed);
    for (const viewer of [mira, noor, ada])
      await expect(createTestCollection(viewer, group.id)).rejects.toMatchObject(notAllowed);
    await expect(createTestCollection({ ...ines, limited: true })).rejects.toMatchObject(notAllowed);
    await expect(createTestCollection(guest as SignedIn)).rejects.toMatchObject({ reason: "not-signed-in" });
    const forAll = await createTestCollection(ines);
    const text = await aText(mira, "Watering");
    await expect(add(mira, forAll, text)).rejects.toMatchObject(notAllowed);
    await expect(
      within((tx) => addCurator(tx, ines, { collectionId: forAll, username: "nobody" })),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => addCurator(tx, ines, { collectionId: forAll, username: "mira" }));
    await add(mira, forAll, text);
    await within((tx) => editCollection(tx, mira, { collectionId: forAll, title: "Read first", about: "" }));
    for (const manage of [
      () => within((tx) => addCurator(tx, mira, { collectionId: forAll, username: "noor" })),
      () => within((tx) => deleteCollection(tx, mira, { collectionId: forAll })),
      () => within((tx) => removeCurator(tx, mira, { collectionId: forAll, personId: ines.id })),
    ])
      await expect(manage()).rejects.toMatchObject(notAllowed);
    expect(await getCollection(db, guest, forAll)).toMatchObject({
      title: "Read first",
      curators: [
        { username: "ines", made: true },
        { username: "mira", made: false },
      ],
    });
    await within((tx) => removeCurator(tx, mira, { collectionId: forAll, personId: mira.id }));
    await expect(add(mira, forAll, text)).rejects.toMatchObject(notAllowed);
    await within((tx) => deleteCollection(tx, ada, { collectionId: forAll }));
    await expect(getCollection(db, ada, forAll)).rejects.toMatchObject({ reason: "not-found" });
    expect(await getResource(db, guest, text)).toMatchObject({ collections: [] });
    expect((await listEmittedEvents(database)).filter((type) => type.startsWith("collection."))).toEqual([
      "collection.created",
      ...Array.from({ length: 4 }, () => "collection.changed"),
      "collection.removed",
    ]);
  });

  test("has an order that also applies in the library", async () => {
    const { mira, ines } = await createTestUsers(database);
    const collectionId = await createTestCollection(ines);
    const ids: string[] = [];
    for (const title of ["One", "Two", "Three"]) ids.push(await aText(mira, title));
    for (const id of ids) await add(ines, collectionId, id);
    await add(ines, collectionId, ids[0]!);
    const move = (n: number, way: "up" | "down" | "top") =>
      within((tx) => moveInCollection(tx, ines, { collectionId, resourceId: ids[n]!, way }));
    expect(await titles(mira, collectionId)).toEqual(["One", "Two", "Three"]);
    await move(2, "up");
    await move(0, "up");
    expect(await titles(mira, collectionId)).toEqual(["One", "Three", "Two"]);
    await move(1, "top");
    await move(2, "down");
    expect(await titles(mira, collectionId)).toEqual(["Two", "One", "Three"]);
    expect(
      (await listResources(db, mira, { collection: collectionId })).rows.map(({ title }) => title),
    ).toEqual(["Two", "One", "Three"]);
    expect(
      (await listResources(db, mira, { collection: collectionId, sort: "title" })).rows.map(
        ({ title }) => title,
      ),
    ).toEqual(["One", "Three", "Two"]);
    await within((tx) => removeFromCollection(tx, ines, { collectionId, resourceId: ids[1]! }));
    await within((tx) => removeResource(tx, mira, { resourceId: ids[2]!, reason: "" }));
    expect(await titles(mira, collectionId)).toEqual(["One"]);
    await expect(move(1, "up")).rejects.toMatchObject({ reason: "not-found" });
    expect(await listCollections(db, mira)).toMatchObject([{ count: 1, first: [{ title: "One" }] }]);
    expect(await listAddableCollections(db, ines, await getResource(db, ines, ids[1]!))).toEqual([
      { id: collectionId, title: "Start here", holds: false },
    ]);
    expect(await listAddableCollections(db, mira, await getResource(db, mira, ids[1]!))).toEqual([]);
  });

  test("shows its first five items in the overview, and all items page by page", async () => {
    const { mira, ines } = await createTestUsers(database);
    const collectionId = await createTestCollection(ines);
    await run(
      db,
      sql`with made as (
            insert into resources (id, kind, owner_id, title, created_at)
            select gen_random_uuid(), 'document', ${mira.id}, 'No ' || n, ${database.clock.at}
            from generate_series(1, 30) n returning id, title)
          insert into collection_items (collection_id, resource_id, position) select ${collectionId}, id,
            substring(title from 4)::int from made`,
    );
    const [collection] = await listCollections(db, mira);
    expect([collection!.count, collection!.first.map(({ title }) => title)]).toEqual([
      30,
      ["No 1", "No 2", "No 3", "No 4", "No 5"],
    ]);
    const first = await listResources(db, mira, { collection: collectionId });
    const rest = await listResources(db, mira, { collection: collectionId, after: first.next! });
    expect([...first.rows, ...rest.rows].map(({ title }) => title)).toEqual(
      Array.from({ length: 30 }, (_, n) => `No ${n + 1}`),
    );
  });

  test("accepts only resources that all its readers can see", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, ines } = people;
    const group = await createTestGroup(database, people, { visibility: "private" });
    const other = await createTestGroup(database, people, { visibility: "private", name: "Other" });
    const collectionId = await createTestCollection(tomas, group.id);
    await add(tomas, collectionId, await aText(mira, "Ours", group.id));
    await add(tomas, collectionId, await aText(mira, "For all"));
    await expect(add(tomas, collectionId, await aText(mira, "Theirs", other.id))).rejects.toMatchObject({
      reason: "invalid",
    });
    await expect(
      add(ines, await createTestCollection(ines), await aText(mira, "Hidden", group.id)),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(
      within((tx) => addCurator(tx, tomas, { collectionId, username: "noor" })),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => addCurator(tx, tomas, { collectionId, username: "mira" }));
    for (const viewer of [noor, ines, people.guest])
      await expect(getCollection(db, viewer, collectionId)).rejects.toMatchObject({ reason: "not-found" });
    expect(collectionRules.curate(mira, await getCollection(db, mira, collectionId))).toBe(true);
    // Former members curate none of the group's collections.
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    await expect(getCollection(db, mira, collectionId)).rejects.toMatchObject({ reason: "not-found" });
  });
});
