import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deletePost,
  getDiscussion,
  lockDiscussion,
  getPost,
  purgeDeletedContent,
  restoreOwnPost,
  restorePost,
} from "../index.ts";
import {
  attachTestPicture,
  database,
  db,
  countFreedUploads,
  setupModeration,
  REASON,
  within,
} from "../../../../test/support/discussions/moderated-discussion.ts";
import { getPostsPage } from "../../../../test/support/discussions/shared-posts.ts";

describe("post deleted by its author", () => {
  test("can be restored by them within an hour, and is counted again", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const mine = await createTestReply(database, mira, discussion.id, { body: "My words." });
    const other = await createTestReply(database, mira, discussion.id, { body: "Late words." });
    await within((tx) => deletePost(tx, mira, { postId: mine.id }));
    expect((await getPost(db, noor, mine.id)).stub).toBe("deleted");
    expect((await getDiscussion(db, mira, discussion.id)).replies).toBe(2);
    for (const viewer of [tomas, noor])
      await expect(within((tx) => restoreOwnPost(tx, viewer, { postId: mine.id }))).rejects.toMatchObject({
        reason: "not-found",
      });
    database.clock.pass(59 * MINUTE);
    await within((tx) => restoreOwnPost(tx, mira, { postId: mine.id }));
    expect((await getPost(db, noor, mine.id)).html).toContain("My words.");
    expect((await getDiscussion(db, mira, discussion.id)).replies).toBe(3);
    await expect(within((tx) => restoreOwnPost(tx, mira, { postId: mine.id }))).rejects.toMatchObject({
      reason: "not-found",
    });

    await within((tx) => deletePost(tx, mira, { postId: other.id }));
    database.clock.pass(61 * MINUTE);
    await expect(within((tx) => restoreOwnPost(tx, mira, { postId: other.id }))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("returns with its discussion if it was the only post", async () => {
    const { mira, tomas, noor, group } = await setupModeration();
    const { id, postId } = await createTestDiscussion(database, mira, group.id);
    await within((tx) => deletePost(tx, mira, { postId }));
    await expect(getDiscussion(db, noor, id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restoreOwnPost(tx, mira, { postId }));
    expect(await getDiscussion(db, noor, id)).toMatchObject({ state: "open" });
    expect((await getPost(db, noor, postId)).html).not.toBeNull();

    // A moderator's deletion is not undone by the author.
    await within((tx) => deletePost(tx, tomas, { postId, reason: REASON }));
    await expect(within((tx) => restoreOwnPost(tx, mira, { postId }))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("stays deleted where they can no longer write, or if reports had hidden it", async () => {
    const { mira, tomas, discussion } = await setupModeration();
    const [first, second] = [
      await createTestReply(database, mira, discussion.id),
      await createTestReply(database, mira, discussion.id),
    ];
    await run(db, sql`update posts set state = 'hidden', hidden_at = now() where id = ${second.id}`);
    for (const { id } of [first, second]) await within((tx) => deletePost(tx, mira, { postId: id }));
    await expect(within((tx) => restoreOwnPost(tx, mira, { postId: second.id }))).rejects.toMatchObject({
      reason: "gone",
    });
    await within((tx) => archiveDiscussion(tx, tomas, { discussionId: discussion.id, reason: REASON }));
    await expect(within((tx) => restoreOwnPost(tx, mira, { postId: first.id }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });
});

describe("removed post", () => {
  test("can be restored with a reason, and is counted again", async () => {
    const { mira, tomas, discussion, answer } = await setupModeration();
    const mine = await createTestReply(database, mira, discussion.id, { body: "My words." });
    await within((tx) => deletePost(tx, tomas, { postId: mine.id, reason: REASON }));
    expect((await getDiscussion(db, mira, discussion.id)).replies).toBe(1);
    await expect(
      within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: "" })),
    ).rejects.toMatchObject({ reason: "invalid" });
    await expect(
      within((tx) => restorePost(tx, tomas, { postId: answer.id, reason: REASON })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: REASON }));
    expect((await getDiscussion(db, mira, discussion.id)).replies).toBe(2);
    expect(
      (await getPostsPage(db, mira, await getDiscussion(db, mira, discussion.id), { page: 1 })).posts[2]!
        .html,
    ).toContain("My words.");
  });

  test("shows the reason only to its author and moderators", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const mine = await createTestReply(database, mira, discussion.id, { body: "My words." });
    await within((tx) => deletePost(tx, tomas, { postId: mine.id, reason: REASON }));
    for (const viewer of [mira, tomas])
      expect(await getPost(db, viewer, mine.id)).toMatchObject({ html: null, stub: "removed", why: REASON });
    expect((await getPost(db, noor, mine.id)).why).toBeUndefined();
    await within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: REASON }));
    expect((await getPost(db, mira, mine.id)).why).toBeUndefined();
  });

  test("cannot be restored by its author, nor after its text is purged", async () => {
    const { mira, tomas, discussion } = await setupModeration();
    const [own, removed] = [
      await createTestReply(database, mira, discussion.id),
      await createTestReply(database, mira, discussion.id),
    ];
    await within((tx) => deletePost(tx, mira, { postId: own.id }));
    await within((tx) => deletePost(tx, tomas, { postId: removed.id, reason: REASON }));
    await expect(
      within((tx) => restorePost(tx, tomas, { postId: own.id, reason: REASON })),
    ).rejects.toMatchObject({ reason: "not-found" });
    for (const { id } of [own, removed]) await attachTestPicture(mira, id);
    database.clock.pass(31 * DAY);
    await within(purgeDeletedContent);
    expect(await countFreedUploads()).toBe(2);
    await expect(
      within((tx) => restorePost(tx, tomas, { postId: removed.id, reason: REASON })),
    ).rejects.toMatchObject({ reason: "gone" });
    expect(
      (await getPostsPage(db, tomas, await getDiscussion(db, tomas, discussion.id), { page: 1 })).posts,
    ).toHaveLength(4);
    expect(await many(db, sql`select id from posts where body_md = ''`)).toHaveLength(2);
  });

  test("keeps its text for thirty days, or for one day if its author deleted it without replies", async () => {
    const { mira, tomas, noor, discussion } = await setupModeration();
    const reply = () => createTestReply(database, mira, discussion.id, { body: "My words." });
    const [first, second, last] = [await reply(), await reply(), await reply()];
    const words = async () =>
      (
        await many(
          db,
          sql<{
            id: string;
          }>`select id from posts where author_id = ${mira.id} and number > 1 and body_md <> ''
            order by number`,
        )
      ).map(({ id }) => id);
    await run(
      db,
      sql`insert into reports (id, post_id, reporter_id, reason, created_at)
          values (gen_random_uuid(), ${last.id}, ${noor.id}, 'Spam.', now())`,
    );
    for (const { id } of [first, second, last]) await within((tx) => deletePost(tx, mira, { postId: id }));
    database.clock.pass(DAY + MINUTE);
    await within(purgeDeletedContent);
    expect(await words()).toEqual([first.id, second.id, last.id]);
    await run(db, sql`update reports set resolved_at = now(), resolved_by = ${tomas.id}, outcome = 'upheld'`);
    await within(purgeDeletedContent);
    expect(await words()).toEqual([first.id, second.id]);
    database.clock.pass(29 * DAY);
    await within(purgeDeletedContent);
    expect(await words()).toEqual([]);
  });

  test("can be deleted by its author in locked and archived discussions, and after leaving the group", async () => {
    const { mira, tomas, noor, group, discussion, at } = await setupModeration();
    const posts = [];
    for (let n = 0; n < 3; n++) posts.push((await createTestReply(database, mira, discussion.id)).id);
    const take = (viewer: SignedIn, postId: string) =>
      within((tx) => deletePost(tx, viewer, { postId, reason: REASON }));
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: REASON }));
    await take(mira, posts[0]!);
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: REASON }));
    await take(mira, posts[1]!);
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    await expect(take(noor, posts[2]!)).rejects.toMatchObject({ reason: "not-allowed" });
    await take(mira, posts[2]!);
    for (const id of posts) expect((await getPost(db, noor, id)).stub).toBe("deleted");
  });

  test("loses its links and mentions when its text is purged", async () => {
    const { mira, tomas, discussion } = await setupModeration();
    const { id: postId } = await createTestReply(database, mira, discussion.id, {
      body: "https://elsewhere.example/leeks\n\n@tomas",
    });
    const left = () =>
      many(
        db,
        sql`select 1 from post_links where post_id = ${postId} union all select 1 from post_mentions
          where post_id = ${postId}`,
      );
    await within((tx) => deletePost(tx, tomas, { postId, reason: REASON }));
    await within(purgeDeletedContent);
    expect(await left()).toHaveLength(2);
    database.clock.pass(31 * DAY);
    await within(purgeDeletedContent);
    expect(await left()).toEqual([]);
  });
});
