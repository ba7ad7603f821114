import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  addComment,
  deletePost,
  getDiscussion,
  editPost,
  getPost,
  purgeDeletedContent,
  restorePost,
} from "#community/discussions";
import { addDocument, NewDocument } from "#community/resources";
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
  NewPostReport,
  NewRemovalAppeal,
  listOwnReports,
  getRemoval,
  reportPost,
  listCases,
  Resolution,
  resolveCase,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;
const DAY = 86_400_000;

const appeal = (viewer: Viewer, postId: string) =>
  within((tx) => appealRemoval(tx, viewer, NewRemovalAppeal.parse({ postId, text: "I give them away." })));
const answer = (viewer: Viewer, reportId: string, outcome: string, reason = "Beans are welcome.") =>
  within((tx) => resolveCase(tx, viewer, Resolution.parse({ caseId: reportId, outcome, reason, note: "" })));
const look = (viewer: Viewer, reportId: string) => within((tx) => viewCase(tx, viewer, reportId));
const remove = (viewer: Viewer, postId: string) =>
  within((tx) => deletePost(tx, viewer, { postId, reason: "No shops." }));
const listed = async (viewer: Viewer) =>
  (await listCases(db, viewer, { tab: "open" })).rows.map(({ id }) => id);
const stub = async (viewer: Viewer, postId: string) => (await getPost(db, viewer, postId)).stub;

/**
 * Tomas owns the group, Pavel moderates it too; Noor wrote the post that Tomas has removed, and Mira is a
 * member.
 */
async function removed(visibility: "public" | "private" = "private") {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility });
  const pavel = await within((tx) => createPerson(tx, "pavel"));
  await within((tx) => setMembership(tx, group.id, pavel, "moderator"));
  await within((tx) => setMembership(tx, group.id, people.noor, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const post = await createTestReply(database, people.noor, discussion.id, { body: "Who wants *my* beans?" });
  await remove(people.tomas, post.id);
  return { ...people, pavel, group, discussion, post };
}

describe("author of a removed post", () => {
  test("sees its text and the reason, and can appeal once", async () => {
    const { noor, mira, guest, post } = await removed();
    expect(await getRemoval(db, noor, post.id)).toMatchObject({
      html: expect.stringContaining("<em>my</em>"),
      reason: "No shops.",
      appeal: null,
    });
    await expect(getRemoval(db, mira, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appeal(mira, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(appeal(guest, post.id)).rejects.toMatchObject({ reason: "not-signed-in" });
    clock.pass(20 * DAY);
    await appeal(noor, post.id);
    await expect(appeal(noor, post.id)).rejects.toMatchObject({ reason: "conflict" });
    expect((await getRemoval(db, noor, post.id)).appeal).toEqual({
      text: "I give them away.",
      askedAt: clock.at,
      outcome: null,
      answer: "",
      answeredAt: null,
    });
    expect(await listEmittedEvents(database)).toContain("report.created");
    expect(NewRemovalAppeal.safeParse({ postId: post.id, text: " " }).success).toBe(false);
  });

  test("can appeal only once even with concurrent requests, and not after twenty days", async () => {
    const { noor, post, discussion, tomas } = await removed();
    const sent = await Promise.allSettled([appeal(noor, post.id), appeal(noor, post.id)]);
    expect(sent.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(sent.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { reason: "conflict" },
    });
    const late = await createTestReply(database, noor, discussion.id);
    await remove(tomas, late.id);
    clock.pass(20 * DAY + 1);
    await expect(appeal(noor, late.id)).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("cannot appeal against their own deletion or about a visible post", async () => {
    const { noor, mira, discussion } = await removed();
    const own = await createTestReply(database, noor, discussion.id);
    await within((tx) => deletePost(tx, noor, { postId: own.id }));
    for (const id of [own.id, discussion.postId]) {
      await expect(appeal(noor, id)).rejects.toMatchObject({ reason: "not-found" });
      await expect(getRemoval(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
    }
  });
});

describe("removal appeal", () => {
  test("can be decided by another moderator, who sees the reason", async () => {
    const { noor, mira, tomas, pavel, ines, post } = await removed();
    const { id } = await appeal(noor, post.id);
    for (const viewer of [tomas, noor, mira])
      await expect(look(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    expect([await listed(tomas), await listed(pavel), await listed(ines)]).toEqual([[], [id], [id]]);
    expect(await look(pavel, id)).toMatchObject({
      appeal: true,
      reason: "I give them away.",
      reporter: { username: "noor" },
      removal: { by: { username: "tomas" }, reason: "No shops." },
      messages: [{ html: expect.stringContaining("<em>my</em>") }],
      canTakeDown: false,
    });
  });

  test("may be decided by the sole moderator", async () => {
    const { noor, tomas, pavel, group, post } = await removed();
    await within((tx) => setMembership(tx, group.id, pavel, "member"));
    const { id } = await appeal(noor, post.id);
    expect(await listed(tomas)).toEqual([id]);
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    // The author of the appeal is not counted as a moderator.
    expect(await listed(tomas)).toEqual([id]);
    await run(db, sql`update memberships set role = 'moderator' where person_id = ${pavel.id}`);
    await run(db, sql`update people set state = 'suspended' where id = ${pavel.id}`);
    expect(await listed(tomas)).toEqual([id]);
  });

  test("restores the post if granted, with a reason for its author", async () => {
    const { noor, mira, pavel, post } = await removed();
    const { id } = await appeal(noor, post.id);
    await expect(answer(pavel, id, "restored", " ")).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    for (const outcome of ["upheld", "removed"])
      await expect(answer(pavel, id, outcome)).rejects.toMatchObject({
        reason: "invalid",
        fields: { outcome: expect.any(String) },
      });
    await answer(pavel, id, "restored");
    expect(await stub(mira, post.id)).toBeNull();
    expect((await listOwnReports(db, noor)).rows).toMatchObject([
      { appeal: true, outcome: "upheld", answer: "Beans are welcome." },
    ]);
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["post.restored", "report.resolved"]),
    );
    await expect(getRemoval(db, noor, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(answer(pavel, id, "rejected")).rejects.toMatchObject({ reason: "conflict" });
    expect(await one(db, sql`select reason from audit_events where act = 'post.restored'`)).toEqual({
      reason: "Beans are welcome.",
    });
  });

  test("leaves the post removed if rejected, and a later removal can be appealed again", async () => {
    const { noor, mira, tomas, pavel, post } = await removed();
    const { id } = await appeal(noor, post.id);
    await answer(pavel, id, "rejected", "It was a shop.");
    expect(await stub(mira, post.id)).toBe("removed");
    expect((await getRemoval(db, noor, post.id)).appeal).toMatchObject({
      outcome: "rejected",
      answer: "It was a shop.",
      answeredAt: clock.at,
    });
    await expect(appeal(noor, post.id)).rejects.toMatchObject({ reason: "conflict" });
    clock.pass(1000);
    await within((tx) => restorePost(tx, tomas, { postId: post.id, reason: "Well." }));
    await within((tx) => editPost(tx, noor, { postId: post.id, body: "Beans!", version: 1 }));
    await remove(tomas, post.id);
    await appeal(noor, post.id);
    expect(await listed(pavel)).toHaveLength(1);
  });

  test("restores a discussion that was removed with its only post", async () => {
    const { noor, mira, tomas, ines, group } = await removed();
    const alone = await createTestDiscussion(database, noor, group.id, { title: "Beans" });
    await remove(tomas, alone.postId);
    await expect(getDiscussion(db, mira, alone.id)).rejects.toMatchObject({ reason: "not-found" });
    const { id } = await appeal(noor, alone.postId);
    await answer(ines, id, "restored");
    expect((await getDiscussion(db, mira, alone.id)).state).toBe("open");
    expect(await stub(mira, alone.postId)).toBeNull();
  });

  test("about a comment in the site library is decided by another staff member", async () => {
    const { noor, mira, tomas, ines, ada } = await removed();
    const { id: resourceId } = await within((tx) =>
      addDocument(tx, tomas, NewDocument.parse({ title: "Watering", body: "Twice." })),
    );
    const { id } = await within((tx) => addComment(tx, noor, { resourceId, body: "Beans!" }));
    await remove(ines, id);
    const appealed = await appeal(noor, id);
    expect([await listed(ines), await listed(ada)]).toEqual([[], [appealed.id]]);
    await answer(ada, appealed.id, "restored");
    expect(await stub(mira, id)).toBeNull();
    expect(await one(db, sql`select comments_count as n from resources where id = ${resourceId}`)).toEqual({
      n: 1,
    });
  });

  test("stays separate from reports of the post, and hides nothing", async () => {
    const { noor, mira, pavel, ines, group, discussion, tomas } = await removed();
    await within((tx) => setMembership(tx, group.id, ines, "member"));
    const post = await createTestReply(database, noor, discussion.id, { body: "Beans again." });
    const report = await within((tx) =>
      reportPost(tx, mira, NewPostReport.parse({ postId: post.id, reason: "A shop." })),
    );
    await remove(tomas, post.id);
    const asked = await appeal(noor, post.id);
    expect((await listed(pavel)).toSorted()).toEqual([report.id, asked.id].toSorted());
    await answer(pavel, asked.id, "restored");
    expect(await listed(pavel)).toEqual([report.id]);
    expect(await stub(mira, post.id)).toBeNull();
  });

  test("prevents the purge of the removed text until decided", async () => {
    const { noor, mira, tomas, pavel, group, post } = await removed();
    const alone = await createTestDiscussion(database, noor, group.id, { title: "Beans" });
    await remove(tomas, alone.postId);
    const both = [await appeal(noor, post.id), await appeal(noor, alone.postId)];
    clock.pass(40 * DAY);
    await within(purgeDeletedContent);
    for (const { id } of both) await answer(pavel, id, "restored");
    for (const id of [post.id, alone.postId])
      expect((await getPost(db, mira, id)).html).toMatch(/beans|soil/);
  });
});
