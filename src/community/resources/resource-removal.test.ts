import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { resourceRules, type SignedIn } from "#community/rules";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import {
  addFile,
  addComment,
  NewComment,
  NewFile,
  purgeRemovedResources,
  removeResource,
  replaceFile,
  getResource,
  restoreResource,
  restoreVersion,
  getTombstone,
  listVersions,
} from "./index.ts";
import {
  database,
  db,
  within,
  NOT_ALLOWED_ERROR,
  addTestDocument,
  editAs,
  addTestUpload,
} from "../../../test/support/resources/resource-edits.ts";

describe("removed resource", () => {
  test("shows readers the reason, and stays visible to people who may restore it", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas, noor, guest } = people;
    const group = await createTestGroup(database, people);
    const { id } = await addTestDocument(mira, group.id);
    const remove = (by: SignedIn, reason = "") =>
      within((tx) => removeResource(tx, by, { resourceId: id, reason }));
    const restore = (by: SignedIn) => within((tx) => restoreResource(tx, by, { resourceId: id }));
    await expect(remove(noor)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await expect(remove(tomas)).rejects.toMatchObject({ fields: { reason: expect.any(String) } });
    await remove(tomas, "It is wrong.");
    for (const viewer of [noor, guest]) {
      await expect(getResource(db, viewer, id)).rejects.toMatchObject({ reason: "gone" });
      expect(await getTombstone(db, viewer, id)).toMatchObject({ byOwner: false, reason: "It is wrong." });
    }
    for (const viewer of [mira, tomas])
      expect(await getResource(db, viewer, id)).toMatchObject({ removedReason: "It is wrong." });
    await expect(restore(mira)).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await expect(restore(noor)).rejects.toMatchObject({ reason: "gone" });
    await expect(editAs(mira, id, 0, { title: "x" })).rejects.toMatchObject(NOT_ALLOWED_ERROR);
    await restore(tomas);
    await remove(mira);
    expect(await getTombstone(db, noor, id)).toMatchObject({ byOwner: true, reason: "" });
    await restore(mira);
    await restore(mira);
    expect(await getResource(db, guest, id)).toMatchObject({ state: "published", removedAt: null });
    await expect(getTombstone(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
    const hidden = await createTestGroup(database, people, { visibility: "secret", name: "Hidden" });
    const inHidden = await addTestDocument(mira, hidden.id);
    await within((tx) => removeResource(tx, mira, { resourceId: inHidden.id, reason: "" }));
    for (const look of [getResource, getTombstone])
      await expect(look(db, noor, inHidden.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets purged after thirty days, with its files", async () => {
    const { mira } = await createTestUsers(database);
    const upload = await addTestUpload(mira, "a");
    const { id } = await within((tx) =>
      addFile(tx, mira, NewFile.parse({ uploadId: upload.id, title: "Plan" })),
    );
    await within((tx) => addComment(tx, mira, NewComment.parse({ resourceId: id, body: "A picture:" })));
    await addTestUpload(mira, "b", "image/webp");
    await run(
      db,
      sql`update uploads set attached_kind = 'post', attached_id = (select id from posts)
        where attached_kind is null`,
    );
    await within((tx) => removeResource(tx, mira, { resourceId: id, reason: "" }));
    const purged = async (days: number) => {
      database.clock.at = new Date(database.clock.at.getTime() + days * DAY);
      await within(purgeRemovedResources);
      return one(
        db,
        sql`select (select count(*)::int from resources) as resources, (select count(*)::int from uploads
          where attached_kind is null) as orphans`,
      );
    };
    expect(await purged(29)).toEqual({ resources: 1, orphans: 0 });
    expect(await purged(2)).toEqual({ resources: 0, orphans: 2 });
  });

  test("with an infected file can be neither added nor restored", async () => {
    const { mira } = await createTestUsers(database);
    const [first, second] = [await addTestUpload(mira, "a"), await addTestUpload(mira, "b")];
    const { id } = await within((tx) =>
      addFile(tx, mira, NewFile.parse({ uploadId: first.id, title: "Plan" })),
    );
    await within((tx) =>
      replaceFile(tx, mira, { resourceId: id, changes: 0, reason: "", note: "", uploadId: second.id }),
    );
    await addTestUpload(mira, "c");
    await run(db, sql`update uploads set state = 'quarantined' where id <> ${second.id}`);
    const { id: harmful } = await one(
      db,
      sql<{ id: string }>`select id from uploads where attached_kind is null`,
    );
    await expect(
      within((tx) => addFile(tx, mira, NewFile.parse({ uploadId: harmful, title: "Bad" }))),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    const back = within((tx) =>
      restoreVersion(tx, mira, { resourceId: id, changes: 1, reason: "", version: 1 }),
    );
    await expect(back).rejects.toMatchObject({ reason: "conflict" });
  });

  test("hides owner and editors from a person they block", async () => {
    const { mira, noor } = await createTestUsers(database);
    const { id } = await addTestDocument(mira);
    await editAs(mira, id, 0, { body: "New." });
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    const it = await getResource(db, noor, id);
    expect([it.owner, it.ownerId, (await listVersions(db, noor, it)).rows.map(({ by }) => by)]).toEqual([
      null,
      null,
      [null, null],
    ]);
  });
});

test("staff moderate site-wide resources, and group owners feature resources of their group", async () => {
  const people = await createTestUsers(database);
  const { mira, tomas, ines, ada, noor } = people;
  const group = await createTestGroup(database, people);
  const forAll = await getResource(db, mira, (await addTestDocument(mira)).id);
  const ofGroup = await addTestDocument(mira, group.id);
  const can = async (viewer: SignedIn, id: string) => {
    const it = await getResource(db, viewer, id);
    return [
      resourceRules.moderate(viewer, it),
      resourceRules.amend(viewer, it),
      resourceRules.feature(viewer, it),
    ];
  };
  const who = [mira, tomas, ines, ada, noor];
  expect(await Promise.all(who.map((it) => can(it, forAll.id)))).toEqual([
    [false, false, false],
    [false, false, false],
    [true, true, false],
    [true, true, true],
    [false, false, false],
  ]);
  expect(await Promise.all(who.map((it) => can(it, ofGroup.id)))).toEqual([
    [false, false, false],
    [true, true, true],
    [true, false, false],
    [true, false, true],
    [false, false, false],
  ]);
});
