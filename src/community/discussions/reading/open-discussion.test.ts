import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  assertNotDeleted,
  deleteDiscussion,
  getDiscussion,
  getDraft,
  openDiscussion,
  draftTargets,
  purgeDeletedContent,
  saveDraft,
  listSidebarRows,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

describe("opening a discussion", () => {
  test("loads discussion, draft and sidebar in one query", async () => {
    const people = await createTestUsers(database);
    const { mira, tomas } = people;
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, tomas, group.id);
    await createTestDiscussion(database, tomas, group.id);
    const here = draftTargets.discussion(id);
    const { version } = (
      await within((tx) =>
        saveDraft(tx, mira, { place: here, version: 0, title: "", body: "Half a thought" }),
      )
    ).draft;

    const { sidebar, draft, ownAgainAt, ...discussion } = await openDiscussion(db, mira, id);
    expect(discussion).toEqual(await getDiscussion(db, mira, id));
    expect(ownAgainAt).toBeNull();
    expect(sidebar).toHaveLength(2);
    expect(sidebar).toEqual(await listSidebarRows(db, mira, discussion.group));
    expect(draft).toMatchObject({ version, body: "Half a thought" });
    expect(await getDraft(db, mira, here)).toMatchObject(draft!);
  });

  test("returns not-found to an outsider of a secret group, sidebar included", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "secret" });
    const { id } = await createTestDiscussion(database, people.tomas, group.id);
    await expect(openDiscussion(db, people.noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(openDiscussion(db, people.guest, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("reports that a deleted discussion is gone only to its former readers", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility: "private" });
    const { id, postId } = await createTestDiscussion(database, people.mira, group.id);
    const check = (viewer: Viewer) => assertNotDeleted(db, viewer, postId);
    await check(people.mira);
    const open = await createTestDiscussion(
      database,
      people.mira,
      (await createTestGroup(database, people, { name: "The Square" })).id,
    );
    for (const discussionId of [id, open.id])
      await within((tx) => deleteDiscussion(tx, people.tomas, { discussionId, reason: "Spam." }));
    const refused = (viewer: Viewer, it: string) => expect(openDiscussion(db, viewer, it)).rejects;
    await refused(people.mira, id).toMatchObject({ reason: "gone" });
    for (const viewer of [people.noor, people.ines, people.guest])
      await refused(viewer, id).toMatchObject({ reason: "not-found" });
    await expect(check(people.mira)).rejects.toMatchObject({ reason: "gone" });
    for (const viewer of [people.noor, people.ines, people.guest]) await check(viewer);
    for (const viewer of [people.mira, people.noor])
      await refused(viewer, open.id).toMatchObject({ reason: "gone" });
    await refused(people.guest, open.id).toMatchObject({ reason: "not-found" });
    for (const none of [crypto.randomUUID(), "x"])
      await refused(people.mira, none).toMatchObject({ reason: "not-found" });
    expect((await openDiscussion(db, people.tomas, id)).state).toBe("deleted");
    database.clock.pass(31 * DAY);
    await within(purgeDeletedContent);
    await refused(people.mira, id).toMatchObject({ reason: "not-found" });
  });

  test("never shows another person's draft", async () => {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.tomas, group.id);
    await within((tx) =>
      saveDraft(tx, people.mira, { place: draftTargets.discussion(id), version: 0, title: "", body: "Mine" }),
    );
    expect((await openDiscussion(db, people.tomas, id)).draft).toBeNull();
    expect((await openDiscussion(db, people.guest, id)).draft).toBeNull();
  });
});

describe("notice before a reply", () => {
  /** A discussion of Tomas's, and the notice a person gets there now. */
  async function setting() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    const { id } = await createTestDiscussion(database, people.tomas, group.id);
    const noticeFor = async (viewer: SignedIn) =>
      discussionRules.beforeReply(await openDiscussion(db, viewer, id), database.clock.at);
    return { ...people, id, noticeFor };
  }

  test("warns the author of the last two posts for a day, or until another reply", async () => {
    const { mira, tomas, noor, id, noticeFor } = await setting();
    await createTestReply(database, mira, id);
    expect(await noticeFor(mira)).toBeNull();
    await createTestReply(database, mira, id);
    expect([await noticeFor(mira), await noticeFor(tomas), await noticeFor(noor)]).toEqual([
      "again",
      null,
      null,
    ]);
    database.clock.pass(DAY);
    expect(await noticeFor(mira)).toBeNull();
    await createTestReply(database, mira, id);
    await createTestReply(database, mira, id);
    expect(await noticeFor(mira)).toBe("again");
    await createTestReply(database, tomas, id);
    expect(await noticeFor(mira)).toBeNull();
    // The first post is not a reply.
    expect(await noticeFor(tomas)).toBeNull();
  });

  test("warns everyone after 180 days without posts", async () => {
    const { mira, tomas, id, noticeFor } = await setting();
    database.clock.pass(180 * DAY);
    expect(await noticeFor(mira)).toBeNull();
    database.clock.pass(1);
    expect([await noticeFor(mira), await noticeFor(tomas)]).toEqual(["waking", "waking"]);
    await createTestReply(database, mira, id);
    expect(await noticeFor(tomas)).toBeNull();
  });
});
