import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { many, one, run, sql } from "#platform/database";
import { getGroup, addStartItem } from "#community/groups";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import {
  addDocument,
  addFile,
  addComment,
  listComments,
  featureResource,
  getFile,
  createCollection,
  moveResource,
  NewComment,
  NewDocument,
  NewFile,
  listResourceMoveTargets,
  addToCollection,
  replaceFile,
  getResource,
  ResourceMove,
  listResources,
  getVersion,
} from "./index.ts";
import {
  addTestDocument,
  addTestUpload,
  database,
  db,
  editAs,
  NOT_ALLOWED_ERROR,
  within,
} from "../../../test/support/resources/resource-edits.ts";

/** A public group and another one, both of Tomas's and with Mira. */
async function setting(there: Visibility = "public", here: Visibility = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: here });
  const other = await createTestGroup(database, people, { name: "The Orchard", visibility: there });
  return { ...people, group, other };
}
type Wish = Partial<z.input<typeof ResourceMove>>;
const move = (
  viewer: SignedIn,
  resourceId: string,
  to: { groupId?: string; visibility: Visibility | "everybody" },
  wish: Wish = {},
) => within((tx) => moveResource(tx, viewer, ResourceMove.parse({ resourceId, ...to, ...wish })));
const everybody = { visibility: "everybody" as const };
const into = (group: { id: string }, visibility: Visibility) => ({ groupId: group.id, visibility });
const comment = (viewer: SignedIn, resourceId: string) =>
  within((tx) => addComment(tx, viewer, NewComment.parse({ resourceId, body: "So it is." })));
const notFound = { reason: "not-found" };

describe("moving a resource", () => {
  test("by its owner immediately changes who can read it, including versions and comments", async () => {
    const { mira, tomas, noor, guest, group, other } = await setting("private");
    const first = await addTestUpload(mira, "a");
    const second = await addTestUpload(mira, "b");
    const { id } = await within((tx) =>
      addFile(tx, mira, NewFile.parse({ uploadId: first.id, title: "Plan", groupId: group.id })),
    );
    await within((tx) =>
      replaceFile(tx, mira, { resourceId: id, uploadId: second.id, changes: 0, note: "", reason: "" }),
    );
    await comment(tomas, id);
    await move(mira, id, into(other, "private"));
    for (const viewer of [noor, guest] as Viewer[]) {
      await expect(getResource(db, viewer, id)).rejects.toMatchObject(notFound);
      for (const upload of [first, second])
        await expect(getFile(db, viewer, upload.id)).rejects.toMatchObject(notFound);
      expect((await listResources(db, viewer, { group: group.id })).rows).toEqual([]);
    }
    const it = await getResource(db, tomas, id);
    expect(it).toMatchObject({ group: { id: other.id }, audience: "group", version: 2 });
    expect(await getVersion(db, tomas, it, 1)).toMatchObject({ version: 1 });
    for (const upload of [first, second])
      expect(await getFile(db, tomas, upload.id)).toMatchObject({ fileName: expect.any(String) });
    expect((await listComments(db, tomas, it)).comments).toHaveLength(1);
    expect((await listEmittedEvents(database)).at(-1)).toBe("resource.moved");
    expect(
      await many(
        db,
        sql`select details->>'groupId' as "groupId" from audit_events where act = 'resource.moved'
          order by 1`,
      ),
    ).toHaveLength(2);
  });

  test("by others needs a moderator of both groups and a reason", async () => {
    const { mira, tomas, noor, ines, ada, guest, group, other } = await setting("private");
    const { id } = await addTestDocument(mira, group.id);
    for (const viewer of [noor, ines, ada])
      await expect(move(viewer, id, into(other, "private"), { reason: "So." })).rejects.toThrow();
    await expect(move(guest as SignedIn, id, everybody)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(move(tomas, id, everybody, { reason: "So." })).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await expect(move(tomas, id, into(other, "private"))).rejects.toMatchObject({
      fields: { reason: expect.any(String) },
    });
    await move(tomas, id, into(other, "private"), { reason: "It belongs there." });
    expect(
      await one(db, sql`select actor_id, reason from audit_events where act = 'resource.moved' limit 1`),
    ).toMatchObject({
      actor_id: tomas.id,
      reason: "It belongs there.",
    });
    const forAll = await addTestDocument(mira);
    await move(ines, forAll.id, into(group, "public"), { reason: "It is about their beds." });
    expect(await getResource(db, guest, forAll.id)).toMatchObject({ group: { id: group.id } });
  });

  test("fails after a change of audience, to the same place, or without permission", async () => {
    const { mira, tomas, group, other } = await setting("private");
    const { id } = await addTestDocument(mira, group.id);
    await expect(move(mira, id, into(other, "public"))).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(mira, id, { groupId: other.id, visibility: "everybody" })).rejects.toMatchObject({
      reason: "conflict",
    });
    await expect(move(mira, id, into(group, "public"))).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(mira, id, { groupId: randomUUID(), visibility: "public" })).rejects.toMatchObject(
      notFound,
    );
    const alone = await within((tx) => createPerson(tx, "otto"));
    const own = await createTestGroup(
      database,
      { tomas: alone, mira: tomas },
      { name: "Otto's", visibility: "secret" },
    );
    await expect(move(mira, id, into(own, "secret"))).rejects.toMatchObject(notFound);
    await within((tx) => setMembership(tx, other.id, mira, "left"));
    await expect(move(mira, id, into(other, "private"))).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await run(
      db,
      sql`update resources set state = 'removed', removed_at = now(), removed_by = ${mira.id}
        where id = ${id}`,
    );
    await expect(move(mira, id, everybody)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
  });
});

describe("move to a wider audience", () => {
  test("requires a moderator of both groups if other people commented or edited", async () => {
    const { mira, tomas, guest, other } = await setting("private");
    const own = await addTestDocument(mira, other.id);
    await move(mira, own.id, everybody);
    expect(await getResource(db, guest, own.id)).toMatchObject({ group: null });
    const talked = await addTestDocument(mira, other.id);
    await comment(tomas, talked.id);
    await expect(move(mira, talked.id, everybody)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    const edited = await addTestDocument(mira, other.id);
    await editAs(tomas, edited.id, 0, { body: "Another sentence.", reason: "It was wrong." });
    await expect(move(mira, edited.id, everybody)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    // A resource that everyone can read gains no new readers.
    const open = await addTestDocument(mira);
    await comment(tomas, open.id);
    await move(mira, open.id, into(other, "private"));
  });

  test("ends the restriction to members of the former group", async () => {
    const { mira, guest, group, other } = await setting();
    const { id } = await addTestDocument(mira, group.id);
    await run(db, sql`update resources set audience = 'members' where id = ${id}`);
    await expect(getResource(db, guest, id)).rejects.toMatchObject(notFound);
    await move(mira, id, into(other, "public"));
    expect(await getResource(db, guest, id)).toMatchObject({ audience: "group" });
  });

  test("fails for content saved from a group's post", async () => {
    const { mira, tomas, ines, other, group } = await setting("private");
    const { postId } = await createTestDiscussion(database, mira, other.id);
    const document = await within((tx) =>
      addDocument(
        tx,
        mira,
        NewDocument.parse({ title: "Beans", body: "The soil is cold.", groupId: other.id, postId }),
      ),
    );
    for (const viewer of [mira, tomas])
      await expect(move(viewer, document.id, into(group, "public"), { reason: "So." })).rejects.toMatchObject(
        {
          fields: { groupId: expect.any(String) },
        },
      );
    expect(await listResourceMoveTargets(db, mira, await getResource(db, mira, document.id))).toEqual({
      groups: [],
      everybody: false,
    });
    await expect(move(ines, document.id, everybody, { reason: "So." })).rejects.toMatchObject(notFound);
  });
});

test("a moved resource is removed from the collections, lists and front page of other groups", async () => {
  const { mira, tomas, ines, ada, group, other } = await setting("private");
  const { id } = await addTestDocument(mira);
  const collections = [
    await within((tx) => createCollection(tx, ines, { title: "For all", about: "" })),
    await within((tx) => createCollection(tx, tomas, { title: "On the site", about: "", groupId: group.id })),
    await within((tx) => createCollection(tx, tomas, { title: "There", about: "", groupId: other.id })),
  ] as const;
  await within((tx) => addToCollection(tx, ines, { collectionId: collections[0].id, resourceId: id }));
  for (const collection of collections.slice(1))
    await within((tx) => addToCollection(tx, tomas, { collectionId: collection.id, resourceId: id }));
  for (const place of [group, other])
    await within((tx) => addStartItem(tx, tomas, { groupId: place.id, address: `/resources/${id}` }));
  await within((tx) => featureResource(tx, ada, { resourceId: id }));
  await move(mira, id, into(other, "private"));
  expect((await getResource(db, tomas, id)).collections).toEqual([{ id: collections[2].id, title: "There" }]);
  expect(await many(db, sql`select group_id as "groupId" from group_start_items`)).toEqual([
    { groupId: other.id },
  ]);
  expect(await getResource(db, tomas, id)).toMatchObject({ featuredAt: null });
  expect((await getGroup(db, tomas, group.id)).resourcesCount).toBe(0);
});

test("move targets are listed only for people who may move the resource there", async () => {
  const { mira, tomas, noor, ines, guest, group, other } = await setting("private");
  const { id } = await addTestDocument(mira, group.id);
  const listTargets = async (viewer: Viewer) => {
    const targets = await listResourceMoveTargets(db, viewer, await getResource(db, viewer, id));
    return [...targets.groups.map((it) => it.id), ...(targets.everybody ? ["everybody"] : [])];
  };
  expect(await listTargets(mira)).toEqual([other.id, "everybody"]);
  expect(await listTargets(tomas)).toEqual([other.id]);
  for (const viewer of [noor, guest]) expect(await listTargets(viewer)).toEqual([]);
  expect(await listTargets(ines)).toEqual(["everybody"]);
  await comment(tomas, id);
  expect(await listTargets(mira)).toEqual([other.id, "everybody"]);
});
