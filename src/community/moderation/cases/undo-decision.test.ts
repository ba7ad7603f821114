import { describe, expect, test } from "vitest";
import { HOUR } from "#platform/clock";
import { many, one, sql } from "#platform/database";
import { addDocument, NewDocument } from "#community/resources";
import type { Viewer } from "#community/rules";
import {
  appealRemoval,
  claimCase,
  getTransparencyReport,
  iterateDecisions,
  listCases,
  markDuplicate,
  removeSpam,
  reportResource,
  undoDecision,
  undoDecisions,
} from "../index.ts";
import {
  createTestDiscussion,
  createTestReply,
  listEmittedEvents,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";

const database = await testDatabase();
const { report, view, resolve, setupReportedPost } = createReportSetup(database);
const { db, inTransaction: within, clock } = database;

const undo = (who: Viewer, caseId: string) =>
  within((tx) => undoDecision(tx, who, { caseId, reason: "The removal was a mistake." }));
const stateOf = async (table: "posts" | "resources", id: string) =>
  (await one(db, sql<{ state: string }>`select state from ${sql.table(table)} where id = ${id}`)).state;
const NO_LONGER = { reason: "conflict" };

async function setupRemovedPost() {
  const setup = await setupReportedPost();
  const { id: caseId } = await report(setup.mira, setup.post.id);
  await resolve(setup.tomas, caseId, "removed", "Spam");
  return { ...setup, caseId };
}

describe("undoing a removal", () => {
  test("restores the post and opens the case again, which can be decided anew", async () => {
    const { tomas, post, caseId } = await setupRemovedPost();
    expect(await view(tomas, caseId)).toMatchObject({ canUndo: true });
    await undo(tomas, caseId);
    expect(await stateOf("posts", post.id)).toBe("published");
    expect(await view(tomas, caseId)).toMatchObject({ state: "open", action: null, resolved: false });
    expect((await view(tomas, caseId)).timeline.map(({ act }) => act)).toEqual([
      "reported",
      "report.upheld",
      "case.decision_undone",
    ]);
    expect(await listEmittedEvents(database)).toContain("report.reopened");
    await resolve(tomas, caseId, "rejected");
    expect(await view(tomas, caseId)).toMatchObject({ state: "rejected" });
  });

  test("leaves the case assigned", async () => {
    const { tomas, mira, post } = await setupReportedPost();
    const { id: caseId } = await report(mira, post.id);
    await within((tx) => claimCase(tx, tomas, { caseId }));
    await resolve(tomas, caseId, "removed", "Spam");
    await undo(tomas, caseId);
    expect(await view(tomas, caseId)).toMatchObject({ state: "in_progress", assignee: { id: tomas.id } });
  });

  test("restores posts of duplicates", async () => {
    const { tomas, mira, noor, discussion, post } = await setupReportedPost();
    const { id: caseId } = await report(mira, post.id);
    const other = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const second = await report(mira, other.id);
    await within((tx) => markDuplicate(tx, tomas, { caseId: second.id, originalId: caseId }));
    await resolve(tomas, caseId, "removed", "Spam");
    await undo(tomas, caseId);
    expect([await stateOf("posts", post.id), await stateOf("posts", other.id)]).toEqual([
      "published",
      "published",
    ]);
  });

  test("restores a discussion that was deleted with its only post", async () => {
    const { tomas, noor, mira, group } = await setupReportedPost();
    const { id } = await createTestDiscussion(database, mira, group.id);
    const post = await one(db, sql<{ id: string }>`select id from posts where discussion_id = ${id}`);
    const { id: caseId } = await report(noor, post.id);
    await resolve(tomas, caseId, "removed", "Spam");
    const stateNow = () => one(db, sql`select state from discussions where id = ${id}`);
    expect(await stateNow()).toEqual({ state: "deleted" });
    await undo(tomas, caseId);
    expect(await stateNow()).toEqual({ state: "open" });
  });

  test("restores a resource", async () => {
    const { ada, mira, noor } = await setupReportedPost();
    const wish = NewDocument.parse({ title: "Beans", description: "", body: "Cheap ones." });
    const resource = await within((tx) => addDocument(tx, noor, wish));
    const { id: caseId } = await within((tx) =>
      reportResource(tx, mira, { resourceId: resource.id, reason: "It sells beans." }),
    );
    await resolve(ada, caseId, "removed", "Spam");
    expect(await stateOf("resources", resource.id)).toBe("removed");
    await undo(ada, caseId);
    expect(await stateOf("resources", resource.id)).toBe("published");
  });

  test("is refused to other moderators, after an hour, after an appeal, and for other decisions", async () => {
    const { ada, tomas, mira, noor, discussion, post, caseId } = await setupRemovedPost();
    await expect(undo(ada, caseId)).rejects.toMatchObject(NO_LONGER);
    await expect(undo(mira, caseId)).rejects.toMatchObject({ reason: "not-found" });
    const dismissed = await report(mira, (await createTestReply(database, noor, discussion.id)).id);
    await resolve(tomas, dismissed.id, "rejected");
    await expect(undo(tomas, dismissed.id)).rejects.toMatchObject(NO_LONGER);
    clock.pass(HOUR);
    await expect(undo(tomas, caseId)).rejects.toMatchObject(NO_LONGER);
    clock.pass(-HOUR / 2);
    await within((tx) => appealRemoval(tx, noor, { postId: post.id, text: "They are gifts." }));
    await expect(undo(tomas, caseId)).rejects.toMatchObject(NO_LONGER);
    expect(await stateOf("posts", post.id)).toBe("removed");
  });

  test("leaves a post removed that someone else removed later", async () => {
    const { ada, tomas, post, caseId } = await setupRemovedPost();
    await within((tx) =>
      many(tx, sql`update posts set removed_by = ${ada.id} where id = ${post.id} returning id`),
    );
    await undo(tomas, caseId);
    expect(await stateOf("posts", post.id)).toBe("removed");
  });

  test("takes the removal out of the decisions and counts that are published", async () => {
    const { ada, tomas, caseId } = await setupRemovedPost();
    await undo(tomas, caseId);
    const decisions = [];
    for await (const decision of iterateDecisions(db, ada)) decisions.push(decision);
    expect(decisions).toEqual([]);
    expect((await getTransparencyReport(db, clock.at))[0]).toMatchObject({ removed: 0 });
  });
});

test("undoing the removal of spam leaves cases as they are that others decided", async () => {
  const { ada, tomas, mira, noor, discussion, post } = await setupReportedPost();
  const { id: caseId } = await report(mira, post.id);
  const second = await report(mira, (await createTestReply(database, noor, discussion.id)).id);
  await resolve(ada, second.id, "removed", "Spam");
  await removeSpam(database, tomas, { caseIds: [caseId], reason: "Spam" });
  await undoDecisions(database, tomas, { caseIds: [caseId, second.id], reason: "A mistake." });
  expect((await listCases(db, tomas, { tab: "open" })).rows.map((row) => row.caseId)).toEqual([caseId]);
});
