import { describe, expect, test } from "vitest";
import { one, sql } from "#platform/database";
import { addComment, deletePost, getPost } from "#community/discussions";
import { archiveGroup } from "#community/groups";
import { addDocument, NewDocument } from "#community/resources";
import {
  createTestDiscussion,
  listEmittedEvents,
  createTestReply,
  setMembership,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { purgeReports } from "../index.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";

const database = await testDatabase();
const { report, view, resolve, listReportIds, setupReportedPost } = createReportSetup(database);
const { db, inTransaction: within } = database;

describe("resolving a report by removal", () => {
  const stateOf = async (id: string) =>
    one(
      db,
      sql<{ state: string; reason: string; count: number }>`
      select p.state, p.removed_reason as reason, d.posts_count as count from posts p
      join discussions d on d.id = p.discussion_id where p.id = ${id}`,
    );

  test("removes the post with a reason for its author and a log entry", async () => {
    const { mira, tomas, noor, post } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await expect(resolve(tomas, id, "removed")).rejects.toMatchObject({
      reason: "invalid",
      fields: { reason: expect.any(String) },
    });
    expect(await listReportIds(tomas)).toEqual([id]);
    const before = await stateOf(post.id);
    await resolve(tomas, id, "removed", "No shops.");
    expect(await stateOf(post.id)).toEqual({
      state: "removed",
      reason: "No shops.",
      count: before.count - 1,
    });
    expect((await getPost(db, noor, post.id)).why).toBe("No shops.");
    expect(await view(tomas, id)).toMatchObject({
      outcome: "upheld",
      note: "Spoken to.",
      place: { gone: true },
      canTakeDown: false,
    });
    expect(await listEmittedEvents(database)).toContain("post.removed");
    expect(
      await one(db, sql`select actor_id as by, reason from audit_events where act = 'post.removed'`),
    ).toEqual({
      by: tomas.id,
      reason: "No shops.",
    });
  });

  test("can be done by staff who cannot read the group, and deletes a discussion with its only post", async () => {
    const { mira, noor, ines, group } = await setupReportedPost("secret");
    const alone = await createTestDiscussion(database, noor, group.id, { title: "Beans for sale" });
    const { id } = await report(mira, alone.postId);
    await resolve(ines, id, "removed", "No shops.");
    expect(await stateOf(alone.postId)).toMatchObject({ state: "removed" });
    expect(await one(db, sql`select state from discussions where id = ${alone.id}`)).toEqual({
      state: "deleted",
    });
  });

  test("fails for deleted posts and in archived groups, but the report can still be upheld", async () => {
    const { mira, tomas, ines, noor, group, discussion, post } = await setupReportedPost();
    const ofDeletedPost = await report(mira, post.id);
    await within((tx) => deletePost(tx, noor, { postId: post.id }));
    await expect(resolve(ines, ofDeletedPost.id, "removed", "No shops.")).rejects.toMatchObject({
      reason: "invalid",
    });
    await resolve(ines, ofDeletedPost.id, "upheld");
    const other = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const { id } = await report(mira, other.id);
    await within((tx) => archiveGroup(tx, tomas, { groupId: group.id, reason: "" }));
    expect(await view(tomas, id)).toMatchObject({ canTakeDown: false });
    await expect(resolve(tomas, id, "removed", "No shops.")).rejects.toMatchObject({ reason: "not-allowed" });
    await resolve(tomas, id, "upheld");
    expect(await stateOf(other.id)).toMatchObject({ state: "published" });
  });

  test("leaves a stub of a comment under its resource", async () => {
    const { mira, tomas, ines } = await setupReportedPost();
    const { id: resourceId } = await within((tx) =>
      addDocument(tx, tomas, NewDocument.parse({ title: "Watering", body: "Twice a week." })),
    );
    const { id: commentId } = await within((tx) =>
      addComment(tx, tomas, { resourceId, body: "Buy my beans." }),
    );
    const { id } = await report(mira, commentId);
    expect(await view(ines, id)).toMatchObject({
      place: { kind: "resource", id: resourceId, number: 1, open: true },
      group: null,
    });
    await resolve(ines, id, "removed", "No shops.");
    expect(await getPost(db, mira, commentId)).toMatchObject({ stub: "removed" });
    expect(await one(db, sql`select comments_count as n from resources where id = ${resourceId}`)).toEqual({
      n: 0,
    });
  });
});

describe("resolved report", () => {
  const days = (n: number) => (database.clock.at = new Date(database.clock.at.getTime() + n * 86_400_000));

  test("loses its texts after one year and is deleted after two years", async () => {
    const { mira, tomas, noor, discussion, post } = await setupReportedPost();
    const waiting = await createTestReply(database, noor, discussion.id, { body: "More beans." });
    const [ended, open] = [await report(mira, post.id), await report(mira, waiting.id)];
    await resolve(tomas, ended.id, "rejected");
    days(364);
    expect(await within(purgeReports)).toBe(0);
    days(2);
    expect(await within(purgeReports)).toBe(1);
    expect(await within(purgeReports)).toBe(0);
    expect((await view(tomas, ended.id)).messages).toMatchObject([
      { html: "", author: { username: "noor" } },
    ]);
    expect((await view(tomas, open.id)).messages).toMatchObject([
      { html: expect.stringContaining("More beans.") },
    ]);
    days(365);
    expect(await within(purgeReports)).toBe(1);
    await expect(view(tomas, ended.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listReportIds(tomas)).toEqual([open.id]);
  });

  test("stays hidden from its subject, even if that person becomes a moderator", async () => {
    const { mira, tomas, noor, group, post } = await setupReportedPost();
    const { id } = await report(mira, post.id);
    await resolve(tomas, id, "rejected");
    days(366);
    await within(purgeReports);
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(view(noor, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listReportIds(noor, "resolved")).toEqual([]);
  });
});
