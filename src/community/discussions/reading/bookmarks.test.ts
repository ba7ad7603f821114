import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, addMilliseconds } from "#platform/clock";
import { many, run, sql, type Tx } from "#platform/database";
import { blockPerson } from "#community/friends";
import type { SignedIn, Viewer } from "#community/rules";
import { runConcurrently } from "../../../../test/support/concurrently.ts";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  addBookmark,
  getOwnBookmark,
  listBookmarks,
  clearDueBookmarks,
  deletePost,
  getDiscussion,
  removeBookmark,
  listDueBookmarks,
  getPostsPage,
  sendBookmarkReminders,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

async function setting(visibility: "public" | "private" = "public") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  return { ...people, group, discussion: await createTestDiscussion(database, people.tomas, group.id) };
}
const keep = (viewer: SignedIn, postId: string, remindAt?: Date, note = "") =>
  within((tx) => addBookmark(tx, viewer, { postId, note, remindAt }));
const listOf = async (viewer: SignedIn) => (await listBookmarks(db, viewer, {})).rows;

describe("bookmark", () => {
  test("saves a post once with a note, and can be removed", async () => {
    const { mira, noor, guest, discussion } = await setting();
    await keep(mira, discussion.postId, undefined, "For spring.");
    await keep(mira, discussion.postId, undefined, "For May.");
    expect(await listOf(mira)).toMatchObject([
      {
        postId: discussion.postId,
        number: 1,
        note: "For May.",
        excerpt: "The soil is still cold.",
        discussion: { id: discussion.id },
        due: false,
      },
    ]);
    expect(await listOf(noor)).toEqual([]);
    expect(await getOwnBookmark(db, mira, discussion.postId)).toEqual({ note: "For May.", remindAt: null });
    for (const other of [noor, guest]) expect(await getOwnBookmark(db, other, discussion.postId)).toBeNull();
    await within((tx) => removeBookmark(tx, noor, { postId: discussion.postId }));
    expect(await listOf(mira)).toHaveLength(1);
    for (let i = 0; i < 2; i++) await within((tx) => removeBookmark(tx, mira, { postId: discussion.postId }));
    expect(await listOf(mira)).toEqual([]);
  });

  test("appears on the post only to the person who set it, until the post is deleted", async () => {
    const { mira, noor, guest, tomas, discussion } = await setting();
    const { id: postId } = await createTestReply(database, tomas, discussion.id);
    await createTestReply(database, mira, discussion.id, { replyTo: postId });
    const keptBy = async (viewer: Viewer) =>
      (await getPostsPage(db, viewer, await getDiscussion(db, viewer, discussion.id), { page: 1 })).posts.map(
        (it) => it.bookmarked,
      );
    expect(await keptBy(mira)).toEqual([undefined, undefined, undefined]);
    await keep(mira, postId);
    expect(await keptBy(mira)).toEqual([undefined, true, undefined]);
    for (const other of [noor, tomas, guest])
      expect(await keptBy(other)).toEqual([undefined, undefined, undefined]);
    await within((tx) => removeBookmark(tx, mira, { postId }));
    expect(await keptBy(mira)).toEqual([undefined, undefined, undefined]);
    await keep(mira, postId);
    await within((tx) => deletePost(tx, tomas, { postId }));
    expect(await keptBy(mira)).toEqual([undefined, undefined, undefined]);
  });

  test("cannot be set on an unreadable post, and disappears when the post becomes unreadable", async () => {
    const { mira, noor, tomas, guest, group, discussion } = await setting("private");
    await expect(keep(noor, discussion.postId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(keep(guest as SignedIn, discussion.postId)).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    for (const forged of [randomUUID(), "x"])
      await expect(keep(mira, forged)).rejects.toMatchObject({ reason: "not-found" });
    await keep(mira, discussion.postId);
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    expect(await listOf(mira)).toEqual([]);
    await run(db, sql`delete from blocks`);
    await within((tx) => setMembership(tx, group.id, mira, "left"));
    expect(await listOf(mira)).toEqual([]);
    await within((tx) => setMembership(tx, group.id, mira, "member"));
    expect(await listOf(mira)).toHaveLength(1);
    await within((tx) => deletePost(tx, tomas, { postId: discussion.postId }));
    expect(await listOf(mira)).toEqual([]);
  });

  test("sends a reminder once at its time, by a scheduled job", async () => {
    const { mira, discussion } = await setting();
    const at = addMilliseconds(database.clock.at, HOUR);
    await keep(mira, discussion.postId, at);
    expect(
      await many(db, sql`select run_at as at from graphile_worker.jobs where task_identifier = 'due'`),
    ).toEqual([{ at }]);
    expect([await within(sendBookmarkReminders), await listDueBookmarks(db, mira)]).toEqual([0, []]);
    database.clock.pass(HOUR);
    expect([await within(sendBookmarkReminders), await within(sendBookmarkReminders)]).toEqual([1, 0]);
    expect(await listDueBookmarks(db, mira)).toMatchObject([{ postId: discussion.postId, due: true }]);
    expect(await listEmittedEvents(database)).toContain("bookmark.due");
    await keep(mira, discussion.postId, addMilliseconds(database.clock.at, DAY));
    expect(await listDueBookmarks(db, mira)).toEqual([]);
  });

  test("stays due until the person who set it returns to the post", async () => {
    const { mira, tomas, discussion } = await setting();
    const [near, far] = [discussion.postId, (await createTestReply(database, tomas, discussion.id)).id];
    await run(db, sql`update posts set number = 90 where id = ${far}`);
    for (const postId of [near, far])
      await keep(mira, postId, addMilliseconds(database.clock.at, HOUR), "For spring.");
    database.clock.pass(HOUR);
    await within(sendBookmarkReminders);
    const due = async () => (await listDueBookmarks(db, mira)).map(({ number }) => number).toSorted();
    const saw = (viewer: SignedIn, upTo: number) =>
      within((tx) => clearDueBookmarks(tx, viewer, { discussionId: discussion.id, upTo }));
    await saw(tomas, 3);
    expect(await due()).toEqual([1, 90]);
    await saw(mira, 3);
    expect(await due()).toEqual([90]);
    await saw(mira, 95);
    expect(await due()).toEqual([]);
    expect(await listOf(mira)).toMatchObject([
      { due: false, remindAt: null, note: "For spring." },
      { due: false },
    ]);
    expect(await within(sendBookmarkReminders)).toBe(0);
  });

  test("cannot have a reminder in the past or more than a year ahead", async () => {
    const { mira, discussion } = await setting();
    for (const ms of [0, -HOUR, 400 * DAY])
      await expect(
        keep(mira, discussion.postId, addMilliseconds(database.clock.at, ms)),
      ).rejects.toMatchObject({ reason: "invalid" });
  });

  test("limit is twenty a day for a newcomer", async () => {
    const { mira, group } = await setting();
    const newcomer = { ...mira, trust: "new" } as const;
    for (let i = 0; i < 20; i++)
      await keep(newcomer, (await createTestDiscussion(database, mira, group.id)).postId);
    const more = await createTestDiscussion(database, mira, group.id);
    await expect(keep(newcomer, more.postId)).rejects.toMatchObject({ reason: "too-many" });
    await keep(mira, more.postId);
    expect(await listBookmarks(db, mira, {})).toMatchObject({ next: expect.any(String) });
  });

  test("limit cannot be exceeded by concurrent requests, and notes stay editable", async () => {
    const { mira, group } = await setting();
    const newcomer = { ...mira, trust: "new" } as const;
    const posts: string[] = [];
    for (let i = 0; i < 22; i++) posts.push((await createTestDiscussion(database, mira, group.id)).postId);
    await keep(newcomer, posts[0]!);
    database.clock.pass(DAY);
    for (const postId of posts.slice(1, 20)) await keep(newcomer, postId);
    const [one, other] = posts
      .slice(20)
      .map((postId) => (tx: Tx) => addBookmark(tx, newcomer, { postId, note: "" }));
    expect(await runConcurrently(database, one!, other!)).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { reason: "too-many" } },
    ]);
    await keep(newcomer, posts[0]!, undefined, "For spring.");
    expect(await getOwnBookmark(db, mira, posts[0]!)).toMatchObject({ note: "For spring." });
  });
});
