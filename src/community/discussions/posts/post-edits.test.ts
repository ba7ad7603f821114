import { describe, expect, test } from "vitest";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { GUEST, type SignedIn } from "#community/rules";
import { createTestDiscussion, createTestReply } from "../../../../test/support/test-users.ts";
import {
  deletePost,
  getDiscussion,
  editPost,
  NewReaction,
  getPost,
  addReaction,
  getPostSource,
  removeReaction,
} from "../index.ts";
import {
  database,
  db,
  getPosts,
  setupDiscussion,
  within,
} from "../../../../test/support/discussions/discussion-setup.ts";

describe("post", () => {
  test("can be edited by its author for a limited time, and is marked as edited after five minutes", async () => {
    const { mira, noor, discussion } = await setupDiscussion();
    const edit = (viewer: SignedIn, body: string, version = 1) =>
      within((tx) => editPost(tx, viewer, { postId: discussion.postId, body, version }));
    await edit(mira, "Cold.");
    expect((await getPosts(mira, discussion.id)).posts[0]).toMatchObject({
      html: "<p>Cold.</p>\n",
      editedAt: null,
    });
    expect(await getPostSource(db, mira, discussion.postId)).toEqual({ body: "Cold.", version: 2 });
    await expect(getPostSource(db, noor, discussion.postId)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(edit(noor, "Warm.")).rejects.toMatchObject({ reason: "not-allowed" });
    database.clock.pass(6 * 60_000);
    await edit(mira, "Very cold.", 2);
    expect((await getPosts(mira, discussion.id)).posts[0]!.editedAt).not.toBeNull();
    expect(await many(db, sql`select body_md from post_revisions`)).toEqual([{ body_md: "Cold." }]);
    database.clock.pass(31 * 86_400_000);
    await expect(edit(mira, "Warm.")).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("can be edited later if its author moderates the group or, in a public group, the site", async () => {
    const { mira, tomas, ines, discussion } = await setupDiscussion();
    const storedReplies = await Promise.all(
      [mira, tomas, ines].map((viewer) => createTestReply(database, viewer, discussion.id)),
    );
    const [hers, owners, staffs] = storedReplies.map(({ id }) => id) as [string, string, string];
    const edit = (viewer: SignedIn, postId: string) =>
      within((tx) => editPost(tx, viewer, { postId, body: "Warm.", version: 1 }));
    expect(await getPost(db, mira, hers)).toMatchObject({
      editable: { until: addMilliseconds(database.clock.at, 30 * DAY) },
    });
    database.clock.pass(31 * DAY);
    await expect(edit(mira, hers)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "This post can no longer be edited.",
    });
    for (const [viewer, id] of [
      [tomas, owners],
      [ines, staffs],
    ] as const) {
      expect(await getPost(db, viewer, id)).toMatchObject({ editable: { until: null } });
      await edit(viewer, id);
    }
    expect((await getPost(db, mira, owners)).html).toBe("<p>Warm.</p>\n");
    expect((await getPost(db, mira, owners)).editable).toBeUndefined();
  });

  test("leaves a stub with its number when deleted; deleting the only post deletes the discussion", async () => {
    const { mira, tomas, noor, group, discussion } = await setupDiscussion();
    const answer = await createTestReply(database, tomas, discussion.id);
    await expect(within((tx) => deletePost(tx, mira, { postId: answer.id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => deletePost(tx, noor, { postId: answer.id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(await within((tx) => deletePost(tx, tomas, { postId: answer.id }))).toEqual({
      discussionGone: false,
    });
    expect((await getPosts(noor, discussion.id)).posts[1]).toMatchObject({
      number: 2,
      html: null,
      stub: "deleted",
    });
    expect((await getDiscussion(db, noor, discussion.id)).replies).toBe(0);
    await expect(within((tx) => deletePost(tx, tomas, { postId: discussion.postId }))).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => deletePost(tx, tomas, { postId: discussion.postId, reason: "Off topic." }));
    expect((await getPosts(noor, discussion.id)).posts[0]).toMatchObject({ html: null, stub: "removed" });
    const lone = await createTestDiscussion(database, mira, group.id);
    expect((await within((tx) => deletePost(tx, mira, { postId: lone.postId }))).discussionGone).toBe(true);
    await expect(getDiscussion(db, mira, lone.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("counts each person once per reaction", async () => {
    const { mira, tomas, noor, discussion } = await setupDiscussion();
    const heart = NewReaction.parse({ postId: discussion.postId, emoji: "❤️" });
    for (const viewer of [mira, tomas, tomas]) await within((tx) => addReaction(tx, viewer, heart));
    expect((await getPosts(tomas, discussion.id)).posts[0]!.reactions).toEqual([
      { emoji: "❤️", count: 2, mine: true, names: ["Mira", "Tomas"] },
    ]);
    expect((await getPosts(GUEST, discussion.id)).posts[0]!.reactions).toMatchObject([
      { count: 2, mine: false },
    ]);
    await within((tx) => removeReaction(tx, tomas, heart));
    expect((await getPosts(tomas, discussion.id)).posts[0]!.reactions).toMatchObject([
      { count: 1, mine: false },
    ]);
    await expect(within((tx) => addReaction(tx, noor, heart))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    expect(NewReaction.safeParse({ postId: discussion.postId, emoji: "<b>" }).success).toBe(false);
  });

  test("appears as a stub to both sides of a block; only the blocker can reveal it", async () => {
    const { mira, tomas, noor, discussion } = await setupDiscussion();
    await createTestReply(database, tomas, discussion.id, { replyTo: discussion.postId });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    const seenByTomas = (await getPosts(tomas, discussion.id)).posts[0]!;
    expect(seenByTomas).toMatchObject({
      html: null,
      stub: "blocked-by-viewer",
      author: { username: "mira" },
    });
    expect((await getPost(db, tomas, discussion.postId, { reveal: true })).html).toContain("soil");
    const answer = (await getPosts(mira, discussion.id)).posts[1]!;
    expect(answer).toMatchObject({ html: null, stub: "blocked", author: null });
    expect((await getPost(db, mira, answer.id, { reveal: true })).html).toBeNull();
    expect((await getPosts(noor, discussion.id)).posts.every((it) => it.html !== null)).toBe(true);
    await expect(
      within((tx) => addReaction(tx, mira, { postId: answer.id, emoji: "👍" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});
