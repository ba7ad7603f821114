import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { groupFor } from "#community/groups";
import { GUEST, type SignedIn } from "#community/rules";
import { aDiscussion, announced, aReply, bring } from "../../../test/cast.ts";
import {
  discussionFor,
  discussionsOf,
  latestDiscussions,
  lockDiscussion,
  markRead,
  markUnread,
  NewReply,
  postFor,
  setFollowLevel,
  startDiscussion,
  unlockDiscussion,
  unreadAndLatest,
} from "./index.ts";
import { database, db, posts, setting, within } from "./setting.fixture.ts";

describe("discussion", () => {
  test("returns not-found to a non-member of its private group", async () => {
    const { mira, noor, ines, ada, guest, discussion } = await setting("private");
    expect((await discussionFor(db, mira, discussion.id)).title).toBe("When to sow beans");
    for (const who of [noor, ines, ada, guest]) {
      await expect(discussionFor(db, who, discussion.id)).rejects.toMatchObject({ reason: "not-found", message: "There is nothing here." });
      await expect(postFor(db, who, discussion.postId)).rejects.toMatchObject({ reason: "not-found" });
      expect((await latestDiscussions(db, who, {})).rows).toEqual([]);
    }
    for (const id of ["", "x", randomUUID(), "\0"])
      await expect(discussionFor(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("can be started by members, and by staff in public groups", async () => {
    const { mira, noor, ines, group, discussion } = await setting();
    expect(await discussionFor(db, mira, discussion.id)).toMatchObject({ replies: 0, level: "tracking", readUpTo: 1, firstUnread: null });
    await aDiscussion(database, ines, group.id);
    await expect(aDiscussion(database, noor, group.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(aDiscussion(database, { ...mira, limited: true }, group.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) => startDiscussion(tx, GUEST, { groupId: group.id, title: "Hello", body: "x", tags: [] })),
    ).rejects.toMatchObject({ reason: "not-signed-in" });
    expect(await announced(database)).toContain("discussion.started");
  });

  test("sent twice at once is stored once", async () => {
    const { mira, group } = await setting();
    const clientId = randomUUID();
    const [one, two] = await Promise.all([1, 2].map(() => aDiscussion(database, mira, group.id, { clientId, title: "Sent twice" })));
    expect(one).toEqual(two);
    const { rows } = await discussionsOf(db, mira, await groupFor(db, mira, group.id), {});
    expect(rows.filter((it) => it.title === "Sent twice")).toHaveLength(1);
  });
});

test.each(["", "  ", "\u200b\u200b \u2060", "\u3164", "\u202e\u202c"])(
  "post input refuses a text without visible characters (%j)",
  (body) => {
    const asked = { discussionId: randomUUID(), body };
    expect(NewReply.safeParse(asked).error?.issues[0]?.message).toMatch(/nothing to send yet/);
    expect(NewReply.safeParse({ ...asked, body: `${body}👩‍🌾` }).success).toBe(true);
  },
);

describe("replies", () => {
  test("sent by twenty people at once get numbers without a gap", async () => {
    const { mira, tomas, discussion } = await setting();
    const written = await Promise.all(Array.from({ length: 20 }, (_, i) => aReply(database, i % 2 ? mira : tomas, discussion.id)));
    expect(written.map((it) => it.number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
    expect(await discussionFor(db, mira, discussion.id)).toMatchObject({ replies: 20, lastNumber: 21 });
  });

  test("with one client id sent at once are stored once", async () => {
    const { mira, discussion } = await setting();
    const clientId = randomUUID();
    const [one, two] = await Promise.all([1, 2].map(() => aReply(database, mira, discussion.id, { clientId })));
    expect(one).toEqual(two);
    expect((await discussionFor(db, mira, discussion.id)).lastNumber).toBe(2);
    expect((await announced(database)).filter((type) => type === "post.written")).toHaveLength(1);
  });

  test("sent again return the first result, even when the sender can no longer write", async () => {
    const { mira, tomas, discussion } = await setting();
    const clientId = randomUUID();
    const sent = await aReply(database, mira, discussion.id, { clientId });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Settled." }));
    expect(await aReply(database, mira, discussion.id, { clientId })).toEqual(sent);
    await expect(aReply(database, mira, discussion.id, { clientId, body: "And more" })).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("with a used client id but another text are new posts", async () => {
    const { mira, group, discussion } = await setting();
    const other = await aDiscussion(database, mira, group.id);
    const clientId = randomUUID();
    expect(await aReply(database, mira, discussion.id, { clientId, body: "One" })).toMatchObject({ number: 2 });
    expect(await aReply(database, mira, discussion.id, { clientId, body: "Two" })).toMatchObject({ number: 3 });
    expect(await aReply(database, mira, other.id, { clientId, body: "One" })).toMatchObject({ number: 2 });
    const again = await aDiscussion(database, mira, group.id, { clientId, title: "Another matter" });
    expect((await discussionFor(db, mira, again.id)).title).toBe("Another matter");
  });

  test("accept members; a locked discussion accepts moderators only", async () => {
    const { mira, noor, tomas, guest, discussion } = await setting();
    await expect(aReply(database, noor, discussion.id)).rejects.toMatchObject({
      reason: "not-allowed",
      message: "Join the group to reply.",
    });
    await expect(aReply(database, guest as SignedIn, discussion.id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(within((tx) => lockDiscussion(tx, mira, { discussionId: discussion.id, reason: "x" }))).rejects.toMatchObject({
      reason: "not-allowed",
    });
    await expect(within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: " " }))).rejects.toMatchObject({
      reason: "invalid",
    });
    await within((tx) => lockDiscussion(tx, tomas, { discussionId: discussion.id, reason: "All said." }));
    expect(await discussionFor(db, mira, discussion.id)).toMatchObject({ locked: true, lockedReason: "All said." });
    await expect(aReply(database, mira, discussion.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await aReply(database, tomas, discussion.id);
    await within((tx) => unlockDiscussion(tx, tomas, { discussionId: discussion.id }));
    await aReply(database, mira, discussion.id);
    expect(await many(db, sql<{ act: string }>`select act from audit_events order by id`)).toEqual([
      { act: "discussion.locked" },
      { act: "discussion.unlocked" },
    ]);
  });

  test("refuse limited accounts with that reason, even members", async () => {
    const { mira, noor, group, discussion } = await setting();
    const refused = { reason: "not-allowed", message: "Your account can write nothing at the moment." };
    for (const who of [mira, noor]) {
      await expect(aReply(database, { ...who, limited: true }, discussion.id)).rejects.toMatchObject(refused);
      await expect(aDiscussion(database, { ...who, limited: true }, group.id)).rejects.toMatchObject(refused);
    }
    await aReply(database, mira, discussion.id);
  });

  test("show the post they reply to, and drop a reference to another discussion", async () => {
    const { mira, tomas, group, discussion } = await setting();
    const other = await aDiscussion(database, tomas, group.id);
    const first = await aReply(database, tomas, discussion.id, { replyTo: discussion.postId });
    await aReply(database, mira, discussion.id, { replyTo: other.postId });
    const {
      posts: [, second, third],
    } = await posts(mira, discussion.id);
    expect(second).toMatchObject({
      id: first.id,
      replyTo: { number: 1, author: { username: "mira" }, excerpt: "The soil is still cold." },
    });
    expect(third!.replyTo).toBeNull();
  });

  test("come twenty a page, by page or number; out of range returns the nearest page", async () => {
    const { mira, discussion } = await setting();
    for (let i = 0; i < 24; i++) await aReply(database, mira, discussion.id);
    expect((await posts(mira, discussion.id)).posts.map((it) => it.number)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await posts(mira, discussion.id, { post: 21 })).toMatchObject({ page: 2, pages: 2 });
    for (const where of [{ page: 99 }, { post: 1e12 }]) expect((await posts(mira, discussion.id, where)).page).toBe(2);
    for (const where of [{ page: Number.NaN }, { page: -3 }, { post: 0 }]) expect((await posts(mira, discussion.id, where)).page).toBe(1);
  });
});

describe("read position", () => {
  test("moves only forwards, and later posts are unread", async () => {
    const { mira, tomas, noor, discussion } = await setting();
    for (let i = 0; i < 4; i++) await aReply(database, mira, discussion.id);
    expect((await unreadAndLatest(db, tomas)).unread).toMatchObject([{ unread: 5, isNew: true, firstUnread: 1, followed: false }]);
    const read = (who: SignedIn, upTo: number) => within((tx) => markRead(tx, who, { discussionId: discussion.id, upTo }));
    await read(tomas, 3);
    await read(tomas, 2);
    expect(await discussionFor(db, tomas, discussion.id)).toMatchObject({ readUpTo: 3, firstUnread: 4 });
    await read(tomas, 1e9);
    expect((await unreadAndLatest(db, tomas)).unread).toEqual([]);
    await within((tx) => markUnread(tx, tomas, { discussionId: discussion.id, from: 2 }));
    expect((await unreadAndLatest(db, tomas)).unread).toMatchObject([{ unread: 4, isNew: false, firstUnread: 2 }]);
    await within((tx) => setFollowLevel(tx, tomas, { discussionId: discussion.id, level: "muted" }));
    expect((await unreadAndLatest(db, tomas)).unread).toEqual([]);
    await read(noor, 1);
    expect((await latestDiscussions(db, noor, {})).rows).toMatchObject([{ unread: 4 }]);
  });

  test("refuses discussions the viewer cannot read", async () => {
    const { noor, discussion } = await setting("private");
    await expect(within((tx) => markRead(tx, noor, { discussionId: discussion.id, upTo: 1 }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(within((tx) => setFollowLevel(tx, noor, { discussionId: discussion.id, level: "watching" }))).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("starts at the join date for a new member", async () => {
    const { mira, noor, group, discussion } = await setting();
    database.clock.pass(60_000);
    await within((tx) => bring(tx, group.id, noor, "member"));
    expect((await unreadAndLatest(db, noor)).unread).toEqual([]);
    database.clock.pass(60_000);
    await aReply(database, mira, discussion.id);
    expect((await unreadAndLatest(db, noor)).unread).toHaveLength(1);
  });
});
