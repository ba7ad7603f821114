import { expect, test } from "vitest";
import {
  addComment,
  deleteDiscussion,
  deletePost,
  editPost,
  PostEdit,
  restoreDiscussion,
  restorePost,
} from "#community/discussions";
import { blockPerson, mutePerson } from "#community/friends";
import { leaveGroup } from "#community/groups";
import {
  addDocument,
  editResource,
  moveResource,
  NewDocument,
  ResourceChange,
  ResourceMove,
  restoreVersion,
  VersionRestore,
} from "#community/resources";
import type { SignedIn } from "#community/rules";
import { createTestGroup, createTestReply } from "../../../../test/support/test-users.ts";
import { listNotifications } from "../index.ts";
import { dispatchEvents, redispatchEvents } from "../../../../test/support/notifications/deliveries.ts";
import {
  database,
  createTestTalk,
  within,
} from "../../../../test/support/notifications/notification-setup.ts";

const lines = async (viewer: SignedIn, ...kinds: string[]) => {
  await dispatchEvents(database);
  await redispatchEvents(database);
  return (await listNotifications(database.db, viewer, { tab: "all" })).rows.filter(({ kind }) =>
    kinds.includes(kind),
  );
};
const edit = (viewer: SignedIn, postId: string, body: string, reason?: string) =>
  within((tx) => editPost(tx, viewer, PostEdit.parse({ postId, body, version: 1, reason })));

test("an edit notifies the author with editor and reason, unless the author made it", async () => {
  const { mira, tomas, noor, discussion, group } = await createTestTalk("private");
  const post = await createTestReply(database, noor, discussion.id);
  await edit(tomas, post.id, "Sow them in May.", "May, not March.");
  expect(await lines(noor, "changed")).toMatchObject([
    {
      reason: "your_post",
      detail: "edited",
      words: "May, not March.",
      actors: [{ username: "tomas" }],
      count: 1,
      number: 2,
      object: { kind: "discussion", id: discussion.id, title: "When to sow beans" },
      unread: true,
    },
  ]);
  for (const viewer of [mira, tomas]) expect(await lines(viewer, "changed")).toEqual([]);
  await edit(mira, discussion.postId, "When do you sow yours?");
  expect(await lines(mira, "changed")).toEqual([]);
  await within((tx) => leaveGroup(tx, noor, { groupId: group.id }));
  expect(await lines(noor, "changed")).toEqual([]);
});

test("an edit notifies the author even across mutes and blocks", async () => {
  const { tomas, noor, discussion } = await createTestTalk();
  const posts = [
    await createTestReply(database, noor, discussion.id),
    await createTestReply(database, noor, discussion.id),
  ];
  await within((tx) => mutePerson(tx, noor, { personId: tomas.id, until: null }));
  await edit(tomas, posts[0]!.id, "Sow them in May.", "May.");
  await within((tx) => blockPerson(tx, noor, { personId: tomas.id }));
  await edit(tomas, posts[1]!.id, "Sow them in June.", "June.");
  expect(await lines(noor, "changed")).toMatchObject([{ words: "June.", actors: [], count: 2 }]);
});

test("an edited comment leads to a notification with the title of its resource", async () => {
  const { mira, tomas, group } = await createTestTalk();
  const { id: resourceId } = await within((tx) =>
    addDocument(tx, tomas, NewDocument.parse({ title: "Watering", body: "Twice.", groupId: group.id })),
  );
  const { id } = await within((tx) => addComment(tx, mira, { resourceId, body: "Once is enough." }));
  await edit(tomas, id, "Twice.", "Beans die of that.");
  expect(await lines(mira, "changed")).toMatchObject([
    {
      detail: "edited",
      words: "Beans die of that.",
      number: 1,
      object: { id: resourceId, title: "Watering" },
    },
  ]);
});

test("a restored post notifies its author with the reason and no name", async () => {
  const { mira, tomas, noor, discussion } = await createTestTalk();
  const post = await createTestReply(database, noor, discussion.id);
  await within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "Off topic." }));
  await within((tx) => restorePost(tx, tomas, { postId: post.id, reason: "It was on topic." }));
  const back = { detail: "restored", words: "It was on topic.", actors: [], number: 2, count: 1 };
  expect(await lines(noor, "changed", "post_removed")).toMatchObject([back]);
  await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Over." }));
  await within((tx) => restoreDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Not yet." }));
  expect(await lines(mira, "changed", "post_removed")).toMatchObject([
    { detail: "discussion-restored", words: "Not yet.", actors: [], count: 1 },
  ]);
});

test("restoring a discussion with its only post notifies its author once", async () => {
  const { mira, tomas, discussion } = await createTestTalk();
  for (const restore of [
    () =>
      within((tx) =>
        restoreDiscussion(tx, tomas, { discussionId: discussion.id, reason: "It was on topic." }),
      ),
    () => within((tx) => restorePost(tx, tomas, { postId: discussion.postId, reason: "It was on topic." })),
  ]) {
    await within((tx) => deletePost(tx, tomas, { postId: discussion.postId, reason: "Off topic." }));
    await dispatchEvents(database);
    await restore();
    expect(await lines(mira, "changed", "post_removed")).toMatchObject([
      { words: "It was on topic.", count: 1 },
    ]);
    database.clock.pass(1_000);
  }
});

/** A document of Noor's in a group that Tomas moderates, with its current fields. */
async function aDocument() {
  const all = await createTestTalk("private");
  const wish = NewDocument.parse({ title: "Watering", body: "Twice.", groupId: all.group.id });
  const { id } = await within((tx) => addDocument(tx, all.noor, wish));
  const change = (viewer: SignedIn, changes: number, it: object) =>
    within((tx) => editResource(tx, viewer, ResourceChange.parse({ resourceId: id, changes, ...it })));
  return { ...all, id, change };
}

test("an edited resource notifies its owner once with the editor and the reason", async () => {
  const { mira, tomas, noor, id, change } = await aDocument();
  await change(tomas, 0, { title: "How to water", reason: "It says more." });
  expect(await lines(noor, "changed", "version")).toMatchObject([
    {
      reason: "you_keep",
      detail: "edited",
      words: "It says more.",
      actors: [{ username: "tomas" }],
      count: 1,
      object: { kind: "resource", id, title: "How to water" },
    },
  ]);
  // A new version carries the reason and is notified once.
  await change(tomas, 1, { body: "Three times.", reason: "It is hot." });
  expect(await lines(noor, "version")).toEqual([]);
  await within((tx) =>
    restoreVersion(
      tx,
      tomas,
      VersionRestore.parse({ resourceId: id, version: 1, changes: 2, reason: "It rained." }),
    ),
  );
  expect(await lines(noor, "changed", "version")).toMatchObject([
    { kind: "changed", words: "It rained.", count: 3 },
  ]);
  for (const viewer of [mira, tomas]) expect(await lines(viewer, "changed", "version")).toEqual([]);
});

test("an owner's edit notifies no one; a member's edit notifies the owner", async () => {
  const { mira, noor, change } = await aDocument();
  await change(noor, 0, { body: "Three times.", editsBy: "members" });
  expect(await lines(noor, "changed", "version")).toEqual([]);
  await change(mira, 1, { body: "Four times." });
  expect(await lines(noor, "changed", "version")).toMatchObject([
    { kind: "version", actors: [{ username: "mira" }] },
  ]);
});

test("a moved resource notifies its owner with the reason even without access to its new group", async () => {
  const { tomas, noor, ...people } = await aDocument();
  const other = await createTestGroup(database, { ...people, tomas }, { visibility: "private" });
  const move = ResourceMove.parse({
    resourceId: people.id,
    groupId: other.id,
    visibility: "private",
    reason: "It belongs there.",
  });
  await within((tx) => moveResource(tx, tomas, move));
  expect(await lines(noor, "changed")).toMatchObject([
    {
      reason: "you_keep",
      detail: "moved",
      words: "It belongs there.",
      actors: [{ username: "tomas" }],
      object: { title: "Watering" },
    },
  ]);
  expect(await lines(tomas, "changed")).toEqual([]);
});
