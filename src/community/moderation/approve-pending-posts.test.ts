import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { listEmittedEvents, createTestReply, setMembership } from "../../../test/support/test-users.ts";
import {
  addCommentOrAwaitApproval,
  getDiscussion,
  getDraft,
  listPendingPosts,
  NewComment,
  NewDiscussion,
  listOwnPendingPosts,
  draftTargets,
  saveDraft,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import {
  database,
  db,
  within,
  clock,
  createApprovalTalk,
  createPendingReply,
  approvePost,
  returnPost,
  withdrawPost,
  listTexts,
  createTestDocument,
} from "../../../test/support/moderation/first-posts-setup.ts";
import { getPostsPage } from "../../../test/support/discussions/shared-posts.ts";

describe("approving a pending post", () => {
  test("publishes a reply with a new number, its parent post and its poll", async () => {
    const { nora, mira, tomas, discussion } = await createApprovalTalk();
    const reply = await createTestReply(database, mira, discussion.id, { body: "Who are you?" });
    const id = await createPendingReply(nora, discussion.id, {
      body: "Nora, @mira.",
      replyTo: reply.id,
      pollOptions: "Beans\nPeas",
    });
    clock.pass(DAY);
    expect(await approvePost(tomas, id)).toEqual({ at: { discussionId: discussion.id }, number: 3 });
    const { posts } = await getPostsPage(db, mira, await getDiscussion(db, mira, discussion.id), {
      page: 1,
    });
    expect(posts[2]).toMatchObject({
      author: { username: "nora" },
      createdAt: clock.at,
      replyTo: { number: 2 },
      poll: { options: [{ text: "Beans" }, { text: "Peas" }] },
    });
    expect(await listOwnPendingPosts(db, nora)).toEqual([]);
    expect(await listEmittedEvents(database)).toEqual(
      expect.arrayContaining(["post.written", "post.mentioned", "post.approved"]),
    );
    expect(
      await one(
        db,
        sql`select actor_id as by, details->>'personId' as whom from audit_events where act = 'post.approved'`,
      ),
    ).toEqual({
      by: tomas.id,
      whom: nora.id,
    });
  });

  test("publishes a discussion's first post, and a comment under its resource", async () => {
    const { nora, tomas, elsa, group, mira } = await createApprovalTalk();
    const pendingDiscussion = await within((tx) =>
      startDiscussionOrAwaitApproval(
        tx,
        nora,
        NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello.", tags: "hello" }),
      ),
    );
    const { id: resourceId } = await createTestDocument(mira, group.id);
    const comment = await within((tx) =>
      addCommentOrAwaitApproval(tx, nora, NewComment.parse({ resourceId, body: "Good." })),
    );
    if (!("waits" in pendingDiscussion && "waits" in comment)) throw new Error("it does not wait");
    expect(await listOwnPendingPosts(db, nora, { resourceId })).toMatchObject([
      { place: { kind: "resource", title: "How to sow" } },
    ]);
    const { at } = await approvePost(tomas, pendingDiscussion.waits);
    expect(await getDiscussion(db, mira, (at as { discussionId: string }).discussionId)).toMatchObject({
      title: "I am new",
      tags: ["hello"],
      author: { username: "nora" },
    });
    expect(await approvePost(elsa, comment.waits)).toEqual({ at: { resourceId }, number: 1 });
  });

  test("requires staff if it belongs to a resource outside groups", async () => {
    const { nora, mira, tomas, ines } = await createApprovalTalk();
    const { id: resourceId } = await createTestDocument(mira);
    const comment = await within((tx) =>
      addCommentOrAwaitApproval(tx, nora, NewComment.parse({ resourceId, body: "Good." })),
    );
    if (!("waits" in comment)) throw new Error("it does not wait");
    await expect(approvePost(tomas, comment.waits)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listPendingPosts(db, ines, {})).rows).toMatchObject([
      { place: { kind: "resource" }, group: null },
    ]);
    await approvePost(ines, comment.waits);
  });

  test("fails for everyone but moderators, and after a decision", async () => {
    const { nora, mira, tomas, elsa, ines, guest, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    for (const viewer of [mira, ines, nora])
      await expect(approvePost(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(approvePost(guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(approvePost({ ...tomas, limited: true }, id)).rejects.toMatchObject({ reason: "not-found" });
    for (const odd of ["", "x", "0190a1b2-0000-7000-8000-00000000ffff"])
      await expect(approvePost(tomas, odd)).rejects.toMatchObject({ reason: "not-found" });
    const both = await Promise.allSettled([approvePost(tomas, id), approvePost(elsa, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await listTexts(mira, discussion.id)).toHaveLength(2);
    await expect(approvePost(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("fails with an explanation if its author could no longer post it", async () => {
    const { nora, tomas, group, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    const cannot = { reason: "conflict", message: expect.stringContaining("Return it with a reason") };
    for (const state of ["left", "banned"] as const) {
      await within((tx) => setMembership(tx, group.id, nora, state));
      await expect(approvePost(tomas, id)).rejects.toMatchObject(cannot);
    }
    await within((tx) => setMembership(tx, group.id, nora, "member"));
    await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
    await expect(approvePost(tomas, id)).rejects.toMatchObject(cannot);
    await run(db, sql`update people set state = 'active' where id = ${nora.id}`);
    await approvePost(tomas, id);
  });

  test("ignores rate limits", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    await run(db, sql`update settings set value = 'true' where key = 'writingLimits'`);
    const ids = [
      await createPendingReply(nora, discussion.id),
      await createPendingReply(nora, discussion.id, { body: "And a second thing." }),
    ];
    for (const id of ids) await approvePost(tomas, id);
    expect(await listTexts(tomas, discussion.id)).toHaveLength(3);
  });
});

describe("returning a pending post", () => {
  test("moves the text with the reason into the author's draft, below newer text", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    const at = draftTargets.discussion(discussion.id);
    const id = await createPendingReply(nora, discussion.id);
    await within((tx) =>
      saveDraft(tx, nora, { place: at, version: 0, title: "", body: "What else I meant." }),
    );
    await returnPost(tomas, id);
    expect((await getDraft(db, nora, at))!.body).toBe("What else I meant.\n\nHello, all of you.");
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([
      { isReturned: true, answer: "Complete your profile." },
    ]);
    expect((await listPendingPosts(db, tomas, {})).rows).toEqual([]);
    for (const again of [() => approvePost(tomas, id), () => returnPost(tomas, id)])
      await expect(again()).rejects.toMatchObject({ reason: "conflict" });
    expect(await one(db, sql`select reason from audit_events where act = 'post.returned'`)).toEqual({
      reason: "Complete your profile.",
    });
  });

  test("keeps title, tags and poll of a discussion", async () => {
    const { nora, tomas, group } = await createApprovalTalk();
    const pendingDiscussion = await within((tx) =>
      startDiscussionOrAwaitApproval(
        tx,
        nora,
        NewDiscussion.parse({
          groupId: group.id,
          title: "I am new",
          body: "Hello.",
          tags: "hello, beans",
          pollOptions: "Yes\nNo",
        }),
      ),
    );
    await returnPost(tomas, "waits" in pendingDiscussion ? pendingDiscussion.waits : "");
    expect(await getDraft(db, nora, draftTargets.group(group.id))).toMatchObject({
      title: "I am new",
      body: "Hello.",
      more: { tags: "hello, beans", pollOptions: "Yes\nNo" },
    });
  });

  test("shows a notice until the author posts again or dismisses it", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    await returnPost(tomas, await createPendingReply(nora, discussion.id));
    await createPendingReply(nora, discussion.id, { body: "I am Nora." });
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([{ isReturned: false }]);
    const id = (await listOwnPendingPosts(db, nora))[0]!.id;
    await returnPost(tomas, id);
    await withdrawPost(nora, id);
    expect(await listOwnPendingPosts(db, nora)).toEqual([]);
  });

  test("needs a moderator and a reason", async () => {
    const { nora, mira, tomas, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    await expect(returnPost(tomas, id, " ")).rejects.toThrow();
    for (const viewer of [mira, nora])
      await expect(returnPost(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("withdrawing a pending post", () => {
  test("succeeds only for its author and before a decision", async () => {
    const { nora, mira, tomas, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    for (const viewer of [mira, tomas])
      await expect(withdrawPost(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
    await withdrawPost(nora, id);
    expect((await getDraft(db, nora, draftTargets.discussion(discussion.id)))!.body).toBe(
      "Hello, all of you.",
    );
    await expect(approvePost(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(withdrawPost(nora, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("and a concurrent approval exclude each other", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    const both = await Promise.allSettled([withdrawPost(nora, id), approvePost(tomas, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const stands = (await listTexts(tomas, discussion.id)).length === 2;
    expect((await getDraft(db, nora, draftTargets.discussion(discussion.id))) === null).toBe(stands);
  });
});
