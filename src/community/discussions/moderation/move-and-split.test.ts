import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { getGroup, addStartItem, listStartItems } from "#community/groups";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import {
  createTestDiscussion,
  listEmittedEvents,
  createTestReply,
  setMembership,
} from "../../../../test/support/test-users.ts";
import {
  getDiscussion,
  listDiscussions,
  listMoveTargets,
  markRead,
  markUnread,
  mergeDiscussion,
  moveDiscussion,
  NewSplit,
  findNextUnread,
  resolveDiscussion,
  splitDiscussion,
  listUnreadAndLatest,
} from "../index.ts";
import {
  database,
  db,
  listNumbers,
  getFirstPage,
  REASON,
  setupMove,
  within,
} from "../../../../test/support/discussions/moved-discussion.ts";

describe("move to another group", () => {
  const move = (viewer: SignedIn, discussionId: string, groupId: string, visibility: Visibility = "public") =>
    within((tx) => moveDiscussion(tx, viewer, { discussionId, groupId, visibility, reason: REASON }));

  test("requires a moderator of both groups and a reason, and changes the audience at once", async () => {
    const { mira, tomas, noor, ines, guest, group, other, id } = await setupMove("private");
    await expect(move(mira, id, other.id, "private")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(move(ines, id, other.id, "private")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) =>
        moveDiscussion(tx, tomas, {
          discussionId: id,
          groupId: other.id,
          visibility: "private",
          reason: " ",
        }),
      ),
    ).rejects.toMatchObject({ reason: "invalid" });
    await move(tomas, id, other.id, "private");
    expect((await getDiscussion(db, mira, id)).group).toMatchObject({ id: other.id });
    for (const viewer of [noor, guest])
      await expect(getDiscussion(db, viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listDiscussions(db, mira, await getGroup(db, mira, group.id), {})).rows).toEqual([]);
    expect((await listDiscussions(db, mira, await getGroup(db, mira, other.id), {})).rows).toHaveLength(1);
    expect((await getFirstPage(mira, id)).entries).toMatchObject([
      { kind: "moved", reason: REASON, otherGroup: { slug: group.slug } },
    ]);
    expect(
      await many(
        db,
        sql`select details->>'groupId' as "groupId" from audit_events where act = 'discussion.moved'`,
      ),
    ).toHaveLength(2);
    expect(await listEmittedEvents(database)).toContain("discussion.moved");
  });

  test("refuses a changed audience and the same group", async () => {
    const { tomas, group, other, id } = await setupMove("private");
    await expect(move(tomas, id, other.id, "public")).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(tomas, id, group.id)).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(tomas, id, randomUUID())).rejects.toMatchObject({ reason: "not-found" });
  });

  test("from a secret group does not name the group to people who may not know it", async () => {
    const { tomas, mira, noor, guest, group, other } = await setupMove("secret");
    const { id } = await createTestDiscussion(database, mira, other.id);
    await move(tomas, id, group.id);
    for (const viewer of [noor, guest])
      expect((await getFirstPage(viewer, id)).entries).toMatchObject([{ kind: "moved", otherGroup: null }]);
    expect((await getFirstPage(mira, id)).entries).toMatchObject([{ otherGroup: { name: "The Orchard" } }]);
  });

  test("offers only groups that the viewer moderates", async () => {
    const { mira, tomas, ines, guest, other, id } = await setupMove("private");
    const listTargetIds = async (viewer: Viewer) =>
      (await listMoveTargets(db, viewer, await getDiscussion(db, viewer, id))).map((it) => it.id);
    expect([
      await listTargetIds(tomas),
      await listTargetIds(mira),
      await listTargetIds(ines),
      await listTargetIds(guest),
    ]).toEqual([[other.id], [], [], []]);
  });
});

test("a moved discussion disappears from the start-here list of its former group for everyone", async () => {
  const { mira, tomas, guest, group, other, id } = await setupMove("secret");
  const first = async (viewer: Viewer, slug: string) =>
    (await listStartItems(db, viewer, await getGroup(db, viewer, slug))).map(({ targetId }) => targetId);
  await within((tx) => addStartItem(tx, tomas, { groupId: group.id, address: `/discussions/${id}` }));
  expect(await first(guest, group.slug)).toEqual([id]);
  await within((tx) =>
    moveDiscussion(tx, tomas, { discussionId: id, groupId: other.id, visibility: "secret", reason: REASON }),
  );
  for (const viewer of [guest, mira, tomas]) expect(await first(viewer, group.slug)).toEqual([]);
  expect(await many(db, sql`select from group_start_items where ${true}`)).toEqual([]);
  // An entry that remains in the former group is not shown either.
  await run(
    db,
    sql`insert into group_start_items (id, group_id, discussion_id, position, added_by, added_at)
      values (gen_random_uuid(), ${group.id}, ${id}, 1, ${tomas.id}, now())`,
  );
  for (const viewer of [guest, mira, tomas]) expect(await first(viewer, group.slug)).toEqual([]);
});

describe("split", () => {
  const split = (viewer: SignedIn, discussionId: string, postIds: string[]) =>
    within((tx) =>
      splitDiscussion(
        tx,
        viewer,
        NewSplit.parse({ discussionId, postIds, title: "The hose", reason: REASON }),
      ),
    );

  test("creates a discussion of the chosen posts and leaves stubs that link to them", async () => {
    const { mira, tomas, noor, id, ids } = await setupMove();
    const created = await split(tomas, id, [ids[4]!, ids[2]!, ids[3]!]);
    expect(await getDiscussion(db, noor, created.id)).toMatchObject({
      title: "The hose",
      lastNumber: 3,
      replies: 2,
      author: { username: "mira" },
    });
    expect(
      (await getFirstPage(noor, created.id)).posts.map((post) => [
        post.id,
        post.number,
        post.replyTo?.number,
      ]),
    ).toEqual([
      [ids[2], 1, undefined],
      [ids[3], 2, 1],
      [ids[4], 3, 2],
    ]);
    const left = await getFirstPage(noor, id);
    expect(left.posts.map(({ number, stub }) => [number, stub])).toEqual([
      [1, null],
      [2, null],
      [3, "moved"],
      [4, "moved"],
      [5, "moved"],
      [6, null],
    ]);
    expect(left.posts[2]!.movedTo).toEqual({ discussionId: created.id, title: "The hose", number: 1 });
    expect(left.posts[5]!.replyTo).toMatchObject({ number: 5, excerpt: "" });
    expect(left.entries).toMatchObject([
      { kind: "split", details: { posts: 3 }, otherDiscussion: { id: created.id } },
    ]);
    expect((await getFirstPage(noor, created.id)).entries).toMatchObject([
      { kind: "split-off", otherDiscussion: { id } },
    ]);
    expect(await getDiscussion(db, noor, id)).toMatchObject({ replies: 2, lastNumber: 6 });
    expect((await createTestReply(database, mira, id)).number).toBe(7);
    expect((await createTestReply(database, mira, created.id)).number).toBe(4);
  });

  test("keeps read positions", async () => {
    const { tomas, noor, group, id, ids } = await setupMove();
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 4 }));
    const created = await split(tomas, id, [ids[2]!, ids[3]!, ids[4]!]);
    expect(await getDiscussion(db, noor, created.id)).toMatchObject({ readUpTo: 2, firstUnread: 3 });
    // The fifth post is unread for Noor in the new discussion only.
    expect(await getDiscussion(db, noor, id)).toMatchObject({ readUpTo: 5, firstUnread: 6 });
  });

  /** Noor joined before the first post and has read up to a number. */
  const hasRead = async (noor: SignedIn, groupId: string, discussionId: string, upTo: number) => {
    await within((tx) => setMembership(tx, groupId, noor, "member"));
    await run(
      db,
      sql`update memberships set joined_at = joined_at - interval '1 day' where person_id = ${noor.id}`,
    );
    await within((tx) => markRead(tx, noor, { discussionId, upTo }));
  };

  test("counts each unread post in only one of the two discussions", async () => {
    const { mira, tomas, noor, group, id, ids } = await setupMove();
    const unread = async (viewer: SignedIn) =>
      Object.fromEntries(
        (await listDiscussions(db, viewer, await getGroup(db, viewer, group.id), {})).rows.map((row) => [
          row.title,
          [row.unread, row.firstUnread],
        ]),
      );
    await hasRead(noor, group.id, id, 2);
    await within((tx) => markUnread(tx, mira, { discussionId: id, from: 2 }));
    const created = await split(tomas, id, ids.slice(3));
    expect(await unread(noor)).toEqual({ "When to sow beans": [1, 3], "The hose": [3, 1] });
    expect(await unread(mira)).toEqual({ "When to sow beans": [2, 2], "The hose": [3, 1] });
    // Noor reads the rest to the end.
    await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 3 }));
    expect(await getDiscussion(db, noor, id)).toMatchObject({ readUpTo: 6, firstUnread: null });
    expect(await findNextUnread(db, noor, id)).toEqual({ id: created.id });
    await within((tx) => markRead(tx, noor, { discussionId: created.id, upTo: 3 }));
    expect(await findNextUnread(db, noor)).toBeNull();
    // A later reply is unread.
    await createTestReply(database, tomas, id);
    expect(await unread(noor)).toMatchObject({ "When to sow beans": [1, 7] });
  });

  test("leaves the source read for people who had read all remaining posts", async () => {
    const { tomas, noor, group, id, ids } = await setupMove();
    await hasRead(noor, group.id, id, 3);
    const created = await split(tomas, id, ids.slice(3));
    expect((await listUnreadAndLatest(db, noor)).unread.map((row) => [row.id, row.unread])).toEqual([
      [created.id, 3],
    ]);
    const third = await createTestDiscussion(database, tomas, group.id);
    await within((tx) =>
      mergeDiscussion(tx, tomas, { discussionId: id, into: third.id, visibility: "public", reason: REASON }),
    );
    await within((tx) => markRead(tx, noor, { discussionId: third.id, upTo: 7 }));
    expect((await getDiscussion(db, noor, third.id)).firstUnread).toBeNull();
  });

  test("reopens a question only if its accepted answer moves", async () => {
    const { mira, tomas, id, ids } = await setupMove();
    await within((tx) => resolveDiscussion(tx, mira, { discussionId: id, postId: ids[3] }));
    await split(tomas, id, [ids[1]!]);
    expect(await getDiscussion(db, mira, id)).toMatchObject({
      answer: { number: 4 },
      resolvedAt: expect.any(Date),
    });
    await split(tomas, id, [ids[2]!, ids[3]!]);
    expect(await getDiscussion(db, mira, id)).toMatchObject({ answer: null, resolvedAt: null });
    expect((await getFirstPage(mira, id)).entries.map(({ kind }) => kind)).toEqual([
      "resolved",
      "split",
      "reopened",
      "split",
    ]);
    expect(await listEmittedEvents(database)).toContain("discussion.reopened");
  });

  test("refuses non-moderators, forged posts, the first post and an empty choice", async () => {
    const { mira, tomas, noor, group, id, ids } = await setupMove();
    const elsewhere = await createTestDiscussion(database, mira, group.id);
    for (const viewer of [mira, noor])
      await expect(split(viewer, id, [ids[2]!])).rejects.toMatchObject({ reason: "not-allowed" });
    for (const forged of [randomUUID(), elsewhere.postId])
      await expect(split(tomas, id, [ids[2]!, forged])).rejects.toMatchObject({ reason: "not-found" });
    await expect(split(tomas, id, [ids[0]!, ids[1]!])).rejects.toMatchObject({ reason: "invalid" });
    expect(
      NewSplit.safeParse({ discussionId: id, postIds: [], title: "The hose", reason: REASON }).success,
    ).toBe(false);
    expect(
      NewSplit.safeParse({
        discussionId: id,
        postIds: Array.from({ length: 501 }, () => ids[1]),
        title: "The hose",
        reason: REASON,
      }).success,
    ).toBe(false);
    expect(await listNumbers(tomas, id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("does not reveal the new discussion to people who cannot read it", async () => {
    const { tomas, guest, other, id, ids } = await setupMove("private");
    await within((tx) => resolveDiscussion(tx, tomas, { discussionId: id, postId: ids[3] }));
    const created = await split(tomas, id, [ids[3]!]);
    await within((tx) =>
      moveDiscussion(tx, tomas, {
        discussionId: created.id,
        groupId: other.id,
        visibility: "private",
        reason: REASON,
      }),
    );
    const { posts, entries } = await getFirstPage(guest, id);
    expect(posts[3]).toMatchObject({ stub: "moved", html: null });
    expect(posts[3]).not.toHaveProperty("movedTo");
    expect(entries.at(-1)).toMatchObject({ kind: "split", otherDiscussion: null });
    expect(await getDiscussion(db, guest, id)).toMatchObject({ answer: null });
  });
});
