import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import {
  addComment,
  deletePost,
  editPost,
  getPostFile,
  getPost,
  restorePost,
  unhidePost,
} from "#community/discussions";
import { addDocument, NewDocument } from "#community/resources";
import type { SignedIn, Viewer } from "#community/rules";
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
import { NewPostReport, reportPost, listCases, Resolution, resolveCase } from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const MINUTE = 60_000;
const report = (viewer: Viewer, postId: string) =>
  within((tx) => reportPost(tx, viewer, NewPostReport.parse({ postId, reason: "It sells beans." })));
const end = (viewer: Viewer, reportId: string, outcome: string) =>
  within((tx) =>
    resolveCase(tx, viewer, Resolution.parse({ caseId: reportId, outcome, reason: "No shops.", note: "" })),
  );
const edit = (viewer: Viewer, postId: string, body: string, version = 1) =>
  within((tx) => editPost(tx, viewer, { postId, body, version }));
const show = (viewer: Viewer, postId: string) => within((tx) => unhidePost(tx, viewer, { postId }));
const stub = async (viewer: Viewer, postId: string) => (await getPost(db, viewer, postId)).stub;

/**
 * Tomas owns the group; Mira, Noor, Pavel, Vera and Yuki are members, the last two new. Noor's post is
 * reported.
 */
async function talk() {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const more = await within(async (tx) => ({
    pavel: await createPerson(tx, "pavel"),
    vera: await createPerson(tx, "vera", "member", "new"),
    yuki: await createPerson(tx, "yuki", "member", "new"),
  }));
  for (const viewer of [people.noor, ...Object.values(more)])
    await within((tx) => setMembership(tx, group.id, viewer, "member"));
  const discussion = await createTestDiscussion(database, people.mira, group.id);
  const post = await createTestReply(database, people.noor, discussion.id, { body: "Buy my beans." });
  return { ...people, ...more, group, discussion, post };
}

const allOf = (by: SignedIn[], postId: string) =>
  by.reduce<Promise<unknown>>(
    (before, viewer) => before.then(() => report(viewer, postId)),
    Promise.resolve(),
  );

describe("post reported by several people", () => {
  test("becomes hidden from everyone but author and moderators until it is reviewed", async () => {
    const { mira, pavel, vera, tomas, noor, post } = await talk();
    await report(mira, post.id);
    expect(await stub(vera, post.id)).toBeNull();
    await report(pavel, post.id);
    for (const viewer of [mira, pavel, vera])
      expect(await getPost(db, viewer, post.id)).toMatchObject({ stub: "hidden", html: null });
    expect(await getPost(db, vera, post.id)).not.toHaveProperty("hidden");
    await expect(report(vera, post.id)).rejects.toMatchObject({ reason: "conflict" });
    expect(await getPost(db, noor, post.id)).toMatchObject({
      stub: null,
      hidden: { reported: true, mendable: new Date(clock.at.getTime() + 10 * MINUTE) },
    });
    expect(await getPost(db, tomas, post.id)).toMatchObject({ stub: null, hidden: { reported: true } });
    expect((await getPost(db, tomas, post.id)).hidden).not.toHaveProperty("mendable");
    expect(await listEmittedEvents(database)).toContain("post.hidden");
  });

  test.each([
    ["two established members", ["mira", "pavel"], true],
    ["one established member and two newcomers", ["mira", "vera", "yuki"], true],
    ["one established member and one newcomer", ["mira", "vera"], false],
    ["two newcomers", ["vera", "yuki"], false],
  ] as const)("becomes hidden only after enough trusted reports: %s", async (_who, names, hidden) => {
    const all = await talk();
    await allOf(
      names.map((name) => all[name]),
      all.post.id,
    );
    expect(await stub(all.mira, all.post.id)).toBe(hidden ? "hidden" : null);
  });

  test("causes only one hiding event when reports arrive at the same moment", async () => {
    const { mira, pavel, vera, post } = await talk();
    const reports = await Promise.allSettled([mira, pavel, vera].map((viewer) => report(viewer, post.id)));
    // People who report an already hidden post learn that it is hidden.
    for (const it of reports)
      if (it.status === "rejected") expect(it.reason).toMatchObject({ reason: "conflict" });
    expect(await stub(mira, post.id)).toBe("hidden");
    expect((await listEmittedEvents(database)).filter((type) => type === "post.hidden")).toHaveLength(1);
  });

  test("stays visible if a moderator wrote it or if reporters are restricted", async () => {
    const { mira, pavel, vera, tomas, ines, group, discussion, post } = await talk();
    await within((tx) => setMembership(tx, group.id, ines, "member"));
    for (const by of [tomas, ines]) {
      const { id } = await createTestReply(database, by, discussion.id);
      await allOf([mira, pavel, vera], id);
      expect(await stub(mira, id)).toBeNull();
    }
    await report(pavel, post.id);
    await run(db, sql`update people set state = 'limited' where id = ${pavel.id}`);
    await report(mira, post.id);
    expect(await stub(mira, post.id)).toBeNull();
  });

  test("may also be a comment under a resource", async () => {
    const { mira, pavel, vera, noor, tomas, group } = await talk();
    const { id: resourceId } = await within((tx) =>
      addDocument(
        tx,
        tomas,
        NewDocument.parse({ title: "Watering", body: "Twice a week.", groupId: group.id }),
      ),
    );
    const { id } = await within((tx) => addComment(tx, noor, { resourceId, body: "Buy my beans." }));
    await allOf([mira, pavel], id);
    expect(await getPost(db, vera, id)).toMatchObject({ stub: "hidden", html: null });
    expect(await listEmittedEvents(database)).toContain("comment.hidden");
    await show(tomas, id);
    expect(await stub(vera, id)).toBeNull();
    expect(await listEmittedEvents(database)).toContain("comment.unhidden");
  });
});

test("a picture in a hidden post is visible only to those who can read its text", async () => {
  const { mira, pavel, vera, noor, tomas, ada, post } = await talk();
  const { id: alone } = await within((tx) =>
    addDocument(tx, tomas, NewDocument.parse({ title: "Watering", body: "Twice a week." })),
  );
  const { id: commentId } = await within((tx) =>
    addComment(tx, noor, { resourceId: alone, body: "Buy my beans." }),
  );
  const picture = async (postId: string) => {
    const id =
      post.id === postId ? "00000000-0000-7000-8000-000000000001" : "00000000-0000-7000-8000-000000000002";
    await run(
      db,
      sql`insert into uploads (id, hash, size, mime, owner_id, state, attached_kind, attached_id, created_at)
          values (${id}, ${"a".repeat(64)}, 1, 'image/webp', ${noor.id}, 'ok', 'post', ${postId},
            ${clock.at})`,
    );
    return (viewer: Viewer) =>
      getPostFile(db, viewer, id).then(
        () => true,
        () => false,
      );
  };
  const [inPost, inComment] = [await picture(post.id), await picture(commentId)];
  expect([await inPost(vera), await inComment(vera)]).toEqual([true, true]);
  for (const id of [post.id, commentId]) await allOf([mira, pavel], id);
  expect([await inPost(noor), await inPost(tomas), await inPost(vera), await inPost(ada)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([
    await inComment(noor),
    await inComment(ada),
    await inComment(vera),
    await inComment(tomas),
  ]).toEqual([true, true, false, false]);
});

describe("hidden post", () => {
  test("becomes visible when its reports are resolved without removal", async () => {
    const { mira, pavel, tomas, discussion, noor } = await talk();
    for (const outcome of ["rejected", "upheld"]) {
      const { id } = await createTestReply(database, noor, discussion.id);
      await allOf([mira, pavel], id);
      const [waiting] = (await listCases(db, tomas, { tab: "open" })).rows;
      await end(tomas, waiting!.id, outcome);
      expect(await stub(mira, id)).toBeNull();
    }
    expect((await listEmittedEvents(database)).filter((type) => type === "post.unhidden")).toHaveLength(2);
  });

  test("stays hidden when it is removed, and becomes visible when restored", async () => {
    const { mira, pavel, tomas, ines, post } = await talk();
    await report(mira, post.id);
    const { id } = await report(pavel, post.id);
    await end(ines, id, "removed");
    expect(await stub(mira, post.id)).toBe("removed");
    await within((tx) => restorePost(tx, tomas, { postId: post.id, reason: "They are for free." }));
    expect(await stub(mira, post.id)).toBeNull();
  });

  test("becomes visible when a moderator shows it, and then only new reports count", async () => {
    const { mira, pavel, vera, yuki, noor, tomas, group, post } = await talk();
    await allOf([mira, pavel], post.id);
    await expect(show(vera, post.id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(show(noor, post.id)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => setMembership(tx, group.id, noor, "moderator"));
    await expect(show(noor, post.id)).rejects.toMatchObject({ reason: "not-allowed" });
    clock.pass(MINUTE);
    await show(tomas, post.id);
    await within((tx) => setMembership(tx, group.id, noor, "member"));
    expect(await stub(mira, post.id)).toBeNull();
    await expect(show(tomas, post.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await one(db, sql`select actor_id as by from audit_events where act = 'post.unhidden'`)).toEqual({
      by: tomas.id,
    });
    clock.pass(MINUTE);
    await allOf([vera, yuki], post.id);
    expect(await stub(mira, post.id)).toBeNull();
  });

  test("becomes visible after its author edits it, but needs review the second time", async () => {
    const { mira, pavel, noor, tomas, post } = await talk();
    await allOf([mira, pavel], post.id);
    clock.pass(9 * MINUTE);
    await expect(edit(noor, post.id, "I like beans.")).rejects.toMatchObject({ reason: "not-allowed" });
    clock.pass(MINUTE);
    await expect(edit(noor, post.id, "Buy my beans.")).rejects.toMatchObject({
      reason: "invalid",
      fields: { body: expect.any(String) },
    });
    await expect(edit(tomas, post.id, "Beans.")).rejects.toMatchObject({ reason: "not-allowed" });
    await edit(noor, post.id, "I like beans.");
    expect(await getPost(db, mira, post.id)).toMatchObject({
      stub: null,
      html: expect.stringContaining("I like beans."),
      editedAt: clock.at,
    });
    const [waiting] = (await listCases(db, tomas, { tab: "open" })).rows;
    expect(waiting).toMatchObject({ others: 1 });
    await end(tomas, waiting!.id, "rejected");
    clock.pass(MINUTE);
    await allOf([mira, pavel], post.id);
    expect(await stub(mira, post.id)).toBe("hidden");
    clock.pass(60 * MINUTE);
    expect((await getPost(db, noor, post.id)).hidden).toEqual({ reported: true });
    await expect(edit(noor, post.id, "I love beans.", 2)).rejects.toMatchObject({ reason: "not-allowed" });
    await within((tx) => deletePost(tx, noor, { postId: post.id }));
    expect(await stub(mira, post.id)).toBe("deleted");
  });
});
