import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { getPresenceVisibility, readRecordFor } from "#community/api-entities";
import {
  getMessagesPage,
  getConversation,
  listConversations,
  startConversation,
} from "#community/conversations";
import {
  addBookmark,
  listBookmarks,
  listMentionables,
  deletePost,
  getDiscussion,
  editPost,
  draftTargets,
  getPost,
  addReaction,
} from "#community/discussions";
import { blockPerson, getFriendState, unblockPerson } from "#community/friends";
import { banFromGroup, inviteToGroup, listMembers, getGroup, removeMember } from "#community/groups";
import { addDocument, addComment, listComments, getResource } from "#community/resources";
import { groupRules, type SignedIn } from "#community/rules";
import { createTestDiscussion, createTestReply } from "../support/test-users.ts";
import {
  database,
  db,
  createEncounter,
  isAccepted,
  runAndRollBack,
  within,
} from "../support/block-matrix/encounters.ts";
import { getPostsPage } from "../support/discussions/shared-posts.ts";

describe("block", () => {
  test("replaces posts by placeholders with the same numbers, which only the blocker may reveal", async () => {
    const { bram, cleo, talk, posts, noor } = await createEncounter("in one group");
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const seenBy = async (who: SignedIn) =>
      (await getPostsPage(db, who, await getDiscussion(db, who, talk.id), { page: 1 })).posts.map(
        ({ number, stub }) => [number, stub],
      );
    expect(await seenBy(bram)).toEqual([
      [1, null],
      [2, null],
      [3, "blocked-by-viewer"],
      [4, null],
      [5, "blocked-by-viewer"],
    ]);
    expect(await seenBy(cleo)).toEqual([
      [1, null],
      [2, "blocked"],
      [3, null],
      [4, "blocked"],
      [5, null],
    ]);
    expect((await seenBy(noor)).map(([, stub]) => stub)).toEqual([null, null, null, null, null]);
    expect((await getPost(db, bram, posts.cleo.id, { reveal: true })).html).toContain("ice saints");
    expect(await getPost(db, cleo, posts.bram.id, { reveal: true })).toMatchObject({
      html: null,
      stub: "blocked",
      author: null,
    });
    const [byBram, byNoor] = [await getDiscussion(db, bram, talk.id), await getDiscussion(db, noor, talk.id)];
    expect([byBram.lastNumber, byBram.replies]).toEqual([byNoor.lastNumber, byNoor.replies]);
  });

  test.each(["the blocked one moderates", "the blocked one is staff"] as const)(
    "does not hide people from those who moderate them: %s",
    async (standing) => {
      const { bram, cleo, groupId, talk, posts } = await createEncounter(standing);
      await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
      expect(await getPost(db, cleo, posts.bram.id)).toMatchObject({
        stub: null,
        author: { username: "bram" },
      });
      expect(
        (await listMembers(db, cleo, await getGroup(db, cleo, groupId), {})).rows.map(
          ({ username }) => username,
        ),
      ).toContain("bram");
      await runAndRollBack((tx) =>
        deletePost(tx, cleo, { postId: posts.bram.id, reason: "Off the subject." }),
      );
      const change = { postId: posts.bram.id, version: 1, body: "Mended.", reason: "A name." };
      const leads = standing === "the blocked one moderates";
      expect(await runAndRollBack((tx) => isAccepted(editPost(tx, cleo, change)))).toBe(leads);
      expect(
        await runAndRollBack((tx) =>
          isAccepted(removeMember(tx, cleo, { groupId, personId: bram.id, reason: "" })),
        ),
      ).toBe(leads);
      expect(
        await runAndRollBack((tx) =>
          isAccepted(banFromGroup(tx, cleo, { groupId, personId: bram.id, reason: "" })),
        ),
      ).toBe(leads);
      // Posts of the person that a moderator has blocked are stubs that can be opened.
      await within(async (tx) => {
        await unblockPerson(tx, bram, { personId: cleo.id });
        await blockPerson(tx, cleo, { personId: bram.id });
      });
      expect(await getPost(db, cleo, posts.bram.id)).toMatchObject({
        stub: "blocked-by-viewer",
        author: { username: "bram" },
      });
      expect((await getPost(db, cleo, posts.bram.id, { reveal: true })).html).toContain("ice saints");
      expect(
        await runAndRollBack((tx) =>
          isAccepted(deletePost(tx, cleo, { postId: posts.bram.id, reason: "Off the subject." })),
        ),
      ).toBe(true);
      expect((await getDiscussion(db, cleo, talk.id)).id).toBe(talk.id);
    },
  );

  test("lets both group members keep writing in each other's discussions", async () => {
    const { bram, cleo, groupId } = await createEncounter("in one group");
    const own = await createTestDiscussion(database, bram, groupId);
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const answer = await createTestReply(database, cleo, own.id);
    expect(answer.number).toBe(2);
    expect(await getPost(db, bram, answer.id)).toMatchObject({ number: 2, stub: "blocked-by-viewer" });
    expect(await getDiscussion(db, cleo, own.id)).toMatchObject({ author: null, replies: 1 });
  });

  test("archives the conversation for the blocker and leaves it readable to the blocked person", async () => {
    const { bram, cleo, conversationId } = await createEncounter("in one group");
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    expect(await getConversation(db, bram, conversationId)).toMatchObject({ archived: true, blocked: true });
    expect(await getConversation(db, cleo, conversationId)).toMatchObject({ archived: false, blocked: true });
    expect(
      (await getMessagesPage(db, cleo, await getConversation(db, cleo, conversationId))).messages,
    ).toHaveLength(2);
    expect((await listConversations(db, bram, { tab: "all" })).rows).toEqual([]);
  });

  test("withdraws pending messages and group invitations between the two", async () => {
    const { bram, cleo, noor, mira, as } = await createEncounter("in one group");
    const { elsewhereId } = as("cleo", "bram");
    await within(async (tx) => {
      await run(tx, sql`update people set privacy = '{"messages":"everyone"}'`);
      await startConversation(tx, noor, { to: ["mira"], name: "", body: "Do you know me?" });
      await inviteToGroup(tx, cleo, { groupId: elsewhereId, personId: bram.id });
      await blockPerson(tx, bram, { personId: cleo.id });
      await blockPerson(tx, mira, { personId: noor.id });
    });
    expect((await listConversations(db, mira, { tab: "requests" })).rows).toEqual([]);
    const { invitations } = await one(
      db,
      sql<{ invitations: number }>`
      select count(*)::int as invitations from memberships
      where person_id = ${bram.id} and state = 'invited'`,
    );
    expect(invitations).toBe(0);
  });

  test("removes text, reactions and presence from live updates of open pages", async () => {
    const { bram, cleo, noor, talk, posts, groupId } = await createEncounter("in one group");
    await within((tx) => addReaction(tx, bram, { postId: talk.postId, emoji: "👍" }));
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const all = [bram.id, cleo.id, noor.id];
    const loadRecord = (postId: string) =>
      readRecordFor(
        db,
        { table: "Posts", event: "updated", ids: { objectId: postId, discussionId: talk.id, groupId } },
        all,
      );
    const ofBram = await loadRecord(posts.bram.id);
    expect([ofBram?.(cleo.id), ofBram?.(noor.id)]).toMatchObject([
      { stub: "blocked", text: null, ownerId: null },
      { stub: null },
    ]);
    expect((await loadRecord(posts.cleo.id))?.(bram.id)).toMatchObject({
      stub: "blocked-by-viewer",
      text: null,
    });
    const ids = {
      objectId: "x",
      postId: talk.postId,
      ownerId: bram.id,
      emoji: "👍",
      discussionId: talk.id,
      groupId,
    };
    const reacted = await readRecordFor(db, { table: "Reactions", event: "created", ids }, all);
    expect([reacted?.(cleo.id), reacted?.(noor.id) !== null]).toEqual([null, true]);
    for (const [me, other] of [
      [bram, cleo],
      [cleo, bram],
    ] as const) {
      const { sees, shownTo } = await getPresenceVisibility(db, { kind: "discussion", id: talk.id }, me.id, [
        other.id,
        noor.id,
      ]);
      expect([sees(other.id), shownTo(other.id), sees(noor.id)]).toEqual([false, false, true]);
    }
  });

  test("does not apply to staff", async () => {
    const { bram, cleo, mira, ines, groupId } = await createEncounter("in one group");
    const reads = async (who: SignedIn) => groupRules.pastBlocks(who, await getGroup(db, who, groupId));
    expect([await reads(bram), await reads(cleo), await reads(mira), await reads(ines)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test("hides comments, bookmarks and mention suggestions", async () => {
    const { bram, cleo, talk, posts, mira } = await createEncounter("in one group");
    const about = { why: "", tags: [], language: "en", licence: "" };
    const document = await within((tx) =>
      addDocument(tx, mira, { title: "For everybody", body: "Open.", ...about }),
    );
    await within((tx) => addComment(tx, bram, { resourceId: document.id, body: "A comment." }));
    await within((tx) => addBookmark(tx, cleo, { postId: posts.bram.id, note: "" }));
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    const stubs = async (who: SignedIn) =>
      (await listComments(db, who, await getResource(db, who, document.id))).comments.map(({ stub }) => stub);
    expect([await stubs(cleo), await stubs(bram)]).toEqual([["blocked"], [null]]);
    expect((await listBookmarks(db, cleo, {})).rows).toEqual([]);
    expect(await listMentionables(db, cleo, draftTargets.discussion(talk.id), "bram")).toEqual([]);
    expect(await listMentionables(db, bram, draftTargets.discussion(talk.id), "cleo")).toEqual([]);
    expect(await getFriendState(db, bram, cleo.id)).toMatchObject({
      canAsk: false,
      canWrite: false,
      viewerBlocks: true,
    });
  });
});
