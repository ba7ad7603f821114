import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { getGroup } from "#community/groups";
import { GUEST, type SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  listEmittedEvents,
  createTestReply,
  setMembership,
} from "../../../test/support/test-users.ts";
import {
  getDiscussion,
  listDiscussions,
  listLatestDiscussions,
  lockDiscussion,
  markRead,
  markUnread,
  NewReply,
  getPost,
  setFollowLevel,
  startDiscussion,
  unlockDiscussion,
  listUnreadAndLatest,
} from "./index.ts";
import {
  database,
  db,
  getPosts,
  setupDiscussion,
  within,
} from "../../../test/support/discussions/discussion-setup.ts";

describe("discussion", () => {
  test("returns not-found to a non-member of its private group", async () => {
    const { mira, noor, ines, ada, guest, discussion } = await setupDiscussion("private");
    expect((await getDiscussion(db, mira, discussion.id)).title).toBe("When to sow beans");
    for (const viewer of [noor, ines, ada, guest]) {
      await expect(getDiscussion(db, viewer, discussion.id)).rejects.toMatchObject({
        reason: "not-found",
        message: "Not found.",
      });
      await expect(getPost(db, viewer, discussion.postId)).rejects.toMatchObject({ reason: "not-found" });
      expect((await listLatestDiscussions(db, viewer, {})).rows).toEqual([]);
    }
    for (const id of ["", "x", randomUUID(), "\0"])
      await expect(getDiscussion(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("can be started by members, and by staff in public groups", async () => {
    const { mira, noor, ines, group, discussion } = await setupDiscussion();
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({
      replies: 0,
      level: "tracking",
      readUpTo: 1,
      firstUnread: null,
    });
    await createTestDiscussion(database, ines, group.id);
    await expect(createTestDiscussion(database, noor, group.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(createTestDiscussion(database, { ...mira, limited: true }, group.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(
      within((tx) => startDiscussion(tx, GUEST, { groupId: group.id, title: "Hello", body: "x", tags: [] })),
    ).rejects.toMatchObject({ reason: "not-signed-in" });
    expect(await listEmittedEvents(database)).toContain("discussion.started");
  });

  test("sent twice at once is stored once", async () => {
    const { mira, group } = await setupDiscussion();
    const clientId = randomUUID();
    const [one, two] = await Promise.all(
      [1, 2].map(() => createTestDiscussion(database, mira, group.id, { clientId, title: "Sent twice" })),
    );
    expect(one).toEqual(two);
    const { rows } = await listDiscussions(db, mira, await getGroup(db, mira, group.id), {});
    expect(rows.filter((it) => it.title === "Sent twice")).toHaveLength(1);
  });
});

test.each(["", "  ", "\u200b\u200b \u2060", "\u3164", "\u202e\u202c"])(
  "a post without visible characters is refused (%j)",
  (body) => {
    const input = { discussionId: randomUUID(), body };
    expect(NewReply.safeParse(input).error?.issues[0]?.message).toMatch(/Write something first/);
    expect(NewReply.safeParse({ ...input, body: `${body}👩‍🌾` }).success).toBe(true);
  },
);

describe("replies", () => {
  test("get numbers without a gap when twenty people send them at the same time", async () => {
    const { mira, tomas, discussion } = await setupDiscussion();
    const newReplies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => createTestReply(database, i % 2 ? mira : tomas, discussion.id)),
    );
    expect(newReplies.map((it) => it.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 2),
    );
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({ replies: 20, lastNumber: 21 });
  });

  test("sent twice at once with the same client id are stored once", async () => {
    const { mira, discussion } = await setupDiscussion();
    const clientId = randomUUID();
    const [one, two] = await Promise.all(
      [1, 2].map(() => createTestReply(database, mira, discussion.id, { clientId })),
    );
    expect(one).toEqual(two);
    expect((await getDiscussion(db, mira, discussion.id)).lastNumber).toBe(2);
    expect((await listEmittedEvents(database)).filter((type) => type === "post.written")).toHaveLength(1);
  });

  test("return the stored post if sent again, even if the sender can no longer write", async () => {
    const { mira, tomas, discussion } = await setupDiscussion();
    const clientId = randomUUID();
    const sent = await createTestReply(database, mira, discussion.id, { clientId });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Settled." }));
    expect(await createTestReply(database, mira, discussion.id, { clientId })).toEqual(sent);
    await expect(
      createTestReply(database, mira, discussion.id, { clientId, body: "And more" }),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("with a used client id but another text create new posts", async () => {
    const { mira, group, discussion } = await setupDiscussion();
    const other = await createTestDiscussion(database, mira, group.id);
    const clientId = randomUUID();
    expect(await createTestReply(database, mira, discussion.id, { clientId, body: "One" })).toMatchObject({
      number: 2,
    });
    expect(await createTestReply(database, mira, discussion.id, { clientId, body: "Two" })).toMatchObject({
      number: 3,
    });
    expect(await createTestReply(database, mira, other.id, { clientId, body: "One" })).toMatchObject({
      number: 2,
    });
    const again = await createTestDiscussion(database, mira, group.id, { clientId, title: "Another matter" });
    expect((await getDiscussion(db, mira, again.id)).title).toBe("Another matter");
  });

  test("require membership, or a moderator in a locked discussion", async () => {
    const { mira, noor, tomas, guest, discussion } = await setupDiscussion();
    await expect(createTestReply(database, noor, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "Join the group to reply.",
    });
    await expect(createTestReply(database, guest as SignedIn, discussion.id)).rejects.toMatchObject({
      reason: "not-signed-in",
    });
    await expect(
      within((tx) => lockDiscussion(tx, mira, { discussionId: discussion.id, reason: "x" })),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(
      within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: " " })),
    ).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "All said." }));
    expect(await getDiscussion(db, mira, discussion.id)).toMatchObject({
      locked: true,
      lockedReason: "All said.",
    });
    await expect(createTestReply(database, mira, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await createTestReply(database, tomas, discussion.id);
    await within((tx) => unlockDiscussion(tx, tomas, { discussionId: discussion.id }));
    await createTestReply(database, mira, discussion.id);
    expect(await many(db, sql<{ act: string }>`select act from audit_events order by id`)).toEqual([
      { act: "discussion.locked" },
      { act: "discussion.unlocked" },
    ]);
  });

  test("from limited accounts are refused with an explanation, even for members", async () => {
    const { mira, noor, group, discussion } = await setupDiscussion();
    const refused = { reason: "not-allowed", message: "Your account cannot post at the moment." };
    for (const viewer of [mira, noor]) {
      await expect(
        createTestReply(database, { ...viewer, limited: true }, discussion.id),
      ).rejects.toMatchObject(refused);
      await expect(
        createTestDiscussion(database, { ...viewer, limited: true }, group.id),
      ).rejects.toMatchObject(refused);
    }
    await createTestReply(database, mira, discussion.id);
  });

  test("show the post they reply to, and drop a reference to a post of another discussion", async () => {
    const { mira, tomas, group, discussion } = await setupDiscussion();
    const other = await createTestDiscussion(database, tomas, group.id);
    const first = await createTestReply(database, tomas, discussion.id, { replyTo: discussion.postId });
    await createTestReply(database, mira, discussion.id, { replyTo: other.postId });
    const {
      posts: [, second, third],
    } = await getPosts(mira, discussion.id);
    expect(second).toMatchObject({
      id: first.id,
      replyTo: { number: 1, author: { username: "mira" }, excerpt: "The soil is still cold." },
    });
    expect(third!.replyTo).toBeNull();
  });

  test("appear twenty per page; a page or post number out of range returns the nearest page", async () => {
    const { mira, discussion } = await setupDiscussion();
    for (let i = 0; i < 24; i++) await createTestReply(database, mira, discussion.id);
    expect((await getPosts(mira, discussion.id)).posts.map((it) => it.number)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    expect(await getPosts(mira, discussion.id, { post: 21 })).toMatchObject({ page: 2, pages: 2 });
    for (const where of [{ page: 99 }, { post: 1e12 }])
      expect((await getPosts(mira, discussion.id, where)).page).toBe(2);
    for (const where of [{ page: Number.NaN }, { page: -3 }, { post: 0 }])
      expect((await getPosts(mira, discussion.id, where)).page).toBe(1);
  });
});

describe("read position", () => {
  test("moves only forwards, and later posts are unread", async () => {
    const { mira, tomas, noor, discussion } = await setupDiscussion();
    for (let i = 0; i < 4; i++) await createTestReply(database, mira, discussion.id);
    expect((await listUnreadAndLatest(db, tomas)).unread).toMatchObject([
      { unread: 5, isNew: true, firstUnread: 1, followed: false },
    ]);
    const read = (viewer: SignedIn, upTo: number) =>
      within((tx) => markRead(tx, viewer, { discussionId: discussion.id, upTo }));
    await read(tomas, 3);
    await read(tomas, 2);
    expect(await getDiscussion(db, tomas, discussion.id)).toMatchObject({ readUpTo: 3, firstUnread: 4 });
    await read(tomas, 1e9);
    expect((await listUnreadAndLatest(db, tomas)).unread).toEqual([]);
    await within((tx) => markUnread(tx, tomas, { discussionId: discussion.id, from: 2 }));
    expect((await listUnreadAndLatest(db, tomas)).unread).toMatchObject([
      { unread: 4, isNew: false, firstUnread: 2 },
    ]);
    await within((tx) => setFollowLevel(tx, tomas, { discussionId: discussion.id, level: "muted" }));
    expect((await listUnreadAndLatest(db, tomas)).unread).toEqual([]);
    await read(noor, 1);
    expect((await listLatestDiscussions(db, noor, {})).rows).toMatchObject([{ unread: 4 }]);
  });

  test("cannot be moved in discussions that the viewer cannot read", async () => {
    const { noor, discussion } = await setupDiscussion("private");
    await expect(
      within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 1 })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(
      within((tx) => setFollowLevel(tx, noor, { discussionId: discussion.id, level: "watching" })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("starts at the join date for a new member", async () => {
    const { mira, noor, group, discussion } = await setupDiscussion();
    database.clock.pass(60_000);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    expect((await listUnreadAndLatest(db, noor)).unread).toEqual([]);
    database.clock.pass(60_000);
    await createTestReply(database, mira, discussion.id);
    expect((await listUnreadAndLatest(db, noor)).unread).toHaveLength(1);
  });
});
