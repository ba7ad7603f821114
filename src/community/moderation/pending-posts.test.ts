import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { LIMITS, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  setMembership,
  createPerson,
} from "../../../test/support/test-users.ts";
import {
  deletePost,
  getDiscussion,
  purgePendingPosts,
  getPendingPostFile,
  listPendingPosts,
  countPendingPosts,
  mergeDiscussion,
  NewDiscussion,
  listOwnPendingPosts,
  getPostFile,
  purgeOrphanedUploads,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import {
  createTestPicture,
  database,
  db,
  within,
  clock,
  createApprovalTalk,
  createPendingReply,
  approvePost,
  returnPost,
} from "../../../test/support/moderation/first-posts-setup.ts";

describe("pending posts", () => {
  test("can be seen by author and moderators only, even across a block", async () => {
    const { nora, mira, tomas, elsa, ines, ada, guest, group, discussion } = await createApprovalTalk();
    const id = await createPendingReply(nora, discussion.id);
    await within((tx) => blockPerson(tx, nora, { personId: tomas.id }));
    for (const viewer of [tomas, elsa]) {
      const { rows } = await listPendingPosts(db, viewer, {});
      expect(rows).toMatchObject([
        {
          id,
          author: { username: "nora" },
          authorPosts: 0,
          place: { kind: "discussion", title: "When to sow beans" },
          group: { slug: group.slug },
        },
      ]);
      expect(rows[0]!.html).toContain("Hello, all of you.");
    }
    // Staff do not see pending posts of a private group.
    for (const viewer of [ines, ada]) expect((await listPendingPosts(db, viewer, {})).rows).toEqual([]);
    for (const viewer of [mira, nora])
      await expect(listPendingPosts(db, viewer, {})).rejects.toMatchObject({ reason: "not-found" });
    await expect(listPendingPosts(db, guest, {})).rejects.toMatchObject({ reason: "not-signed-in" });
    expect(await listOwnPendingPosts(db, nora, { discussionId: discussion.id })).toMatchObject([
      { id, isReturned: false, place: { id: discussion.id } },
    ]);
    for (const viewer of [mira, tomas, guest]) expect(await listOwnPendingPosts(db, viewer)).toEqual([]);
  });

  test("show the post they reply to while it exists", async () => {
    const { nora, mira, elsa, discussion } = await createApprovalTalk();
    const reply = await createTestReply(database, mira, discussion.id);
    await createPendingReply(nora, discussion.id, { replyTo: reply.id });
    await createPendingReply(nora, discussion.id);
    const answered = async () =>
      (await listPendingPosts(db, elsa, {})).rows.map(({ answersTo }) => answersTo);
    expect(await answered()).toEqual([2, null]);
    await within((tx) => deletePost(tx, mira, { postId: reply.id, reason: "" }));
    expect(await answered()).toEqual([null, null]);
  });

  test("can be seen by staff in a public group, but not decided by their own author", async () => {
    const { nora, ines, elsa, group, discussion } = await createApprovalTalk("all", "public");
    await createPendingReply(nora, discussion.id);
    expect((await listPendingPosts(db, ines, {})).rows).toHaveLength(1);
    const facts = await getDiscussion(db, elsa, discussion.id);
    expect(await countPendingPosts(db, elsa, facts.group)).toBe(1);
    // A new moderator decides about others' posts, not their own.
    await within((tx) => setMembership(tx, group.id, nora, "moderator"));
    expect((await listPendingPosts(db, nora, {})).rows).toEqual([]);
    expect(await countPendingPosts(db, nora, (await getDiscussion(db, nora, discussion.id)).group)).toBe(0);
    await expect(approvePost(nora, (await listOwnPendingPosts(db, nora))[0]!.id)).rejects.toMatchObject({
      reason: "not-found",
    });
  });

  test("can be listed per group, earliest first, across pages", async () => {
    const { nora, tomas, mira, elsa, group, discussion } = await createApprovalTalk();
    const other = await createTestGroup(database, { tomas, mira }, { name: "Elsewhere" });
    await within((tx) => setMembership(tx, other.id, nora, "member"));
    await within((tx) =>
      startDiscussionOrAwaitApproval(
        tx,
        nora,
        NewDiscussion.parse({ groupId: other.id, title: "Over there", body: "Hello." }),
      ),
    );
    const first = await createPendingReply(nora, discussion.id);
    for (let i = 0; i < 20; i++) {
      clock.pass(1_000);
      const viewer = await within((tx) => createPerson(tx, `new${i}`, "member", "new"));
      await within((tx) => setMembership(tx, group.id, viewer, "member"));
      await createPendingReply(viewer, discussion.id);
    }
    const facts = (await getDiscussion(db, elsa, discussion.id)).group;
    const page = await listPendingPosts(db, elsa, { group: facts });
    expect([page.rows.length, page.rows[0]!.id]).toEqual([20, first]);
    expect((await listPendingPosts(db, elsa, { group: facts, after: page.next! })).rows).toHaveLength(1);
    expect((await listPendingPosts(db, tomas, {})).rows).toHaveLength(20);
    await expect(
      listPendingPosts(db, mira, { group: { ...facts, viewerRole: "member" } }),
    ).rejects.toMatchObject({
      reason: "not-allowed",
    });
  });

  test("move to the target when their discussion is merged", async () => {
    const { nora, tomas, mira, group, discussion } = await createApprovalTalk();
    const other = await createTestDiscussion(database, mira, group.id, { title: "Where to sow beans" });
    const id = await createPendingReply(nora, discussion.id);
    await within((tx) =>
      mergeDiscussion(tx, tomas, {
        discussionId: discussion.id,
        into: other.id,
        visibility: "private",
        reason: "The same.",
      }),
    );
    expect(await approvePost(tomas, id)).toMatchObject({ at: { discussionId: other.id }, number: 3 });
  });

  test("written for members only stay hidden from staff after the group becomes public", async () => {
    const { nora, tomas, elsa, ines, group, discussion } = await createApprovalTalk();
    const pendingDiscussion = await within((tx) =>
      startDiscussionOrAwaitApproval(
        tx,
        nora,
        NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello." }),
      ),
    );
    const answered = await createPendingReply(nora, discussion.id);
    await run(db, sql`update discussions set audience = 'members' where group_id = ${group.id}`);
    await run(db, sql`update groups set visibility = 'public', join_policy = 'open' where id = ${group.id}`);
    expect((await listPendingPosts(db, ines, {})).rows).toEqual([]);
    expect((await listPendingPosts(db, elsa, {})).rows).toHaveLength(2);
    const id = "waits" in pendingDiscussion ? pendingDiscussion.waits : "";
    for (const pendingPostId of [id, answered])
      await expect(approvePost(ines, pendingPostId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(approvePost(tomas, id)).rejects.toMatchObject({ reason: "conflict" });
    // The replied-to post is still members-only.
    await approvePost(tomas, answered);
    await returnPost(tomas, id);
  });

  test("do not name their group to a person who has left it", async () => {
    const { nora, group, discussion } = await createApprovalTalk();
    await createPendingReply(nora, discussion.id);
    await within((tx) => setMembership(tx, group.id, nora, "left"));
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([{ place: null }]);
  });

  test("expire like drafts if undecided, and thirty days after being returned", async () => {
    const { nora, tomas, discussion } = await createApprovalTalk();
    const [back] = [
      await createPendingReply(nora, discussion.id),
      await createPendingReply(nora, discussion.id, { body: "Second." }),
    ];
    await returnPost(tomas, back);
    clock.pass((LIMITS.pendingPosts.returnedDays + 1) * DAY);
    expect(await within(purgePendingPosts)).toBe(1);
    expect(await listOwnPendingPosts(db, nora)).toMatchObject([{ isReturned: false }]);
    clock.pass(LIMITS.pendingPosts.days * DAY);
    expect(await within(purgePendingPosts)).toBe(1);
  });
});

test("a picture in a purged pending post is no longer attached to anything", async () => {
  const { nora, discussion } = await createApprovalTalk();
  const id = await createTestPicture(nora);
  await createPendingReply(nora, discussion.id, { body: `![Beans](/files/${id})` });
  await run(db, sql`delete from pending_posts`);
  await within(purgePendingPosts);
  expect(await one(db, sql`select attached_kind as kind from uploads where id = ${id}`)).toEqual({
    kind: null,
  });
});

test("a picture in a pending post is visible to its author and moderators, and survives cleanup", async () => {
  const { nora, mira, tomas, discussion } = await createApprovalTalk();
  const picture = await createTestPicture(nora);
  const pendingReply = await createPendingReply(nora, discussion.id, { body: `![Beans](/files/${picture})` });
  const seen = (viewer: Viewer, find = getPendingPostFile) =>
    find(db, viewer, picture).then(
      () => true,
      () => false,
    );
  expect([await seen(nora), await seen(tomas), await seen(mira)]).toEqual([true, true, false]);
  clock.pass(3 * DAY);
  const storage = { sizeOf: async () => null, remove: async () => {} } as never;
  expect(await purgeOrphanedUploads({ database, storage })).toBe(0);
  await approvePost(tomas, pendingReply);
  expect(await within(purgePendingPosts)).toBe(0);
  expect([await seen(mira, getPostFile), await seen(nora)]).toEqual([true, false]);
});
