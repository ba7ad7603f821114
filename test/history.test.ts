import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { groupFor, joinGroup, openWhatIsDue, updateGroup } from "#community/groups";
import { addDocument, resourceFor, resourcesFor, usedIn } from "#community/resources";
import { openSearch } from "#community/search";
import { aDiscussion, aGroup, aReply, bring, cast } from "./cast.ts";
import { testDatabase } from "./setup/database.ts";
import {
  discussionFor,
  discussionsBy,
  discussionsOf,
  latestDiscussions,
  markRead,
  openDiscussion,
  postFor,
  postsOf,
  react,
  reply,
  resolveDiscussion,
  sidebarOf,
  topDiscussions,
  unreadAndLatest,
} from "#community/discussions";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/**
 * A group whose new members read from their day of joining. Noor joins after 25 posts of one discussion, and
 * after the end of another.
 */
async function scene() {
  const people = await cast(database);
  const { mira, tomas, noor } = people;
  const group = await aGroup(database, people, { visibility: "private", joinPolicy: "open", historyPolicy: "from_joining" });
  const past = await aDiscussion(database, mira, group.id, { title: "Long ago and over" });
  const lasting = await aDiscussion(database, mira, group.id, { title: "It goes on and on" });
  let last = { id: lasting.postId, number: 1 };
  for (let i = 2; i <= 25; i++) last = await aReply(database, tomas, lasting.id);
  const shelf = await within((tx) =>
    addDocument(tx, mira, { title: "Old", body: "Old.", why: "", tags: [], language: "en", licence: "", groupId: group.id }),
  );
  database.clock.pass(60_000);
  await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
  database.clock.pass(60_000);
  return { ...people, group, past, lasting, last, shelf };
}

describe("group whose new members read from their day of joining", () => {
  test("has nothing to read at first, and no counts of it", async () => {
    const { mira, noor, group, past, lasting, last, shelf } = await scene();
    const { engine, filing } = openSearch({ database });
    await filing.beginAgain();
    await filing.finish();
    const seen = await groupFor(db, noor, group.id);
    expect(seen).toMatchObject({ discussionsCount: 0, resourcesCount: 0, unread: 0 });
    const list = await discussionsOf(db, noor, seen, {});
    const lists = [
      list.rows,
      list.pinned,
      await sidebarOf(db, noor, seen),
      (await latestDiscussions(db, noor, {})).rows,
      (await unreadAndLatest(db, noor)).unread,
      await topDiscussions(db, noor, { span: "year", now: database.clock.at }),
      (await discussionsBy(db, noor, mira.id, {})).rows,
      (await engine.search(noor, { index: "all", words: "goes on", filter: { not: { facet: "type", value: "groups" } } })).hits,
      (await resourcesFor(db, noor, { group: group.id })).rows,
    ];
    expect(lists).toEqual(lists.map(() => []));
    const gone = [
      () => discussionFor(db, noor, past.id),
      () => discussionFor(db, noor, lasting.id),
      () => postFor(db, noor, last.id),
      () => resourceFor(db, noor, shelf.id),
    ];
    for (const read of gone) await expect(read()).rejects.toMatchObject({ reason: "not-found" });
    await expect(within((tx) => react(tx, noor, { postId: last.id, emoji: "👍" }))).rejects.toMatchObject({ reason: "not-found" });
    await expect(within((tx) => reply(tx, noor, { discussionId: lasting.id, body: "Me too." }))).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(within((tx) => markRead(tx, noor, { discussionId: lasting.id, upTo: 9 }))).rejects.toMatchObject({ reason: "not-found" });
  });

  test("shows of an ongoing discussion only what is written from now on", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    const next = await aReply(database, mira, lasting.id, { body: "Newly said.", replyTo: last.id });
    const opened = await openDiscussion(db, noor, lasting.id);
    expect(opened).toMatchObject({ hiddenUpTo: 25, replies: 1, firstUnread: 26 });
    expect(opened.sidebar).toMatchObject([{ id: lasting.id, unread: 1, firstUnread: 26 }]);
    const { posts, page, pages } = await postsOf(db, noor, opened, { page: 1 });
    expect([posts.map((post) => post.number), page, pages]).toEqual([[26], 1, 1]);
    expect(posts[0]!.replyTo).toBeNull();
    expect((await postsOf(db, noor, opened, { post: 3 })).posts.map((post) => post.number)).toEqual([26]);
    expect((await postFor(db, noor, next.id)).replyTo).toBeNull();
    await expect(postFor(db, noor, last.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await discussionsOf(db, noor, await groupFor(db, noor, group.id), {})).rows).toMatchObject([
      { replies: 1, unread: 1, firstUnread: 26 },
    ]);
    expect(await topDiscussions(db, noor, { span: "year", now: database.clock.at })).toMatchObject([{ excerpt: "" }]);
    const answer = await aReply(database, noor, lasting.id, { replyTo: last.id });
    expect((await postFor(db, mira, answer.id)).replyTo).toBeNull();
    await within((tx) => markRead(tx, noor, { discussionId: lasting.id, upTo: 27 }));
    expect((await discussionFor(db, noor, lasting.id)).firstUnread).toBeNull();
  });

  test("shows everything to moderators and earlier members", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    expect((await postsOf(db, mira, await discussionFor(db, mira, lasting.id), { page: 1 })).pages).toBe(2);
    await within((tx) => bring(tx, group.id, noor, "moderator"));
    expect(await discussionFor(db, noor, lasting.id)).toMatchObject({ hiddenUpTo: 0, replies: 24 });
    expect((await postFor(db, noor, last.id)).number).toBe(25);
  });

  test("shows uses of a resource only from then on", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    const { id } = await within((tx) =>
      addDocument(tx, mira, { title: "For all", body: "Open.", why: "", tags: [], language: "en", licence: "" }),
    );
    await run(db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${last.id})`);
    const next = await aReply(database, mira, lasting.id);
    expect([
      await usedIn(db, noor, await resourceFor(db, noor, id)),
      (await usedIn(db, mira, await resourceFor(db, mira, id))).length,
    ]).toEqual([[], 1]);
    await run(db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${next.id})`);
    expect(await usedIn(db, noor, await resourceFor(db, noor, id))).toMatchObject([{ number: 26 }]);
    expect((await groupFor(db, noor, group.id)).discussionsCount).toBe(1);
  });

  test("hides an earlier answer, and still marks the question as answered", async () => {
    const { mira, tomas, noor, lasting, last } = await scene();
    await within((tx) => resolveDiscussion(tx, mira, { discussionId: lasting.id, postId: last.id }));
    await aReply(database, tomas, lasting.id);
    expect(await discussionFor(db, mira, lasting.id)).toMatchObject({ answer: { number: 25 } });
    expect(await discussionFor(db, noor, lasting.id)).toMatchObject({ answer: null, resolvedAt: expect.any(Date) });
  });
});

describe("group that opens its history to new members", () => {
  const share = (at: Awaited<ReturnType<typeof scene>>) =>
    within((tx) => updateGroup(tx, at.tomas, { groupId: at.group.id, historyPolicy: "shared" }));

  test("shows what is written from then on, and keeps earlier posts for earlier members", async () => {
    const at = await scene();
    const { mira, tomas, noor, ines, group, past, lasting } = at;
    await share(at);
    database.clock.pass(60_000);
    const between = await aReply(database, tomas, lasting.id, { body: "For whoever comes." });
    const fresh = await aDiscussion(database, mira, group.id, { title: "Open to newcomers" });
    database.clock.pass(60_000);
    await within((tx) => joinGroup(tx, ines, { groupId: group.id }));
    for (const who of [noor, ines]) {
      await expect(discussionFor(db, who, past.id)).rejects.toMatchObject({ reason: "not-found" });
      const opened = await discussionFor(db, who, lasting.id);
      expect((await postsOf(db, who, opened, { page: 1 })).posts.map(({ number }) => number)).toEqual([between.number]);
      await discussionFor(db, who, fresh.id);
    }
    // Members from before the change still read from their day of joining.
    expect((await discussionFor(db, mira, past.id)).title).toBe("Long ago and over");
  });

  test("keeps that when its settings are saved again, and when it closes its history once more", async () => {
    const at = await scene();
    const { tomas, noor, group, past } = at;
    await share(at);
    database.clock.pass(60_000);
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, joinPolicy: "request", historyPolicy: "shared" }));
    await expect(discussionFor(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, historyPolicy: "from_joining" }));
    await share(at);
    await expect(discussionFor(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("opens no history by becoming public, neither at once nor on the scheduled day", async () => {
    const at = await scene();
    const { tomas, mira, noor, group, past, lasting } = at;
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "public", joinPolicy: "open", historyPolicy: "shared" }));
    await aReply(database, mira, lasting.id, { body: "Still among us." });
    expect((await groupFor(db, noor, group.id)).historyPolicy).toBe("from_joining");
    await expect(discussionFor(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    database.clock.pass(7 * DAY);
    await within(openWhatIsDue);
    expect((await groupFor(db, noor, group.id)).historyPolicy).toBe("shared");
    await expect(discussionFor(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    // Closed again: new members read as before, and earlier members keep what was written among them.
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "open" }));
    await within((tx) => joinGroup(tx, at.ines, { groupId: group.id }));
    await expect(discussionFor(db, at.ines, past.id)).rejects.toMatchObject({ reason: "not-found" });
    await discussionFor(db, mira, past.id);
  });
});
