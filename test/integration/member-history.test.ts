import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { run, sql } from "#platform/database";
import { getGroup, joinGroup, applyDueOpenings, updateGroup } from "#community/groups";
import { addDocument, getResource, listResources, listResourceUses } from "#community/resources";
import { createSearch } from "#community/search";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createTestUsers,
} from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import {
  getDiscussion,
  listDiscussionsByAuthor,
  listDiscussions,
  listLatestDiscussions,
  markRead,
  openDiscussion,
  getPost,
  addReaction,
  reply,
  resolveDiscussion,
  listSidebarRows,
  listTopDiscussions,
  listUnreadAndLatest,
} from "#community/discussions";
import { getPostsPage } from "../support/discussions/shared-posts.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/**
 * A group whose new members read from their day of joining. Noor joins after 25 posts of one discussion, and
 * after the end of another.
 */
async function scene() {
  const people = await createTestUsers(database);
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, {
    visibility: "private",
    joinPolicy: "open",
    historyPolicy: "from_joining",
  });
  const past = await createTestDiscussion(database, mira, group.id, { title: "Long ago and over" });
  const lasting = await createTestDiscussion(database, mira, group.id, { title: "It goes on and on" });
  let last = { id: lasting.postId, number: 1 };
  for (let i = 2; i <= 25; i++) last = await createTestReply(database, tomas, lasting.id);
  const collection = await within((tx) =>
    addDocument(tx, mira, {
      title: "Old",
      body: "Old.",
      why: "",
      tags: [],
      language: "en",
      licence: "",
      groupId: group.id,
    }),
  );
  database.clock.pass(60_000);
  await within((tx) => joinGroup(tx, noor, { groupId: group.id }));
  database.clock.pass(60_000);
  return { ...people, group, past, lasting, last, collection };
}

describe("group whose history is hidden from new members", () => {
  test("hides earlier content and its counts from a new member", async () => {
    const { mira, noor, group, past, lasting, last, collection } = await scene();
    const { engine, indexer } = createSearch({ database });
    await indexer.beginAgain();
    await indexer.finish();
    const seen = await getGroup(db, noor, group.id);
    expect(seen).toMatchObject({ discussionsCount: 0, resourcesCount: 0, unread: 0 });
    const list = await listDiscussions(db, noor, seen, {});
    const lists = [
      list.rows,
      list.pinned,
      await listSidebarRows(db, noor, seen),
      (await listLatestDiscussions(db, noor, {})).rows,
      (await listUnreadAndLatest(db, noor)).unread,
      await listTopDiscussions(db, noor, { span: "year", now: database.clock.at }),
      (await listDiscussionsByAuthor(db, noor, mira.id, {})).rows,
      (
        await engine.search(noor, {
          index: "all",
          words: "goes on",
          filter: { not: { facet: "type", value: "groups" } },
        })
      ).hits,
      (await listResources(db, noor, { group: group.id })).rows,
    ];
    expect(lists).toEqual(lists.map(() => []));
    const gone = [
      () => getDiscussion(db, noor, past.id),
      () => getDiscussion(db, noor, lasting.id),
      () => getPost(db, noor, last.id),
      () => getResource(db, noor, collection.id),
    ];
    for (const read of gone) await expect(read()).rejects.toMatchObject({ reason: "not-found" });
    await expect(
      within((tx) => addReaction(tx, noor, { postId: last.id, emoji: "👍" })),
    ).rejects.toMatchObject({ reason: "not-found" });
    await expect(
      within((tx) => reply(tx, noor, { discussionId: lasting.id, body: "Me too." })),
    ).rejects.toMatchObject({
      reason: "not-found",
    });
    await expect(
      within((tx) => markRead(tx, noor, { discussionId: lasting.id, upTo: 9 })),
    ).rejects.toMatchObject({ reason: "not-found" });
  });

  test("shows only the posts of a discussion that were written after a new member joined", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    const next = await createTestReply(database, mira, lasting.id, { body: "Newly said.", replyTo: last.id });
    const opened = await openDiscussion(db, noor, lasting.id);
    expect(opened).toMatchObject({ lastHiddenNumber: 25, replies: 1, firstUnread: 26 });
    expect(opened.sidebar).toMatchObject([{ id: lasting.id, unread: 1, firstUnread: 26 }]);
    const { posts, page, pages } = await getPostsPage(db, noor, opened, { page: 1 });
    expect([posts.map((post) => post.number), page, pages]).toEqual([[26], 1, 1]);
    expect(posts[0]!.replyTo).toBeNull();
    expect((await getPostsPage(db, noor, opened, { post: 3 })).posts.map((post) => post.number)).toEqual([
      26,
    ]);
    expect((await getPost(db, noor, next.id)).replyTo).toBeNull();
    await expect(getPost(db, noor, last.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listDiscussions(db, noor, await getGroup(db, noor, group.id), {})).rows).toMatchObject([
      { replies: 1, unread: 1, firstUnread: 26 },
    ]);
    expect(await listTopDiscussions(db, noor, { span: "year", now: database.clock.at })).toMatchObject([
      { excerpt: "" },
    ]);
    const answer = await createTestReply(database, noor, lasting.id, { replyTo: last.id });
    expect((await getPost(db, mira, answer.id)).replyTo).toBeNull();
    await within((tx) => markRead(tx, noor, { discussionId: lasting.id, upTo: 27 }));
    expect((await getDiscussion(db, noor, lasting.id)).firstUnread).toBeNull();
  });

  test("shows everything to moderators and earlier members", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    expect((await getPostsPage(db, mira, await getDiscussion(db, mira, lasting.id), { page: 1 })).pages).toBe(
      2,
    );
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    expect(await getDiscussion(db, noor, lasting.id)).toMatchObject({ lastHiddenNumber: 0, replies: 24 });
    expect((await getPost(db, noor, last.id)).number).toBe(25);
  });

  test("lists uses of a resource only if written after the member joined", async () => {
    const { mira, noor, group, lasting, last } = await scene();
    const { id } = await within((tx) =>
      addDocument(tx, mira, {
        title: "For all",
        body: "Open.",
        why: "",
        tags: [],
        language: "en",
        licence: "",
      }),
    );
    await run(db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${last.id})`);
    const next = await createTestReply(database, mira, lasting.id);
    expect([
      await listResourceUses(db, noor, await getResource(db, noor, id)),
      (await listResourceUses(db, mira, await getResource(db, mira, id))).length,
    ]).toEqual([[], 1]);
    await run(db, sql`insert into resource_uses (resource_id, post_id) values (${id}, ${next.id})`);
    expect(await listResourceUses(db, noor, await getResource(db, noor, id))).toMatchObject([{ number: 26 }]);
    expect((await getGroup(db, noor, group.id)).discussionsCount).toBe(1);
  });

  test("hides an earlier answer, and still marks the question as answered", async () => {
    const { mira, tomas, noor, lasting, last } = await scene();
    await within((tx) => resolveDiscussion(tx, mira, { discussionId: lasting.id, postId: last.id }));
    await createTestReply(database, tomas, lasting.id);
    expect(await getDiscussion(db, mira, lasting.id)).toMatchObject({ answer: { number: 25 } });
    expect(await getDiscussion(db, noor, lasting.id)).toMatchObject({
      answer: null,
      resolvedAt: expect.any(Date),
    });
  });
});

describe("group that starts to share its history with new members", () => {
  const share = (at: Awaited<ReturnType<typeof scene>>) =>
    within((tx) => updateGroup(tx, at.tomas, { groupId: at.group.id, historyPolicy: "shared" }));

  test("shares posts written after that change; earlier posts stay visible to earlier members only", async () => {
    const at = await scene();
    const { mira, tomas, noor, ines, group, past, lasting } = at;
    await share(at);
    database.clock.pass(60_000);
    const between = await createTestReply(database, tomas, lasting.id, { body: "For whoever comes." });
    const fresh = await createTestDiscussion(database, mira, group.id, { title: "Open to newcomers" });
    database.clock.pass(60_000);
    await within((tx) => joinGroup(tx, ines, { groupId: group.id }));
    for (const who of [noor, ines]) {
      await expect(getDiscussion(db, who, past.id)).rejects.toMatchObject({ reason: "not-found" });
      const opened = await getDiscussion(db, who, lasting.id);
      expect((await getPostsPage(db, who, opened, { page: 1 })).posts.map(({ number }) => number)).toEqual([
        between.number,
      ]);
      await getDiscussion(db, who, fresh.id);
    }
    // Members from before the change still read from their day of joining.
    expect((await getDiscussion(db, mira, past.id)).title).toBe("Long ago and over");
  });

  test("does not share earlier posts when the setting is saved again, or turned off and on", async () => {
    const at = await scene();
    const { tomas, noor, group, past } = at;
    await share(at);
    database.clock.pass(60_000);
    await within((tx) =>
      updateGroup(tx, tomas, { groupId: group.id, joinPolicy: "request", historyPolicy: "shared" }),
    );
    await expect(getDiscussion(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => updateGroup(tx, tomas, { groupId: group.id, historyPolicy: "from_joining" }));
    await share(at);
    await expect(getDiscussion(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("does not share earlier posts when it becomes public, also not on the scheduled day", async () => {
    const at = await scene();
    const { tomas, mira, noor, group, past, lasting } = at;
    await within((tx) =>
      updateGroup(tx, tomas, {
        groupId: group.id,
        visibility: "public",
        joinPolicy: "open",
        historyPolicy: "shared",
      }),
    );
    await createTestReply(database, mira, lasting.id, { body: "Still among us." });
    expect((await getGroup(db, noor, group.id)).historyPolicy).toBe("from_joining");
    await expect(getDiscussion(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    database.clock.pass(7 * DAY);
    await within(applyDueOpenings);
    expect((await getGroup(db, noor, group.id)).historyPolicy).toBe("shared");
    await expect(getDiscussion(db, noor, past.id)).rejects.toMatchObject({ reason: "not-found" });
    // The group becomes private again: new members read from their day of joining, and earlier members keep
    // what they could read.
    await within((tx) =>
      updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "open" }),
    );
    await within((tx) => joinGroup(tx, at.ines, { groupId: group.id }));
    await expect(getDiscussion(db, at.ines, past.id)).rejects.toMatchObject({ reason: "not-found" });
    await getDiscussion(db, mira, past.id);
  });
});
