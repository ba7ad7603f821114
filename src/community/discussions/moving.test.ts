import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { many, run, sql } from "#platform/database";
import { groupFor, putAtStart, startOf } from "#community/groups";
import type { SignedIn, Viewer, Visibility } from "#community/rules";
import { aDiscussion, aGroup, announced, aReply, bring, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  discussionFor,
  discussionsOf,
  type FollowLevel,
  groupsToMoveTo,
  markRead,
  mergeDiscussion,
  moveDiscussion,
  NewSplit,
  nowAt,
  postFor,
  postsOf,
  resolveDiscussion,
  setFollowLevel,
  splitDiscussion,
  unreadAndLatest,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const reason = "It belongs there.";

/** Two groups of Tomas's, both with Mira, and a discussion of hers with five replies, a minute apart. */
async function setting(there: Visibility = "public") {
  const people = await cast(database);
  const group = await aGroup(database, people);
  const other = await aGroup(database, people, { name: "The Orchard", visibility: there });
  const { id, postId } = await aDiscussion(database, people.mira, group.id);
  const ids = [postId];
  for (let n = 2; n <= 6; n++) {
    database.clock.pass(MINUTE);
    ids.push((await aReply(database, n % 2 ? people.mira : people.tomas, id, { body: `Number ${n}`, replyTo: ids.at(-1) })).id);
  }
  database.clock.pass(MINUTE);
  return { ...people, group, other, id, ids };
}
const page = async (viewer: Viewer, id: string) => postsOf(db, viewer, await discussionFor(db, viewer, id), { page: 1 });
const numbers = async (viewer: Viewer, id: string) => (await page(viewer, id)).posts.map(({ number }) => number);

describe("moving to another group", () => {
  const move = (who: SignedIn, discussionId: string, groupId: string, visibility: Visibility = "public") =>
    within((tx) => moveDiscussion(tx, who, { discussionId, groupId, visibility, reason }));

  test("is for those who look after both, with a reason, and changes who reads it at once", async () => {
    const { mira, tomas, noor, ines, guest, group, other, id } = await setting("private");
    await expect(move(mira, id, other.id, "private")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(move(ines, id, other.id, "private")).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(
      within((tx) => moveDiscussion(tx, tomas, { discussionId: id, groupId: other.id, visibility: "private", reason: " " })),
    ).rejects.toMatchObject({ reason: "invalid" });
    await move(tomas, id, other.id, "private");
    expect((await discussionFor(db, mira, id)).group).toMatchObject({ id: other.id });
    for (const who of [noor, guest]) await expect(discussionFor(db, who, id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await discussionsOf(db, mira, await groupFor(db, mira, group.id), {})).rows).toEqual([]);
    expect((await discussionsOf(db, mira, await groupFor(db, mira, other.id), {})).rows).toHaveLength(1);
    expect((await page(mira, id)).lines).toMatchObject([{ kind: "moved", reason, otherGroup: { slug: group.slug } }]);
    expect(await many(db, sql`select details->>'groupId' as "groupId" from audit_events where act = 'discussion.moved'`)).toHaveLength(2);
    expect(await announced(database)).toContain("discussion.moved");
  });

  test("is refused when who reads there has changed since one was told, and into the same group", async () => {
    const { tomas, group, other, id } = await setting("private");
    await expect(move(tomas, id, other.id, "public")).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(tomas, id, group.id)).rejects.toMatchObject({ reason: "conflict" });
    await expect(move(tomas, id, randomUUID())).rejects.toMatchObject({ reason: "not-found" });
  });

  test("out of a secret group does not name it to those who may not know of it", async () => {
    const { tomas, mira, noor, guest, group, other } = await setting("secret");
    const { id } = await aDiscussion(database, mira, other.id);
    await move(tomas, id, group.id);
    for (const who of [noor, guest]) expect((await page(who, id)).lines).toMatchObject([{ kind: "moved", otherGroup: null }]);
    expect((await page(mira, id)).lines).toMatchObject([{ otherGroup: { name: "The Orchard" } }]);
  });

  test("offers the groups that one looks after oneself", async () => {
    const { mira, tomas, ines, guest, other, id } = await setting("private");
    const offered = async (who: Viewer) => (await groupsToMoveTo(db, who, await discussionFor(db, who, id))).map((it) => it.id);
    expect([await offered(tomas), await offered(mira), await offered(ines), await offered(guest)]).toEqual([[other.id], [], [], []]);
  });
});

test("what newcomers of a group read first is no more of it once it was moved, to nobody", async () => {
  const { mira, tomas, guest, group, other, id } = await setting("secret");
  const first = async (viewer: Viewer, slug: string) =>
    (await startOf(db, viewer, await groupFor(db, viewer, slug))).map(({ targetId }) => targetId);
  await within((tx) => putAtStart(tx, tomas, { groupId: group.id, address: `/discussions/${id}` }));
  expect(await first(guest, group.slug)).toEqual([id]);
  await within((tx) => moveDiscussion(tx, tomas, { discussionId: id, groupId: other.id, visibility: "secret", reason }));
  for (const who of [guest, mira, tomas]) expect(await first(who, group.slug)).toEqual([]);
  expect(await many(db, sql`select from group_start_items where ${true}`)).toEqual([]);
  // Nor is it shown where such a line has stayed.
  await run(
    db,
    sql`insert into group_start_items (id, group_id, discussion_id, position, put_by, put_at) values (gen_random_uuid(), ${group.id}, ${id}, 1, ${tomas.id}, now())`,
  );
  for (const who of [guest, mira, tomas]) expect(await first(who, group.slug)).toEqual([]);
});

describe("splitting", () => {
  const split = (who: SignedIn, discussionId: string, postIds: string[]) =>
    within((tx) => splitDiscussion(tx, who, NewSplit.parse({ discussionId, postIds, title: "The hose", reason })));

  test("makes a discussion of the chosen posts; here their numbers stay, with the way to them", async () => {
    const { mira, tomas, noor, id, ids } = await setting();
    const made = await split(tomas, id, [ids[4]!, ids[2]!, ids[3]!]);
    expect(await discussionFor(db, noor, made.id)).toMatchObject({
      title: "The hose",
      lastNumber: 3,
      replies: 2,
      author: { username: "mira" },
    });
    expect((await page(noor, made.id)).posts.map(({ id, number, replyTo }) => [id, number, replyTo?.number])).toEqual([
      [ids[2], 1, undefined],
      [ids[3], 2, 1],
      [ids[4], 3, 2],
    ]);
    const left = await page(noor, id);
    expect(left.posts.map(({ number, stub }) => [number, stub])).toEqual([
      [1, null],
      [2, null],
      [3, "moved"],
      [4, "moved"],
      [5, "moved"],
      [6, null],
    ]);
    expect(left.posts[2]!.movedTo).toEqual({ discussionId: made.id, title: "The hose", number: 1 });
    expect(left.posts[5]!.replyTo).toMatchObject({ number: 5, excerpt: "" });
    expect(left.lines).toMatchObject([{ kind: "split", details: { posts: 3 }, otherDiscussion: { id: made.id } }]);
    expect((await page(noor, made.id)).lines).toMatchObject([{ kind: "split-off", otherDiscussion: { id } }]);
    expect(await discussionFor(db, noor, id)).toMatchObject({ replies: 2, lastNumber: 6 });
    expect((await aReply(database, mira, id)).number).toBe(7);
    expect((await aReply(database, mira, made.id)).number).toBe(4);
  });

  test("takes along who has read how far", async () => {
    const { tomas, noor, group, id, ids } = await setting();
    await within((tx) => bring(tx, group.id, noor, "member"));
    await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 4 }));
    const made = await split(tomas, id, [ids[2]!, ids[3]!, ids[4]!]);
    expect(await discussionFor(db, noor, made.id)).toMatchObject({ readUpTo: 2, firstUnread: 3 });
    expect(await discussionFor(db, noor, id)).toMatchObject({ readUpTo: 4, firstUnread: 5 });
  });

  test("leaves a question open whose answer goes, and one answered that keeps it", async () => {
    const { mira, tomas, id, ids } = await setting();
    await within((tx) => resolveDiscussion(tx, mira, { discussionId: id, postId: ids[3] }));
    await split(tomas, id, [ids[1]!]);
    expect(await discussionFor(db, mira, id)).toMatchObject({ answer: { number: 4 }, resolvedAt: expect.any(Date) });
    await split(tomas, id, [ids[2]!, ids[3]!]);
    expect(await discussionFor(db, mira, id)).toMatchObject({ answer: null, resolvedAt: null });
    expect((await page(mira, id)).lines.map(({ kind }) => kind)).toEqual(["resolved", "split", "reopened", "split"]);
    expect(await announced(database)).toContain("discussion.reopened");
  });

  test("is refused to others, for forged posts, for the first, and without any", async () => {
    const { mira, tomas, noor, group, id, ids } = await setting();
    const elsewhere = await aDiscussion(database, mira, group.id);
    for (const who of [mira, noor]) await expect(split(who, id, [ids[2]!])).rejects.toMatchObject({ reason: "not-allowed" });
    for (const forged of [randomUUID(), elsewhere.postId])
      await expect(split(tomas, id, [ids[2]!, forged])).rejects.toMatchObject({ reason: "not-found" });
    await expect(split(tomas, id, [ids[0]!, ids[1]!])).rejects.toMatchObject({ reason: "invalid" });
    expect(NewSplit.safeParse({ discussionId: id, postIds: [], title: "The hose", reason }).success).toBe(false);
    expect(
      NewSplit.safeParse({ discussionId: id, postIds: Array.from({ length: 501 }, () => ids[1]), title: "The hose", reason }).success,
    ).toBe(false);
    expect(await numbers(tomas, id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("does not tell a stranger where the posts went, when they may not read there", async () => {
    const { tomas, guest, other, id, ids } = await setting("private");
    await within((tx) => resolveDiscussion(tx, tomas, { discussionId: id, postId: ids[3] }));
    const made = await split(tomas, id, [ids[3]!]);
    await within((tx) => moveDiscussion(tx, tomas, { discussionId: made.id, groupId: other.id, visibility: "private", reason }));
    const { posts, lines } = await page(guest, id);
    expect(posts[3]).toMatchObject({ stub: "moved", html: null });
    expect(posts[3]).not.toHaveProperty("movedTo");
    expect(lines.at(-1)).toMatchObject({ kind: "split", otherDiscussion: null });
    expect(await discussionFor(db, guest, id)).toMatchObject({ answer: null });
  });
});

describe("merging", () => {
  const merge = (who: SignedIn, discussionId: string, into: string, visibility: Visibility = "public") =>
    within((tx) => mergeDiscussion(tx, who, { discussionId, into, visibility, reason }));

  /** Another discussion, begun between the first one's posts. */
  async function two(there: Visibility = "public") {
    const it = await setting(there);
    const later = await aDiscussion(database, it.tomas, it.other.id, { title: "Beans again", body: "Beans?" });
    await run(db, sql`update posts set created_at = created_at - interval '210 seconds' where id = ${later.postId}`);
    database.clock.pass(MINUTE);
    const last = await aReply(database, it.mira, later.id, { body: "Yes." });
    return { ...it, later, last };
  }

  test("brings all posts together by time, without a gap, and the old addresses lead to them", async () => {
    const { mira, tomas, noor, id, ids, later, last } = await two();
    expect(await merge(tomas, later.id, id)).toEqual({ id });
    const { posts, lines } = await page(noor, id);
    expect(posts.map((post) => post.id)).toEqual([...ids.slice(0, 3), later.postId, ...ids.slice(3), last.id]);
    expect(posts.map((post) => post.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(posts[4]!.replyTo).toMatchObject({ number: 3 });
    expect(lines.map(({ kind, details }) => [kind, details.was])).toEqual([["merged", "Beans again"]]);
    expect(await discussionFor(db, noor, id)).toMatchObject({ replies: 7, lastNumber: 8, author: { username: "mira" } });
    await expect(discussionFor(db, noor, later.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await nowAt(db, noor, later.id)).toMatchObject({ discussion: { id } });
    expect((await nowAt(db, noor, later.id, 2))!.post).toBe(8);
    expect((await postFor(db, noor, last.id)).number).toBe(8);
    expect((await aReply(database, mira, id)).number).toBe(9);
  });

  test("leaves nobody's unread posts behind", async () => {
    const { tomas, mira, noor, group, id, later } = await two();
    await within((tx) => bring(tx, group.id, noor, "member"));
    await within((tx) => markRead(tx, noor, { discussionId: id, upTo: 6 }));
    await within((tx) => markRead(tx, noor, { discussionId: later.id, upTo: 1 }));
    await within((tx) => markRead(tx, mira, { discussionId: id, upTo: 6 }));
    await run(db, sql`delete from read_states where person_id = ${mira.id} and discussion_id = ${later.id}`);
    await merge(tomas, later.id, id);
    // Noor has read everything but the last; Mira begins at what she had not opened.
    expect(await discussionFor(db, noor, id)).toMatchObject({ readUpTo: 7, firstUnread: 8 });
    expect(await discussionFor(db, mira, id)).toMatchObject({ firstUnread: 4 });
    expect((await unreadAndLatest(db, noor)).unread).toMatchObject([{ unread: 1 }]);
  });

  test("keeps how closely each followed: what they chose, of the one it goes into before the other, else the closer of both", async () => {
    const { mira, tomas, noor, ines, group, id, later } = await two();
    await within((tx) => bring(tx, group.id, noor, "member"));
    const open = (who: SignedIn) => within((tx) => markRead(tx, who, { discussionId: id, upTo: 1 }));
    const choose = (who: SignedIn, discussionId: string, level: FollowLevel) =>
      within((tx) => setFollowLevel(tx, who, { discussionId, level }));
    await choose(mira, later.id, "watching");
    await choose(noor, later.id, "watching");
    await choose(noor, id, "muted");
    await aReply(database, ines, later.id);
    await open(ines);
    await choose(tomas, id, "normal");
    // Whoever has read for weeks has read for as long as can be counted.
    await run(db, sql`update read_states set read_ms = 2000000000 where person_id = ${mira.id}`);
    await merge(tomas, later.id, id);
    const levels = [];
    for (const who of [mira, noor, ines, tomas]) levels.push((await discussionFor(db, who, id)).level);
    expect(levels).toEqual(["watching", "muted", "tracking", "normal"]);
  });

  test("undoes a split: the places that were kept go, and answers find what they answered", async () => {
    const { tomas, noor, id, ids } = await setting();
    const made = await within((tx) =>
      splitDiscussion(tx, tomas, NewSplit.parse({ discussionId: id, postIds: [ids[2], ids[3]], title: "The hose", reason })),
    );
    await merge(tomas, made.id, id);
    const { posts } = await page(noor, id);
    expect(posts.map((post) => post.id)).toEqual(ids);
    expect(posts.map((post) => post.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(posts[4]!.replyTo).toMatchObject({ number: 4, excerpt: "Number 4" });
    expect((await nowAt(db, noor, made.id, 1))!.post).toBe(3);
  });

  test("leads on through a second merge, and to nobody who may not read there", async () => {
    const { tomas, mira, noor, guest, other, group, id, later } = await two("private");
    await merge(tomas, id, later.id, "private");
    const third = await aDiscussion(database, mira, other.id);
    await merge(tomas, later.id, third.id, "private");
    for (const old of [id, later.id]) expect(await nowAt(db, mira, old)).toMatchObject({ discussion: { id: third.id } });
    expect((await nowAt(db, mira, id, 6))!.post).toBe(7);
    for (const who of [noor, guest]) expect(await nowAt(db, who, id)).toBeNull();
    expect((await discussionsOf(db, mira, await groupFor(db, mira, group.id), {})).rows).toEqual([]);
    expect(await nowAt(db, mira, third.id)).toBeNull();
    expect(await nowAt(db, mira, "x")).toBeNull();
  });

  test.each(["what goes in", "what it goes into"])("leaves to members what was for members alone: %s", async (narrow) => {
    const { guest, mira, tomas, id, later } = await two();
    await run(db, sql`update discussions set audience = 'members' where id = ${narrow === "what goes in" ? later.id : id}`);
    await merge(tomas, later.id, id);
    await expect(discussionFor(db, guest, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await discussionFor(db, mira, id)).toMatchObject({ audience: "members" });
  });

  test("is refused to others, with itself, with what is not there, and when the audience has changed", async () => {
    const { mira, tomas, ines, id, later } = await two("private");
    await expect(merge(mira, later.id, id)).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(merge(ines, later.id, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(merge(tomas, id, id)).rejects.toMatchObject({ reason: "conflict" });
    await expect(merge(tomas, id, randomUUID())).rejects.toMatchObject({ reason: "not-found" });
    await expect(merge(tomas, id, later.id, "public")).rejects.toMatchObject({ reason: "conflict" });
    await run(db, sql`update discussions set last_number = 9999 where id = ${id}`);
    await expect(merge(tomas, id, later.id, "private")).rejects.toMatchObject({ reason: "conflict" });
  });

  test("of two at once, crosswise, is done by one of them", async () => {
    const { tomas, id, later } = await two();
    const done = await Promise.allSettled([merge(tomas, later.id, id), merge(tomas, id, later.id)]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await many(db, sql`select number from posts order by number`)).length).toBe(8);
  });
});
