import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { MINUTE } from "#platform/clock";
import { blockPerson } from "#community/friends";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  deleteDiscussion,
  deletePost,
  getDiscussion,
  editPost,
  getPostHistory,
  getPostsPage,
  getPostSource,
} from "../index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** A discussion of Mira's with a reply by Tomas, who owns the group. */
async function setting() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people);
  const discussion = await createTestDiscussion(database, people.mira, group.id, { body: "Sow in May." });
  const answer = await createTestReply(database, people.tomas, discussion.id, { body: "In June." });
  return { ...people, group, discussion, answer };
}
const edit = async (viewer: SignedIn, postId: string, body: string, version?: number, reason?: string) =>
  within(async (tx) =>
    editPost(tx, viewer, {
      postId,
      body,
      version: version ?? (await getPostSource(tx, viewer, postId)).version,
      reason,
    }),
  );

describe("post history", () => {
  test("lists versions newest first to readers, leaving out edits of the first five minutes", async () => {
    const { mira, guest, discussion } = await setting();
    const wroteAt = database.clock.at;
    database.clock.pass(MINUTE);
    await edit(mira, discussion.postId, "Sow in mid May.");
    database.clock.pass(9 * MINUTE);
    const changedAt = database.clock.at;
    await edit(mira, discussion.postId, "Sow after the ice saints.");
    const { rows, next, post } = await getPostHistory(db, guest, discussion.postId);
    expect(rows).toMatchObject([
      {
        at: changedAt,
        by: { username: "mira" },
        body: "Sow after the ice saints.",
        before: "Sow in mid May.",
      },
      { at: wroteAt, by: { username: "mira" }, body: "Sow in mid May.", before: null },
    ]);
    expect({ next, number: post.number }).toEqual({ next: null, number: 1 });
  });

  test("has pages of ten versions without repeats", async () => {
    const { mira, discussion } = await setting();
    for (let i = 1; i <= 23; i++) {
      database.clock.pass(10 * MINUTE);
      await edit(mira, discussion.postId, `Version ${i}`);
    }
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await getPostHistory(db, mira, discussion.postId, { after });
      expect(page.rows.length).toBeLessThanOrEqual(10);
      for (const [i, row] of page.rows.entries()) if (i > 0) expect(page.rows[i - 1]!.before).toBe(row.body);
      seen.push(...page.rows.map((row) => row.body));
      after = page.next ?? undefined;
    } while (after);
    expect(seen).toEqual([...Array.from({ length: 23 }, (_, i) => `Version ${23 - i}`), "Sow in May."]);
  });

  test("shows a removed post to moderators only", async () => {
    const { mira, tomas, ines, noor, guest, answer } = await setting();
    await within((tx) => deletePost(tx, tomas, { postId: answer.id }));
    for (const viewer of [tomas, ines])
      expect((await getPostHistory(db, viewer, answer.id)).rows).toHaveLength(1);
    for (const viewer of [mira, noor, guest])
      await expect(getPostHistory(db, viewer, answer.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("returns not-found across a block, for hidden or missing posts and for comments", async () => {
    const { mira, tomas, noor, discussion, answer } = await setting();
    await within((tx) => blockPerson(tx, mira, { personId: noor.id }));
    await expect(getPostHistory(db, noor, discussion.postId)).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => run(tx, sql`update posts set state = 'hidden' where id = ${answer.id}`));
    await expect(getPostHistory(db, mira, answer.id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await getPostHistory(db, tomas, answer.id)).rows).toHaveLength(1);
    for (const id of ["", "x", "\0", noor.id])
      await expect(getPostHistory(db, mira, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("edit", () => {
  test("refuses a change made from an older version and keeps the newer text", async () => {
    const { mira, discussion } = await setting();
    await edit(mira, discussion.postId, "From the phone.", 1);
    await expect(edit(mira, discussion.postId, "From the desk.", 1)).rejects.toMatchObject({
      reason: "conflict",
    });
    expect(await getPostSource(db, mira, discussion.postId)).toEqual({ body: "From the phone.", version: 2 });
    await edit(mira, discussion.postId, "From both.", 2);
    expect((await getPostSource(db, mira, discussion.postId)).body).toBe("From both.");
  });

  test("sent twice is applied once", async () => {
    const { mira, discussion } = await setting();
    database.clock.pass(10 * MINUTE);
    await Promise.all([1, 2].map(() => edit(mira, discussion.postId, "Once.", 1)));
    expect((await getPostHistory(db, mira, discussion.postId)).rows).toHaveLength(2);
  });
});

describe("edit of another person's post", () => {
  const NO = { reason: "not-allowed" };

  test("requires a moderator and a reason that readers see", async () => {
    const { mira, tomas, guest, discussion } = await setting();
    await edit(
      tomas,
      discussion.postId,
      "Sow in May, not in [phone number].",
      1,
      " It named a phone number. ",
    );
    const [post] = (await getPostsPage(db, guest, await getDiscussion(db, guest, discussion.id), { page: 1 }))
      .posts;
    expect(post).toMatchObject({
      author: { username: "mira" },
      editedBy: { username: "tomas" },
      editedAt: database.clock.at,
    });
    expect((await getPostHistory(db, mira, discussion.postId)).rows).toMatchObject([
      { by: { username: "tomas" }, before: "Sow in May.", reason: "It named a phone number." },
      { by: { username: "mira" }, before: null, reason: "" },
    ]);
    expect(await many(db, sql`select actor_id, reason from audit_events where act = 'post.changed'`)).toEqual(
      [{ actor_id: tomas.id, reason: "It named a phone number." }],
    );
  });

  test("requires a reason and the latest version", async () => {
    const { tomas, discussion } = await setting();
    for (const reason of [undefined, "", "  "])
      await expect(edit(tomas, discussion.postId, "Mine.", 1, reason)).rejects.toMatchObject({
        reason: "invalid",
        fields: { reason: expect.any(String) },
      });
    await expect(edit(tomas, discussion.postId, "Mine.", 2, "Why not.")).rejects.toMatchObject({
      reason: "conflict",
    });
    expect((await getPostSource(db, tomas, discussion.postId)).body).toBe("Sow in May.");
  });

  test("fails for members, outsiders, site staff and blocked people", async () => {
    const { mira, tomas, ines, ada, noor, discussion, answer } = await setting();
    for (const viewer of [ines, ada, noor]) {
      await expect(edit(viewer, discussion.postId, "Mine.", 1, "Why not.")).rejects.toMatchObject(NO);
      await expect(getPostSource(db, viewer, discussion.postId)).rejects.toMatchObject(NO);
    }
    await expect(edit(mira, answer.id, "Mine.", 1, "Why not.")).rejects.toMatchObject(NO);
    for (const id of ["", "x", "\0", noor.id])
      await expect(edit(tomas, id, "Mine.", 1, "Why not.")).rejects.toMatchObject({ reason: "not-found" });
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    await expect(edit(tomas, discussion.postId, "Mine.", 1, "Why not.")).rejects.toMatchObject(NO);
    await within((tx) => run(tx, sql`delete from blocks`));
    await within((tx) => deleteDiscussion(tx, tomas, { discussionId: discussion.id, reason: "Over." }));
    await expect(edit(tomas, discussion.postId, "Mine.", 1, "Why not.")).rejects.toMatchObject(NO);
  });

  test("adds no mentions by the editor, and a later edit by the author clears the editor's name", async () => {
    const { mira, tomas, discussion } = await setting();
    await edit(tomas, discussion.postId, "Sow in May, says @mira to @tomas.", 1, "Clearer.");
    expect(await many(db, sql`select person_id from post_mentions`)).toEqual([{ person_id: tomas.id }]);
    database.clock.pass(1);
    await edit(mira, discussion.postId, "Sow in June.");
    expect(
      (await getPostHistory(db, mira, discussion.postId)).rows.map((postVersion) => [
        postVersion.by?.username,
        postVersion.body,
        postVersion.reason,
      ]),
    ).toEqual([
      ["mira", "Sow in June.", ""],
      ["tomas", "Sow in May, says @mira to @tomas.", "Clearer."],
      ["mira", "Sow in May.", ""],
    ]);
    const [post] = (await getPostsPage(db, tomas, await getDiscussion(db, tomas, discussion.id), { page: 1 }))
      .posts;
    expect(post).not.toHaveProperty("editedBy");
  });
});
