import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { getGroup, addStartItem, listStartItems } from "#community/groups";
import type { SignedIn, Visibility } from "#community/rules";
import { createTestDiscussion, createTestReply, setMembership } from "../../../../test/support/test-users.ts";
import {
  getDiscussion,
  listDiscussions,
  type FollowLevel,
  markRead,
  mergeDiscussion,
  NewSplit,
  findMergedDiscussion,
  getPost,
  setFollowLevel,
  splitDiscussion,
  listUnreadAndLatest,
} from "../index.ts";
import {
  database,
  db,
  getFirstPage,
  REASON,
  setupMove,
  within,
} from "../../../../test/support/discussions/moved-discussion.ts";

describe("merge", () => {
  const merge = (viewer: SignedIn, discussionId: string, into: string, visibility: Visibility = "public") =>
    within((tx) => mergeDiscussion(tx, viewer, { discussionId, into, visibility, reason: REASON }));

  /** A second discussion, started between posts of the first. */
  async function two(there: Visibility = "public") {
    const it = await setupMove(there);
    const later = await createTestDiscussion(database, it.tomas, it.other.id, {
      title: "Beans again",
      body: "Beans?",
    });
    await run(
      db,
      sql`update posts set created_at = created_at - interval '210 seconds' where id = ${later.postId}`,
    );
    database.clock.pass(MINUTE);
    const last = await createTestReply(database, it.mira, later.id, { body: "Yes." });
    return { ...it, later, last };
  }

  test("orders all posts by time without gaps, and redirects old addresses", async () => {
    const { mira, tomas, noor, id, ids, later, last } = await two();
    expect(await merge(tomas, later.id, id)).toEqual({ id });
    const { posts, entries } = await getFirstPage(noor, id);
    expect(posts.map((post) => post.id)).toEqual([
      ...ids.slice(0, 3),
      later.postId,
      ...ids.slice(3),
      last.id,
    ]);
    expect(posts.map((post) => post.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(posts[4]!.replyTo).toMatchObject({ number: 3 });
    expect(entries.map(({ kind, details }) => [kind, details.was])).toEqual([["merged", "Beans again"]]);
    expect(await getDiscussion(db, noor, id)).toMatchObject({
      replies: 7,
      lastNumber: 8,
      author: { username: "mira" },
    });
    await expect(getDiscussion(db, noor, later.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await findMergedDiscussion(db, noor, later.id)).toMatchObject({ discussion: { id } });
    expect((await findMergedDiscussion(db, noor, later.id, 2))!.post).toBe(8);
    expect((await getPost(db, noor, last.id)).number).toBe(8);
    expect((await createTestReply(database, mira, id)).number).toBe(9);
  });

  test("keeps unread posts unread", async () => {
    const { tomas, mira, noor, group, id, later } = await two();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 6 }));
    await within((tx) => markRead(tx, noor, { discussionId: later.id, upTo: 1 }));
    await within((tx) => markRead(tx, mira, { discussionId: id, upTo: 6 }));
    await run(
      db,
      sql`delete from read_positions where person_id = ${mira.id} and discussion_id = ${later.id}`,
    );
    await merge(tomas, later.id, id);
    // Noor has read all but the last post. Mira's first unread post is that of the discussion she never
    // opened.
    expect(await getDiscussion(db, noor, id)).toMatchObject({ readUpTo: 7, firstUnread: 8 });
    expect(await getDiscussion(db, mira, id)).toMatchObject({ firstUnread: 4 });
    expect((await listUnreadAndLatest(db, noor)).unread).toMatchObject([{ unread: 1 }]);
  });

  test("prefers the follow level chosen in the target over the follow level in the source", async () => {
    const { mira, tomas, noor, ines, group, id, later } = await two();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    const open = (viewer: SignedIn) => within((tx) => markRead(tx, viewer, { discussionId: id, upTo: 1 }));
    const choose = (viewer: SignedIn, discussionId: string, level: FollowLevel) =>
      within((tx) => setFollowLevel(tx, viewer, { discussionId, level }));
    await choose(mira, later.id, "watching");
    await choose(noor, later.id, "watching");
    await choose(noor, id, "muted");
    await createTestReply(database, ines, later.id);
    await open(ines);
    await choose(tomas, id, "normal");
    // Reading time is capped.
    await run(db, sql`update read_positions set read_ms = 2000000000 where person_id = ${mira.id}`);
    await merge(tomas, later.id, id);
    const levels = [];
    for (const viewer of [mira, noor, ines, tomas]) levels.push((await getDiscussion(db, viewer, id)).level);
    expect(levels).toEqual(["watching", "muted", "tracking", "normal"]);
  });

  test("moves a start-here entry to the target without duplicates, unless the target is in another group", async () => {
    const { mira, tomas, guest, group, other, id } = await setupMove();
    const first = async () =>
      (await listStartItems(db, guest, await getGroup(db, guest, group.slug))).map(
        ({ targetId }) => targetId,
      );
    const addToStartHere = (discussionId: string) =>
      within((tx) => addStartItem(tx, tomas, { groupId: group.id, address: `/discussions/${discussionId}` }));
    const third = await createTestDiscussion(database, mira, group.id);
    await addToStartHere(id);
    await addToStartHere(third.id);
    await merge(tomas, id, third.id);
    expect(await first()).toEqual([third.id]);
    const fourth = await createTestDiscussion(database, mira, group.id);
    await merge(tomas, third.id, fourth.id);
    expect(await first()).toEqual([fourth.id]);
    await merge(tomas, fourth.id, (await createTestDiscussion(database, mira, other.id)).id);
    expect(await first()).toEqual([]);
  });

  test("back into the source of a split removes the stubs and restores reply references", async () => {
    const { tomas, noor, id, ids } = await setupMove();
    const splitOff = await within((tx) =>
      splitDiscussion(
        tx,
        tomas,
        NewSplit.parse({ discussionId: id, postIds: [ids[2], ids[3]], title: "The hose", reason: REASON }),
      ),
    );
    await merge(tomas, splitOff.id, id);
    const { posts } = await getFirstPage(noor, id);
    expect(posts.map((post) => post.id)).toEqual(ids);
    expect(posts.map((post) => post.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(posts[4]!.replyTo).toMatchObject({ number: 4, excerpt: "Number 4" });
    expect((await findMergedDiscussion(db, noor, splitOff.id, 1))!.post).toBe(3);
  });

  test("redirects through a second merge, but only people who can read the target", async () => {
    const { tomas, mira, noor, guest, other, group, id, later } = await two("private");
    await merge(tomas, id, later.id, "private");
    const third = await createTestDiscussion(database, mira, other.id);
    await merge(tomas, later.id, third.id, "private");
    for (const old of [id, later.id])
      expect(await findMergedDiscussion(db, mira, old)).toMatchObject({ discussion: { id: third.id } });
    expect((await findMergedDiscussion(db, mira, id, 6))!.post).toBe(7);
    for (const viewer of [noor, guest]) expect(await findMergedDiscussion(db, viewer, id)).toBeNull();
    expect((await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).rows).toEqual([]);
    expect(await findMergedDiscussion(db, mira, third.id)).toBeNull();
    expect(await findMergedDiscussion(db, mira, "x")).toBeNull();
  });

  test("stores a late reply to the source once in the target, if its author may write there", async () => {
    const { tomas, mira, noor, other, id, later } = await two("private");
    const third = await createTestDiscussion(database, mira, other.id);
    await merge(tomas, later.id, third.id, "private");
    await merge(tomas, third.id, id);
    const clientId = randomUUID();
    for (const was of [later.id, third.id, later.id])
      expect(
        await createTestReply(database, mira, was, { body: "Late, and not lost.", clientId }),
      ).toMatchObject({
        discussionId: id,
        number: 10,
      });
    expect((await getFirstPage(mira, id)).posts.map(({ number }) => number)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    await expect(createTestReply(database, noor, later.id)).rejects.toMatchObject({ reason: "not-allowed" });
    const elsewhere = await createTestDiscussion(database, mira, other.id);
    await merge(tomas, id, elsewhere.id, "private");
    await expect(createTestReply(database, noor, later.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test.each(["source", "target"])("keeps members-only content restricted to members: %s", async (narrow) => {
    const { guest, mira, tomas, id, later } = await two();
    await run(
      db,
      sql`update discussions set audience = 'members'
          where id = ${narrow === "source" ? later.id : id}`,
    );
    await merge(tomas, later.id, id);
    await expect(getDiscussion(db, guest, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await getDiscussion(db, mira, id)).toMatchObject({ audience: "members" });
  });

  test("requires a moderator, a different target that exists, and an unchanged audience", async () => {
    const { mira, tomas, ines, id, later } = await two("private");
    await expect(merge(mira, later.id, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(merge(ines, later.id, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(merge(tomas, id, id)).rejects.toMatchObject({ reason: "conflict" });
    await expect(merge(tomas, id, randomUUID())).rejects.toMatchObject({ reason: "not-found" });
    await expect(merge(tomas, id, later.id, "public")).rejects.toMatchObject({ reason: "conflict" });
    await run(db, sql`update discussions set last_number = 9999 where id = ${id}`);
    await expect(merge(tomas, id, later.id, "private")).rejects.toMatchObject({ reason: "conflict" });
  });

  test("happens only once when two discussions are merged into each other at the same time", async () => {
    const { tomas, id, later } = await two();
    const done = await Promise.allSettled([merge(tomas, later.id, id), merge(tomas, id, later.id)]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await many(db, sql`select number from posts order by number`)).length).toBe(8);
  });
});
