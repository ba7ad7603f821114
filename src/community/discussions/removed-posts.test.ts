import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import type { SignedIn } from "#community/rules";
import { aReply, bring } from "../../../test/cast.ts";
import { archiveDiscussion, deletePost, discussionFor, lockDiscussion, postFor, postsOf, purgeTakenAway, restorePost } from "./index.ts";
import { aPictureIn, database, db, freed, setting, why, within } from "./moderating.fixture.ts";

describe("removed post", () => {
  test("returns with a reason and counts again", async () => {
    const { mira, tomas, discussion, answer } = await setting();
    const mine = await aReply(database, mira, discussion.id, { body: "My words." });
    await within((tx) => deletePost(tx, tomas, { postId: mine.id, reason: why }));
    expect((await discussionFor(db, mira, discussion.id)).replies).toBe(1);
    await expect(within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: "" }))).rejects.toMatchObject({ reason: "invalid" });
    await expect(within((tx) => restorePost(tx, tomas, { postId: answer.id, reason: why }))).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: why }));
    expect((await discussionFor(db, mira, discussion.id)).replies).toBe(2);
    expect((await postsOf(db, mira, await discussionFor(db, mira, discussion.id), { page: 1 })).posts[2]!.html).toContain("My words.");
  });

  test("shows the reason to its author and moderators only", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    const mine = await aReply(database, mira, discussion.id, { body: "My words." });
    await within((tx) => deletePost(tx, tomas, { postId: mine.id, reason: why }));
    for (const who of [mira, tomas]) expect(await postFor(db, who, mine.id)).toMatchObject({ html: null, stub: "removed", why });
    expect((await postFor(db, noor, mine.id)).why).toBeUndefined();
    await within((tx) => restorePost(tx, tomas, { postId: mine.id, reason: why }));
    expect((await postFor(db, mira, mine.id)).why).toBeUndefined();
  });

  test("cannot be restored by its author, nor after its text is purged", async () => {
    const { mira, tomas, discussion } = await setting();
    const [own, removed] = [await aReply(database, mira, discussion.id), await aReply(database, mira, discussion.id)];
    await within((tx) => deletePost(tx, mira, { postId: own.id }));
    await within((tx) => deletePost(tx, tomas, { postId: removed.id, reason: why }));
    await expect(within((tx) => restorePost(tx, tomas, { postId: own.id, reason: why }))).rejects.toMatchObject({ reason: "not-found" });
    for (const { id } of [own, removed]) await aPictureIn(mira, id);
    database.clock.pass(31 * DAY);
    await within(purgeTakenAway);
    expect(await freed()).toBe(2);
    await expect(within((tx) => restorePost(tx, tomas, { postId: removed.id, reason: why }))).rejects.toMatchObject({ reason: "gone" });
    expect((await postsOf(db, tomas, await discussionFor(db, tomas, discussion.id), { page: 1 })).posts).toHaveLength(4);
    expect(await many(db, sql`select id from posts where body_md = ''`)).toHaveLength(2);
  });

  test("keeps its text for thirty days, or one day if its author deleted it unanswered", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    const say = () => aReply(database, mira, discussion.id, { body: "My words." });
    const [first, second, last] = [await say(), await say(), await say()];
    const words = async () =>
      (
        await many(
          db,
          sql<{ id: string }>`select id from posts where author_id = ${mira.id} and number > 1 and body_md <> '' order by number`,
        )
      ).map(({ id }) => id);
    await run(
      db,
      sql`insert into reports (id, post_id, reporter_id, reason, created_at)
          values (gen_random_uuid(), ${last.id}, ${noor.id}, 'Spam.', now())`,
    );
    for (const { id } of [first, second, last]) await within((tx) => deletePost(tx, mira, { postId: id }));
    database.clock.pass(DAY + MINUTE);
    await within(purgeTakenAway);
    expect(await words()).toEqual([first.id, second.id, last.id]);
    await run(db, sql`update reports set resolved_at = now(), resolved_by = ${tomas.id}, outcome = 'upheld'`);
    await within(purgeTakenAway);
    expect(await words()).toEqual([first.id, second.id]);
    database.clock.pass(29 * DAY);
    await within(purgeTakenAway);
    expect(await words()).toEqual([]);
  });

  test("can be deleted by its author wherever they can read, even after leaving", async () => {
    const { mira, tomas, noor, group, discussion, at } = await setting();
    const posts = [];
    for (let n = 0; n < 3; n++) posts.push((await aReply(database, mira, discussion.id)).id);
    const take = (who: SignedIn, postId: string) => within((tx) => deletePost(tx, who, { postId, reason: why }));
    await within((tx) => lockDiscussion(tx, tomas, { ...at, reason: why }));
    await take(mira, posts[0]!);
    await within((tx) => archiveDiscussion(tx, tomas, { ...at, reason: why }));
    await take(mira, posts[1]!);
    await within((tx) => bring(tx, group.id, mira, "left"));
    await expect(take(noor, posts[2]!)).rejects.toMatchObject({ reason: "not-allowed" });
    await take(mira, posts[2]!);
    for (const id of posts) expect((await postFor(db, noor, id)).stub).toBe("deleted");
  });

  test("loses its links and mentions when its text is purged", async () => {
    const { mira, tomas, discussion } = await setting();
    const { id: postId } = await aReply(database, mira, discussion.id, { body: "https://elsewhere.example/leeks\n\n@tomas" });
    const left = () =>
      many(db, sql`select 1 from post_links where post_id = ${postId} union all select 1 from post_mentions where post_id = ${postId}`);
    await within((tx) => deletePost(tx, tomas, { postId, reason: why }));
    await within(purgeTakenAway);
    expect(await left()).toHaveLength(2);
    database.clock.pass(31 * DAY);
    await within(purgeTakenAway);
    expect(await left()).toEqual([]);
  });
});
