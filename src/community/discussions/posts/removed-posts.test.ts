import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  archiveDiscussion,
  deletePost,
  getDiscussion,
  lockDiscussion,
  getPost,
  purgeDeletedContent,
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
