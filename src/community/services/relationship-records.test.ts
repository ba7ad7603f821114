import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { createTestGroup } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { matchingRefusal, createRecordSetup } from "../../../test/support/services/record-setup.ts";

const database = await testDatabase();
const { create, change, remove, getRow, setupGroup } = createRecordSetup(database);
const { db } = database;

describe("saving a record", () => {
  test("creates a membership, request or invitation, and a new state runs the matching command", async () => {
    const { mira, noor, tomas, groupId, ines } = await setupGroup();
    const own = `${groupId}:${noor.id}`;
    expect(await create(noor, "Memberships", { groupId })).toBe(own);
    await change(noor, "Memberships", own, { notifyLevel: "all" });
    expect(await getRow(noor, "Memberships", own)).toMatchObject({
      state: "member",
      notifyLevel: "all",
      mine: true,
    });
    expect(await getRow(mira, "Memberships", own)).toMatchObject({
      state: "member",
      notifyLevel: null,
      mine: false,
    });
    await expect(change(mira, "Memberships", own, { role: "moderator" })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await change(tomas, "Memberships", own, { role: "moderator" });
    await expect(remove(tomas, "Memberships", own)).rejects.toMatchObject(
      matchingRefusal("not-allowed", /reason/),
    );
    await expect(change(tomas, "Memberships", own, { state: "removed" })).rejects.toMatchObject(
      matchingRefusal("invalid", /Enter a reason/),
    );
    await change(tomas, "Memberships", own, { state: "removed", reason: "Not now." });
    await expect(
      change(mira, "Memberships", `${groupId}:${mira.id}`, { state: "banned" }),
    ).rejects.toMatchObject(matchingRefusal("not-allowed"));
    await remove(mira, "Memberships", `${groupId}:${mira.id}`);
    expect(await getRow(mira, "Memberships", `${groupId}:${mira.id}`)).toMatchObject({ state: "left" });
    await create(tomas, "Memberships", { groupId, personId: ines.id });
    await change(ines, "Memberships", `${groupId}:${ines.id}`, { state: "member" });
    const closed = await createTestGroup(
      database,
      { tomas, mira },
      { visibility: "private", name: "Behind doors" },
    );
    await create(noor, "Memberships", { groupId: closed.id, state: "requested" });
    await change(tomas, "Memberships", `${closed.id}:${noor.id}`, { state: "member" });
    expect(await getRow(noor, "Memberships", `${closed.id}:${noor.id}`)).toMatchObject({ state: "member" });
  });

  test("creates friends, blocks, reactions and bookmarks, and removing a record deletes them", async () => {
    database.clock.at = new Date();
    const { mira, noor, tomas, discussion } = await setupGroup();
    const pair = await create(mira, "Friendships", { personId: noor.id, note: "Hello" });
    await expect(change(mira, "Friendships", pair, { state: "friends" })).rejects.toMatchObject(
      matchingRefusal("not-allowed"),
    );
    await change(noor, "Friendships", pair, { state: "friends" });
    expect(await getRow(mira, "Friendships", pair)).toMatchObject({ state: "friends", personId: noor.id });
    await remove(noor, "Friendships", pair);
    await expect(getRow(mira, "Friendships", pair)).rejects.toMatchObject(matchingRefusal("not-found"));
    const reaction = await create(tomas, "Reactions", { postId: discussion.postId, emoji: "🍐" });
    await expect(remove(mira, "Reactions", reaction)).rejects.toMatchObject(matchingRefusal("not-allowed"));
    await remove(tomas, "Reactions", reaction);
    await expect(
      create(tomas, "Reactions", { postId: discussion.postId, emoji: "pear" }),
    ).rejects.toMatchObject(matchingRefusal("invalid", /emoji/));
    const bookmarkId = await create(tomas, "Bookmarks", { postId: discussion.postId, note: "Beans" });
    await change(tomas, "Bookmarks", bookmarkId, { remindAt: database.clock.at.getTime() + 60_000 });
    expect(await getRow(tomas, "Bookmarks", bookmarkId)).toMatchObject({
      note: "Beans",
      remindAt: new Date(database.clock.at.getTime() + 60_000),
    });
    await remove(tomas, "Bookmarks", bookmarkId);
    const block = await create(mira, "Blocks", { personId: noor.id });
    await expect(remove(noor, "Blocks", block)).rejects.toMatchObject(matchingRefusal("not-found"));
    await remove(mira, "Blocks", block);
    expect(await many(db, sql`select from blocks`)).toEqual([]);
  });
});
