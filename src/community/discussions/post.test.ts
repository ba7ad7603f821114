import { describe, expect, test } from "vitest";
import { DAY, later } from "#platform/clock";
import { many, sql } from "#platform/database";
import { block } from "#community/friends";
import { GUEST, type SignedIn } from "#community/rules";
import { aDiscussion, aReply } from "../../../test/cast.ts";
import { deletePost, discussionFor, editPost, NewReaction, postFor, react, sourceOf, unreact } from "./index.ts";
import { database, db, posts, setting, within } from "./setting.fixture.ts";

describe("post", () => {
  test("can be edited by its author in time, marked after five minutes", async () => {
    const { mira, noor, discussion } = await setting();
    const edit = (who: SignedIn, body: string, version = 1) =>
      within((tx) => editPost(tx, who, { postId: discussion.postId, body, version }));
    await edit(mira, "Cold.");
    expect((await posts(mira, discussion.id)).posts[0]).toMatchObject({ html: "<p>Cold.</p>\n", editedAt: null });
    expect(await sourceOf(db, mira, discussion.postId)).toEqual({ body: "Cold.", version: 2 });
    await expect(sourceOf(db, noor, discussion.postId)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(edit(noor, "Warm.")).rejects.toMatchObject({ reason: "not-allowed" });
    database.clock.pass(6 * 60_000);
    await edit(mira, "Very cold.", 2);
    expect((await posts(mira, discussion.id)).posts[0]!.editedAt).not.toBeNull();
    expect(await many(db, sql`select body_md from post_revisions`)).toEqual([{ body_md: "Cold." }]);
    database.clock.pass(31 * 86_400_000);
    await expect(edit(mira, "Warm.")).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("can be edited later by an author who moderates the group, or the site if public", async () => {
    const { mira, tomas, ines, discussion } = await setting();
    const said = await Promise.all([mira, tomas, ines].map((who) => aReply(database, who, discussion.id)));
    const [hers, owners, staffs] = said.map(({ id }) => id) as [string, string, string];
    const edit = (who: SignedIn, postId: string) => within((tx) => editPost(tx, who, { postId, body: "Warm.", version: 1 }));
    expect(await postFor(db, mira, hers)).toMatchObject({ editable: { until: later(database.clock.at, 30 * DAY) } });
    database.clock.pass(31 * DAY);
    await expect(edit(mira, hers)).rejects.toMatchObject({ reason: "not-allowed", message: "The time to change this post is over." });
    for (const [who, id] of [
      [tomas, owners],
      [ines, staffs],
    ] as const) {
      expect(await postFor(db, who, id)).toMatchObject({ editable: { until: null } });
      await edit(who, id);
    }
    expect((await postFor(db, mira, owners)).html).toBe("<p>Warm.</p>\n");
    expect((await postFor(db, mira, owners)).editable).toBeUndefined();
  });

  test("leaves a tombstone with its number; an only post deletes the discussion", async () => {
    const { mira, tomas, noor, group, discussion } = await setting();
    const answer = await aReply(database, tomas, discussion.id);
    await expect(within((tx) => deletePost(tx, mira, { postId: answer.id }))).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(within((tx) => deletePost(tx, noor, { postId: answer.id }))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await within((tx) => deletePost(tx, tomas, { postId: answer.id }))).toEqual({
      discussionGone: false,
    });
    expect((await posts(noor, discussion.id)).posts[1]).toMatchObject({ number: 2, html: null, stub: "deleted" });
    expect((await discussionFor(db, noor, discussion.id)).replies).toBe(0);
    await expect(within((tx) => deletePost(tx, tomas, { postId: discussion.postId }))).rejects.toMatchObject({ reason: "invalid" });
    await within((tx) => deletePost(tx, tomas, { postId: discussion.postId, reason: "Off topic." }));
    expect((await posts(noor, discussion.id)).posts[0]).toMatchObject({ html: null, stub: "removed" });
    const lone = await aDiscussion(database, mira, group.id);
    expect((await within((tx) => deletePost(tx, mira, { postId: lone.postId }))).discussionGone).toBe(true);
    await expect(discussionFor(db, mira, lone.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("collects reactions, each once for each person", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    const heart = NewReaction.parse({ postId: discussion.postId, emoji: "❤️" });
    for (const who of [mira, tomas, tomas]) await within((tx) => react(tx, who, heart));
    expect((await posts(tomas, discussion.id)).posts[0]!.reactions).toEqual([
      { emoji: "❤️", count: 2, mine: true, names: ["Mira", "Tomas"] },
    ]);
    expect((await posts(GUEST, discussion.id)).posts[0]!.reactions).toMatchObject([{ count: 2, mine: false }]);
    await within((tx) => unreact(tx, tomas, heart));
    expect((await posts(tomas, discussion.id)).posts[0]!.reactions).toMatchObject([{ count: 1, mine: false }]);
    await expect(within((tx) => react(tx, noor, heart))).rejects.toMatchObject({ reason: "not-allowed" });
    expect(NewReaction.safeParse({ postId: discussion.postId, emoji: "<b>" }).success).toBe(false);
  });

  test("by a blocked person shows as a stub to both; only the blocker can reveal it", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    await aReply(database, tomas, discussion.id, { replyTo: discussion.postId });
    await within((tx) => block(tx, tomas, { personId: mira.id }));
    const seenByTomas = (await posts(tomas, discussion.id)).posts[0]!;
    expect(seenByTomas).toMatchObject({ html: null, stub: "blocked-by-viewer", author: { username: "mira" } });
    expect((await postFor(db, tomas, discussion.postId, { reveal: true })).html).toContain("soil");
    const answer = (await posts(mira, discussion.id)).posts[1]!;
    expect(answer).toMatchObject({ html: null, stub: "blocked", author: null });
    expect((await postFor(db, mira, answer.id, { reveal: true })).html).toBeNull();
    expect((await posts(noor, discussion.id)).posts.every((it) => it.html !== null)).toBe(true);
    await expect(within((tx) => react(tx, mira, { postId: answer.id, emoji: "👍" }))).rejects.toMatchObject({ reason: "not-allowed" });
  });
});
