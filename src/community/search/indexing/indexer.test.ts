import { beforeEach, expect, test } from "vitest";
import { many, one, run, sql } from "#platform/database";
import { deleteDiscussion, moveDiscussion, addReaction, renameDiscussion } from "#community/discussions";
import { restoreGroup, deleteGroup, updateGroup } from "#community/groups";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
  type TestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createIndexFollower } from "../../../../test/support/search/index-follower.ts";
import { type Index, createSearch, type Search } from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
let people: TestUsers;
let search: Search;
beforeEach(async () => {
  people = await createTestUsers(database);
  search = createSearch({ database });
});

const follow = createIndexFollower(database, () => search);
const found = async (viewer: Viewer, words: string, index: Index = "posts") =>
  (await search.engine.search(viewer, { index, words })).total;

test("changes can be searched a moment later", async () => {
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { name: "Damp Cellar" });
  const { id, postId } = await createTestDiscussion(database, mira, group.id, {
    title: "Chicory in boxes",
    body: "In the dark.",
  });
  const reply = await createTestReply(database, tomas, id, { body: "Endive, too." });
  await follow();
  expect([
    await found(noor, "chicory", "discussions"),
    await found(noor, "endive"),
    await found(noor, "cellar", "groups"),
  ]).toEqual([1, 1, 1]);
  await within((tx) => addReaction(tx, mira, { postId: reply.id, emoji: "👍" }));
  await within((tx) =>
    renameDiscussion(tx, mira, { discussionId: id, title: "Radicchio in boxes", reason: "" }),
  );
  await follow();
  const [hit] = (await search.engine.search(noor, { index: "posts", words: "endive" })).hits;
  expect([hit!.document.likes, hit!.document.title]).toEqual([1, "Radicchio in boxes"]);
  await within((tx) =>
    renameDiscussion(tx, mira, {
      discussionId: id,
      title: "Radicchio in boxes",
      tags: ["winter"],
      reason: "",
    }),
  );
  await follow();
  expect(
    (await search.engine.search(noor, { index: "discussions", words: "radicchio" })).hits[0]!.document.tags,
  ).toEqual(["winter"]);
  expect([
    await found(noor, "chicory"),
    await found(noor, "radicchio"),
    await found(noor, "radicchio", "discussions"),
  ]).toEqual([0, 1, 1]);

  // Hidden content disappears from hits before anything is reindexed, and its document afterwards.
  await run(db, sql`update posts set state = 'hidden' where id = ${reply.id}`);
  expect((await search.engine.search(noor, { index: "posts", words: "endive" })).hits).toEqual([]);
  await follow();
  await search.indexer.react({ type: "post.deleted", postId: reply.id, discussionId: id, groupId: group.id });
  await search.indexer.finish();
  expect(await found(tomas, "endive")).toBe(0);

  // Moves the discussion, with its posts, to a members-only group.
  const closed = await createTestGroup(database, people, { name: "Behind the door", visibility: "private" });
  await within((tx) =>
    moveDiscussion(tx, tomas, {
      discussionId: id,
      groupId: closed.id,
      visibility: "private",
      reason: "It belongs there.",
    }),
  );
  expect((await search.engine.search(noor, { index: "posts", words: "radicchio" })).hits).toEqual([]);
  await follow();
  expect([
    await found(noor, "radicchio"),
    await found(mira, "radicchio"),
    await found(noor, "radicchio", "discussions"),
  ]).toEqual([0, 1, 0]);
  const { groupId } = await one(
    db,
    sql<{ groupId: string }>`select group_id as "groupId" from search_documents where id = ${postId}`,
  );
  expect(groupId).toBe(closed.id);
  await within((tx) => deleteDiscussion(tx, tomas, { discussionId: id, reason: "Enough." }));
  await follow();
  expect(
    await many(db, sql`select id from search_documents where in_index in ('posts', 'discussions')`),
  ).toEqual([]);
});

test("a group that closes disappears from hits at once; a group that opens appears after reindexing", async () => {
  const { mira, tomas, noor } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  await createTestDiscussion(database, mira, group.id, { title: "Salsify", body: "Salsify." });
  await follow();
  const seen = async () => [
    await found(noor, "salsify"),
    await found(noor, "salsify", "discussions"),
    await found(mira, "salsify"),
  ];
  expect(await seen()).toEqual([1, 1, 1]);
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "request" }),
  );
  expect(await seen()).toEqual([0, 0, 1]);
  await follow();
  expect(await seen()).toEqual([0, 0, 1]);
  await run(db, sql`update groups set visibility = 'public' where id = ${group.id}`);
  expect(await seen()).toEqual([0, 0, 1]);
  await search.indexer.react({ type: "group.opened", groupId: group.id });
  await search.indexer.finish();
  expect(await seen()).toEqual([1, 1, 1]);
});

test("a restored group is found again with its content", async () => {
  const { mira, tomas, ada, noor } = people;
  const group = await createTestGroup(database, people, { name: "Orchard" });
  await createTestDiscussion(database, mira, group.id, { title: "Medlars", body: "Medlars." });
  await follow();
  const seen = async () => [
    await found(noor, "orchard", "groups"),
    await found(noor, "medlars", "discussions"),
    await found(noor, "medlars"),
  ];
  await within((tx) => deleteGroup(tx, tomas, { groupId: group.id, reason: "" }));
  await follow();
  expect(await seen()).toEqual([0, 0, 0]);
  // An engine that cannot query the group finds nothing either, because no document has this audience.
  const open = await many(
    db,
    sql`select id from search_documents where group_id = ${group.id} and audience = 'group'`,
  );
  expect(open).toEqual([]);
  await within((tx) => restoreGroup(tx, ada, { groupId: group.id }));
  await follow();
  expect(await seen()).toEqual([1, 1, 1]);
});

test("a group change reindexes its documents only if it affects them", async () => {
  const { mira, tomas } = people;
  const group = await createTestGroup(database, people, { name: "Beds" });
  const { id } = await createTestDiscussion(database, mira, group.id, { title: "Salsify", body: "Salsify." });
  await follow();
  const filed = async () =>
    (await one(db, sql<{ version: string }>`select version from search_documents where id = ${id}`)).version;
  const before = await filed();
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, purpose: "Beds, and what grows in them." }),
  );
  await follow();
  expect(await filed()).toBe(before);
  await within((tx) =>
    updateGroup(tx, tomas, { groupId: group.id, visibility: "private", joinPolicy: "request" }),
  );
  await follow();
  expect(await filed()).not.toBe(before);
});
