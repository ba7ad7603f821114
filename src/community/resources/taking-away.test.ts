import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { block } from "#community/friends";
import { resourceRules, type SignedIn } from "#community/rules";
import { aGroup, cast } from "../../../test/cast.ts";
import {
  addFile,
  comment,
  NewComment,
  NewFile,
  purgeRemovedResources,
  removeResource,
  replaceFile,
  resourceFor,
  restoreResource,
  restoreVersion,
  tombstoneFor,
  versionsOf,
} from "./index.ts";
import { database, db, within, notAllowed, aDocument, edit, anUpload } from "./changing.fixture.ts";

describe("removed resource", () => {
  test("shows readers the reason, and stays for people who may restore it", async () => {
    const people = await cast(database);
    const { mira, tomas, noor, guest } = people;
    const group = await aGroup(database, people);
    const { id } = await aDocument(mira, group.id);
    const remove = (by: SignedIn, reason = "") => within((tx) => removeResource(tx, by, { resourceId: id, reason }));
    const restore = (by: SignedIn) => within((tx) => restoreResource(tx, by, { resourceId: id }));
    await expect(remove(noor)).rejects.toMatchObject(notAllowed);
    await expect(remove(tomas)).rejects.toMatchObject({ fields: { reason: expect.any(String) } });
    await remove(tomas, "It is wrong.");
    for (const viewer of [noor, guest]) {
      await expect(resourceFor(db, viewer, id)).rejects.toMatchObject({ reason: "gone" });
      expect(await tombstoneFor(db, viewer, id)).toMatchObject({ byKeeper: false, reason: "It is wrong." });
    }
    for (const viewer of [mira, tomas]) expect(await resourceFor(db, viewer, id)).toMatchObject({ removedReason: "It is wrong." });
    await expect(restore(mira)).rejects.toMatchObject(notAllowed);
    await expect(restore(noor)).rejects.toMatchObject({ reason: "gone" });
    await expect(edit(mira, id, 0, { title: "x" })).rejects.toMatchObject(notAllowed);
    await restore(tomas);
    await remove(mira);
    expect(await tombstoneFor(db, noor, id)).toMatchObject({ byKeeper: true, reason: "" });
    await restore(mira);
    await restore(mira);
    expect(await resourceFor(db, guest, id)).toMatchObject({ state: "published", removedAt: null });
    await expect(tombstoneFor(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
    const hidden = await aGroup(database, people, { visibility: "secret", name: "Hidden" });
    const inHidden = await aDocument(mira, hidden.id);
    await within((tx) => removeResource(tx, mira, { resourceId: inHidden.id, reason: "" }));
    for (const look of [resourceFor, tombstoneFor])
      await expect(look(db, noor, inHidden.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("gets purged after thirty days, with its files", async () => {
    const { mira } = await cast(database);
    const upload = await anUpload(mira, "a");
    const { id } = await within((tx) => addFile(tx, mira, NewFile.parse({ uploadId: upload.id, title: "Plan" })));
    await within((tx) => comment(tx, mira, NewComment.parse({ resourceId: id, body: "A picture:" })));
    await anUpload(mira, "b", "image/webp");
    await run(db, sql`update uploads set attached_kind = 'post', attached_id = (select id from posts) where attached_kind is null`);
    await within((tx) => removeResource(tx, mira, { resourceId: id, reason: "" }));
    const purged = async (days: number) => {
      database.clock.at = new Date(database.clock.at.getTime() + days * DAY);
      await within(purgeRemovedResources);
      return one(
        db,
        sql`select (select count(*)::int from resources) as resources, (select count(*)::int from uploads where attached_kind is null) as orphans`,
      );
    };
    expect(await purged(29)).toEqual({ resources: 1, orphans: 0 });
    expect(await purged(2)).toEqual({ resources: 0, orphans: 2 });
  });

  test("with a quarantined file can be neither added nor restored", async () => {
    const { mira } = await cast(database);
    const [first, second] = [await anUpload(mira, "a"), await anUpload(mira, "b")];
    const { id } = await within((tx) => addFile(tx, mira, NewFile.parse({ uploadId: first.id, title: "Plan" })));
    await within((tx) => replaceFile(tx, mira, { resourceId: id, changes: 0, reason: "", note: "", uploadId: second.id }));
    await anUpload(mira, "c");
    await run(db, sql`update uploads set state = 'quarantined' where id <> ${second.id}`);
    const { id: harmful } = await one(db, sql<{ id: string }>`select id from uploads where attached_kind is null`);
    await expect(within((tx) => addFile(tx, mira, NewFile.parse({ uploadId: harmful, title: "Bad" })))).rejects.toMatchObject({
      reason: "invalid",
    });
    const back = within((tx) => restoreVersion(tx, mira, { resourceId: id, changes: 1, reason: "", version: 1 }));
    await expect(back).rejects.toMatchObject({ reason: "conflict" });
  });

  test("hides the owner and editors from a person they block", async () => {
    const { mira, noor } = await cast(database);
    const { id } = await aDocument(mira);
    await edit(mira, id, 0, { body: "New." });
    await within((tx) => block(tx, mira, { personId: noor.id }));
    const it = await resourceFor(db, noor, id);
    expect([it.keeper, it.keeperId, (await versionsOf(db, noor, it)).rows.map(({ by }) => by)]).toEqual([null, null, [null, null]]);
  });
});

test("staff moderate site-wide resources, owners feature those of their group", async () => {
  const people = await cast(database);
  const { mira, tomas, ines, ada, noor } = people;
  const group = await aGroup(database, people);
  const forAll = await resourceFor(db, mira, (await aDocument(mira)).id);
  const ofGroup = await aDocument(mira, group.id);
  const may = async (who: SignedIn, id: string) => {
    const it = await resourceFor(db, who, id);
    return [resourceRules.moderate(who, it), resourceRules.amend(who, it), resourceRules.feature(who, it)];
  };
  const who = [mira, tomas, ines, ada, noor];
  expect(await Promise.all(who.map((it) => may(it, forAll.id)))).toEqual([
    [false, false, false],
    [false, false, false],
    [true, true, false],
    [true, true, true],
    [false, false, false],
  ]);
  expect(await Promise.all(who.map((it) => may(it, ofGroup.id)))).toEqual([
    [false, false, false],
    [true, true, true],
    [true, false, false],
    [true, false, true],
    [false, false, false],
  ]);
});
