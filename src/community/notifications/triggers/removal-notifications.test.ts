import { expect, test } from "vitest";
import {
  addComment,
  deleteDiscussion,
  deletePost,
  hidePost,
  restoreDiscussion,
  restorePost,
  unhidePost,
} from "#community/discussions";
import { leaveGroup } from "#community/groups";
import {
  addDocument,
  hideResource,
  NewDocument,
  removeResource,
  restoreResource,
  unhideReviewedResource,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import { createPerson, createTestDiscussion, createTestReply } from "../../../../test/support/test-users.ts";
import { listNotifications } from "../index.ts";
import { dispatchEvents, redispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  createTestTalk,
  listDeliveries,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

const lines = async (viewer: SignedIn) => (await listNotifications(database.db, viewer, { tab: "all" })).rows;
const take = (viewer: SignedIn, postId: string) =>
  within((tx) => deletePost(tx, viewer, { postId, reason: "Off topic." }));

test("a removed post notifies its author once with the reason, until it is restored", async () => {
  const { mira, tomas, noor, discussion } = await createTestTalk();
  const post = await createTestReply(database, noor, discussion.id);
  await dispatchEvents(database);
  await take(tomas, post.id);
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect(await lines(noor)).toMatchObject([
    {
      kind: "post_removed",
      reason: "your_post",
      words: "Off topic.",
      actors: [],
      number: 2,
      count: 1,
      object: { kind: "discussion", id: discussion.id, title: "When to sow beans" },
      unread: true,
    },
  ]);
  expect(await listDeliveries(mira)).not.toContainEqual(expect.stringContaining("post_removed"));
  await within((tx) => restorePost(tx, tomas, { postId: post.id, reason: "It was on topic." }));
  await dispatchEvents(database);
  expect(await listDeliveries(noor)).toEqual(
    expect.arrayContaining(["post_removed your_post withdrawn", "changed your_post"]),
  );
  await take(tomas, post.id);
  await dispatchEvents(database);
  expect((await listDeliveries(noor)).filter((it) => !it.endsWith("withdrawn"))).toEqual([
    "post_removed your_post",
  ]);
});

test("a post hidden after reports notifies its author until it is visible again", async () => {
  const { mira, tomas, noor, discussion } = await createTestTalk();
  const post = await createTestReply(database, noor, discussion.id);
  await dispatchEvents(database);
  await within((tx) => hidePost(tx, post.id));
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect(await lines(noor)).toMatchObject([
    { kind: "post_removed", detail: "hidden", words: "", actors: [], number: 2, count: 1, unread: true },
  ]);
  // Notifications of the others are gone, because the discussion is no longer visible.
  expect((await lines(mira)).map(({ kind }) => kind)).toEqual([]);
  await within((tx) => unhidePost(tx, tomas, { postId: post.id }));
  await dispatchEvents(database);
  expect(await lines(noor)).toEqual([]);
});

test("the notification about a discussion removed with its only post has a title, but no link", async () => {
  const { mira, tomas, group, discussion } = await createTestTalk("private");
  await take(tomas, discussion.postId);
  await dispatchEvents(database);
  expect(await lines(mira)).toMatchObject([
    {
      kind: "post_removed",
      object: { title: "When to sow beans" },
      number: null,
      group: { slug: group.slug },
    },
  ]);
});

test("a discussion deleted by others notifies its starter with the reason, until it is restored", async () => {
  const { mira, tomas, noor, group, discussion } = await createTestTalk("private");
  await createTestReply(database, noor, discussion.id);
  await dispatchEvents(database);
  const ofDeletion = async (viewer: SignedIn) =>
    (await lines(viewer)).filter(({ kind }) => kind === "post_removed");
  await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Off topic." }));
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect(await ofDeletion(mira)).toMatchObject([
    {
      reason: "your_post",
      detail: "discussion",
      words: "Off topic.",
      actors: [],
      number: null,
      takenId: discussion.postId,
      count: 1,
      object: { kind: "discussion", id: discussion.id, title: "When to sow beans" },
      group: { slug: group.slug },
    },
  ]);
  // People who replied there are not notified individually.
  for (const viewer of [noor, tomas]) expect(await ofDeletion(viewer)).toEqual([]);
  await within((tx) => restoreDiscussion(tx, tomas, { discussionId: discussion.id }));
  await dispatchEvents(database);
  expect(await ofDeletion(mira)).toEqual([]);
  const own = await createTestDiscussion(database, tomas, group.id);
  await within((tx) => deleteDiscussion(tx, tomas, { discussionId: own.id, reason: "Over." }));
  await dispatchEvents(database);
  expect(await ofDeletion(tomas)).toEqual([]);
});

test("removals notify no one if made by the author or in groups the author has left", async () => {
  const { mira, tomas, noor, group, discussion } = await createTestTalk("private");
  const [own, left] = [
    await createTestReply(database, tomas, discussion.id),
    await createTestReply(database, noor, discussion.id),
  ];
  await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
  for (const { id } of [own, left]) await take(tomas, id);
  await dispatchEvents(database);
  for (const viewer of [mira, tomas, noor])
    expect(await listDeliveries(viewer)).not.toContainEqual(expect.stringContaining("post_removed"));
});

test("a removed comment leads to a notification with the title of its resource", async () => {
  const { mira, tomas, group } = await createTestTalk();
  const resource = await within((tx) =>
    addDocument(
      tx,
      tomas,
      NewDocument.parse({ title: "Watering", body: "Twice a week.", groupId: group.id }),
    ),
  );
  const { id } = await within((tx) =>
    addComment(tx, mira, { resourceId: resource.id, body: "Buy my beans." }),
  );
  await take(tomas, id);
  await dispatchEvents(database);
  expect(await lines(mira)).toContainEqual(
    expect.objectContaining({
      kind: "post_removed",
      words: "Off topic.",
      number: 1,
      object: expect.objectContaining({ id: resource.id, title: "Watering" }),
    }),
  );
});

test("a resource removed by others notifies its owner with the reason, until it is restored", async () => {
  const { mira, tomas, noor, group } = await createTestTalk();
  const wish = NewDocument.parse({ title: "How to sow", body: "In rows.", groupId: group.id });
  const { id: resourceId } = await within((tx) => addDocument(tx, noor, wish));
  await dispatchEvents(database);
  const ofRemoval = async (viewer: SignedIn) =>
    (await lines(viewer)).filter(({ kind }) => kind === "post_removed");
  await within((tx) => removeResource(tx, tomas, { resourceId, reason: "Off topic." }));
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect(await ofRemoval(noor)).toMatchObject([
    {
      reason: "you_keep",
      detail: "resource",
      words: "Off topic.",
      actors: [],
      object: { kind: "resource", id: resourceId, title: "How to sow" },
    },
  ]);
  for (const viewer of [mira, tomas]) expect(await ofRemoval(viewer)).toEqual([]);
  await within((tx) => restoreResource(tx, tomas, { resourceId }));
  await dispatchEvents(database);
  expect(await ofRemoval(noor)).toEqual([]);
  // One's own removal needs no notification.
  await within((tx) => removeResource(tx, noor, { resourceId, reason: "" }));
  await dispatchEvents(database);
  expect(await ofRemoval(noor)).toEqual([]);
});

test("a resource hidden after reports notifies its owner until it is visible again", async () => {
  const { mira, tomas, noor } = await createTestTalk();
  const { id } = await within((tx) =>
    addDocument(tx, noor, NewDocument.parse({ title: "Beans", body: "For sale." })),
  );
  await within((tx) => addComment(tx, mira, { resourceId: id, body: "@tomas Look." }));
  await dispatchEvents(database);
  expect((await lines(tomas)).map(({ kind }) => kind)).toContain("mention");
  await within((tx) => hideResource(tx, id));
  await dispatchEvents(database);
  await redispatchEvents(database);
  expect(await lines(noor)).toContainEqual(
    expect.objectContaining({
      kind: "post_removed",
      detail: "hidden resource",
      actors: [],
      object: { kind: "resource", id, title: "Beans", language: null },
    }),
  );
  // Notifications of the others are gone, because they no longer see the resource.
  expect((await lines(tomas)).map(({ kind }) => kind)).not.toContain("mention");
  const { ines } = await within(async (tx) => ({ ines: await createPerson(tx, "ina", "moderator") }));
  await within((tx) => unhideReviewedResource(tx, ines, id));
  await dispatchEvents(database);
  expect((await lines(noor)).map(({ detail }) => detail)).not.toContain("hidden resource");
});

test("a hidden resource that is removed notifies its owner of the removal", async () => {
  const { noor } = await createTestTalk();
  const { id } = await within((tx) =>
    addDocument(tx, noor, NewDocument.parse({ title: "Beans", body: "For sale." })),
  );
  const ina = await within((tx) => createPerson(tx, "ina", "moderator"));
  await within((tx) => hideResource(tx, id));
  await dispatchEvents(database);
  await within((tx) => removeResource(tx, ina, { resourceId: id, reason: "No shops." }));
  await dispatchEvents(database);
  expect(await lines(noor)).toMatchObject([{ kind: "post_removed", detail: "resource", words: "No shops." }]);
});
