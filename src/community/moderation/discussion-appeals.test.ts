import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import {
  archiveDiscussion,
  deleteDiscussion,
  deletePost,
  getDiscussion,
  getPost,
  purgeDeletedContent,
  restoreDiscussion,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  appealRemoval,
  viewCase,
  NewRemovalAppeal,
  listOwnReports,
  getRemoval,
  listCases,
  Resolution,
  resolveCase,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const DAY = 86_400_000;

const appeal = (viewer: Viewer, postId: string) =>
  within((tx) =>
    appealRemoval(tx, viewer, NewRemovalAppeal.parse({ postId, text: "They are all in season." })),
  );
const answer = (viewer: Viewer, reportId: string, outcome: string, reason = "Beans are welcome.") =>
  within((tx) => resolveCase(tx, viewer, Resolution.parse({ caseId: reportId, outcome, reason, note: "" })));
const look = (viewer: Viewer, reportId: string) => within((tx) => viewCase(tx, viewer, reportId));
const remove = (viewer: Viewer, discussionId: string) =>
  within((tx) => deleteDiscussion(tx, viewer, { discussionId, reason: "No shops." }));
const listed = async (viewer: Viewer) =>
  (await listCases(db, viewer, { tab: "open" })).rows.map(({ id }) => id);

/**
 * Tomas owns the group, Pavel moderates it too; Noor started what Tomas has deleted, and Mira has replied
 * there.
 */
async function deleted() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const pavel = await within((tx) => createPerson(tx, "pavel"));
  await within((tx) => setMembership(tx, group.id, pavel, "moderator"));
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.noor, group.id, {
    title: "Whose beans",
    body: "Who wants *my* beans?",
  });
  const reply = await createTestReply(database, people.mira, discussion.id);
  await remove(people.tomas, discussion.id);
  return { ...people, pavel, group, discussion, reply };
}

test("only the starter of a discussion deleted by others sees the reason and can appeal, once", async () => {
  const { noor, mira, tomas, discussion, reply } = await deleted();
  expect(await getRemoval(db, noor, discussion.postId)).toMatchObject({
    what: "discussion",
    html: expect.stringContaining("<em>my</em>"),
    reason: "No shops.",
    removedAt: clock.at,
    appeal: null,
  });
  for (const [viewer, id] of [
    [mira, discussion.postId],
    [mira, reply.id],
    [tomas, discussion.postId],
  ] as const) {
    await expect(getRemoval(db, viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appeal(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
  }
  clock.pass(20 * DAY);
  await appeal(noor, discussion.postId);
  await expect(appeal(noor, discussion.postId)).rejects.toMatchObject({ reason: "conflict" });
  expect((await getRemoval(db, noor, discussion.postId)).appeal).toMatchObject({
    text: "They are all in season.",
    outcome: null,
  });
});

test("an appeal fails after twenty days or against the author's own deletion", async () => {
  const { noor, tomas, group, discussion } = await deleted();
  clock.pass(20 * DAY + 1);
  await expect(appeal(noor, discussion.postId)).rejects.toMatchObject({ reason: "not-allowed" });
  const own = await createTestDiscussion(database, tomas, group.id);
  await createTestReply(database, noor, own.id);
  await remove(tomas, own.id);
  await expect(getRemoval(db, tomas, own.postId)).rejects.toMatchObject({ reason: "not-found" });
  const standing = await createTestDiscussion(database, noor, group.id);
  await expect(getRemoval(db, noor, standing.postId)).rejects.toMatchObject({ reason: "not-found" });
});

test("another moderator decides the appeal, and the discussion is restored with all its posts", async () => {
  const people = await deleted();
  const { noor, mira, tomas, pavel, ines, discussion, reply } = people;
  await within((tx) => restoreDiscussion(tx, tomas, { discussionId: discussion.id }));
  await within((tx) => archiveDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Over." }));
  await remove(tomas, discussion.id);
  const { id } = await appeal(noor, discussion.postId);
  expect([await listed(tomas), await listed(pavel), await listed(ines)]).toEqual([[], [id], [id]]);
  await expect(look(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  expect(await look(pavel, id)).toMatchObject({
    appeal: true,
    place: { kind: "discussion", title: "Whose beans", open: false },
    removal: { by: { username: "tomas" }, reason: "No shops." },
    messages: [{ html: expect.stringContaining("<em>my</em>") }],
    canTakeDown: false,
  });
  await expect(answer(pavel, id, "restored", " ")).rejects.toMatchObject({ reason: "invalid" });
  await answer(pavel, id, "restored");
  expect((await getDiscussion(db, mira, discussion.id)).state).toBe("archived");
  expect((await getPost(db, mira, reply.id)).stub).toBeNull();
  expect((await listOwnReports(db, noor)).rows).toMatchObject([
    { appeal: true, outcome: "upheld", answer: "Beans are welcome." },
  ]);
  expect(await listEmittedEvents(database)).toContain("discussion.restored");
  expect(
    await many(
      db,
      sql`select kind, reason from discussion_entries where discussion_id = ${discussion.id} order by id desc
        limit 1`,
    ),
  ).toEqual([{ kind: "restored", reason: "Beans are welcome." }]);
  expect(
    await many(
      db,
      sql`select reason from audit_events where act = 'discussion.restored' and reason is not null`,
    ),
  ).toHaveLength(1);
  // After another deletion, the discussion can be appealed again.
  clock.pass(1_000);
  await remove(tomas, discussion.id);
  expect((await getRemoval(db, noor, discussion.postId)).appeal).toBeNull();
});

test("a sole moderator may decide an appeal and leave the discussion deleted", async () => {
  const { noor, tomas, pavel, group, discussion } = await deleted();
  await within((tx) => setMembership(tx, group.id, pavel, "member"));
  const { id } = await appeal(noor, discussion.postId);
  expect(await listed(tomas)).toEqual([id]);
  await answer(tomas, id, "rejected", "It is a shop.");
  await expect(getDiscussion(db, noor, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
  expect((await getRemoval(db, noor, discussion.postId)).appeal).toMatchObject({
    outcome: "rejected",
    answer: "It is a shop.",
  });
});

test("a deleted discussion is not purged until the appeal is decided", async () => {
  const { noor, pavel, discussion } = await deleted();
  const { id } = await appeal(noor, discussion.postId);
  const left = () => many(db, sql`select from discussions where id = ${discussion.id}`);
  clock.pass(40 * DAY);
  await within(purgeDeletedContent);
  expect(await left()).toHaveLength(1);
  await answer(pavel, id, "rejected", "It is a shop.");
  await within(purgeDeletedContent);
  expect(await left()).toEqual([]);
});

test("a granted appeal about a deleted discussion also restores its removed first post", async () => {
  const { noor, mira, tomas, pavel, group } = await deleted();
  const discussion = await createTestDiscussion(database, noor, group.id);
  await createTestReply(database, mira, discussion.id);
  await within((tx) => deletePost(tx, tomas, { postId: discussion.postId, reason: "Off topic." }));
  expect(await getRemoval(db, noor, discussion.postId)).toMatchObject({ what: "post", reason: "Off topic." });
  clock.pass(1_000);
  await remove(tomas, discussion.id);
  expect(await getRemoval(db, noor, discussion.postId)).toMatchObject({
    what: "discussion",
    reason: "No shops.",
  });
  const { id } = await appeal(noor, discussion.postId);
  await answer(pavel, id, "restored");
  expect((await getPost(db, mira, discussion.postId)).stub).toBeNull();
});
