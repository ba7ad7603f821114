import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import {
  createTestDiscussion,
  createTestReply,
  listEmittedEvents,
} from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  getDiscussion,
  listDiscussions,
  listLatestDiscussions,
  lockDiscussion,
  getPost,
  purgeDeletedContent,
  restoreDiscussion,
  restorePost,
  unarchiveDiscussion,
} from "../index.ts";
import {
  attachTestPicture,
  database,
  db,
  countFreedUploads,
  listEntryKinds,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";

describe("archived or deleted discussion", () => {
  test("stays readable when archived, but is locked and unlisted", async () => {
    const { mira, tomas, noor, group, discussion, at } = await setupModeration();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    expect(await getDiscussion(db, noor, discussion.id)).toMatchObject({ state: "archived" });
    expect((await listLatestDiscussions(db, mira, {})).rows).toEqual([]);
    expect((await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).rows).toEqual([]);
    await expect(createTestReply(database, mira, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(
      within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON })),
    ).rejects.toMatchObject({ reason: "conflict" });
    await within((tx) => unarchiveDiscussion(tx, tomas, at));
    await createTestReply(database, mira, discussion.id);
    expect(await listEntryKinds(mira, discussion.id)).toEqual(["archived", "unarchived"]);
  });

  test("can be seen and restored only by moderators when deleted", async () => {
    const { mira, tomas, ines, noor, guest, discussion, at } = await setupModeration();
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: REASON }));
    for (const who of [mira, noor, guest])
      await expect(getDiscussion(db, who, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    for (const who of [tomas, ines])
      expect((await getDiscussion(db, who, discussion.id)).state).toBe("deleted");
    await expect(createTestReply(database, tomas, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => restoreDiscussion(tx, mira, at))).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect((await getDiscussion(db, mira, discussion.id)).state).toBe("archived");
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["discussion.deleted", "discussion.restored"]),
    );
  });

  test("becomes visible again with its only post when either is restored", async () => {
    const { mira, tomas, guest, group } = await setupModeration();
    const alone = await createTestDiscussion(database, mira, group.id);
    const [at, post] = [{ discussionId: alone.id }, { postId: alone.postId }];
    const stands = async () => [
      (await getDiscussion(db, guest, alone.id)).state,
      (await getPost(db, guest, alone.postId)).stub,
      (await listLatestDiscussions(db, mira, {})).rows.some(({ id }) => id === alone.id),
    ];
    const remove = () => within((tx) => deletePost(tx, tomas, { ...post, reason: REASON }));
    await remove();
    await expect(getDiscussion(db, mira, alone.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restorePost(tx, tomas, { ...post, reason: REASON }));
    expect(await stands()).toEqual(["open", null, true]);
    await remove();
    await within((tx) => restoreDiscussion(tx, tomas, at));
    expect(await stands()).toEqual(["open", null, true]);
    expect((await listEmittedEvents(database)).slice(-2)).toEqual(["discussion.restored", "post.restored"]);
    await remove();
    database.clock.pass(31 * DAY);
    await run(db, sql`update posts set body_md = '', body_html = '' where id = ${alone.postId}`);
    await expect(within((tx) => restoreDiscussion(tx, tomas, at))).rejects.toMatchObject({ reason: "gone" });
  });

  test("cannot be restored by a moderator if its author deleted the only post", async () => {
    const { mira, tomas, group } = await setupModeration();
    const alone = await createTestDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: alone.postId }));
    await expect(
      within((tx) => restoreDiscussion(tx, tomas, { discussionId: alone.id })),
    ).rejects.toMatchObject({ reason: "conflict" });
    expect((await getDiscussion(db, tomas, alone.id)).state).toBe("deleted");
  });

  test("gets purged after thirty days, or after one day if it had no replies", async () => {
    const { mira, tomas, group, at } = await setupModeration();
    const lone = await createTestDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId: lone.postId }));
    await within((tx) => deleteDiscussion(tx, tomas, { ...at, reason: REASON }));
    await attachTestPicture(mira, lone.postId);
    const left = async () => (await many(db, sql`select id from discussions`)).length;
    database.clock.pass(DAY + MINUTE);
    await within(purgeDeletedContent);
    expect([await left(), await countFreedUploads()]).toEqual([1, 1]);
    database.clock.pass(28 * DAY);
    await within(purgeDeletedContent);
    expect(await left()).toBe(1);
    database.clock.pass(DAY);
    await within(purgeDeletedContent);
    expect(await left()).toBe(0);
    expect(await many(db, sql`select id from posts`)).toEqual([]);
  });
});
