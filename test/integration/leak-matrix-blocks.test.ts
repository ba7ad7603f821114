import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { addReaction } from "#community/discussions";
import { blockPerson } from "#community/friends";
import { addComment } from "#community/resources";
import type { SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestReply,
  setMembership,
  createTestUsers,
  createPerson,
} from "../support/test-users.ts";
import { addAttendance, addDatePollAnswer, addHost } from "../support/leak-matrix/marked-event.ts";
import { createLeakCommunity } from "../support/leak-matrix/community.ts";
import { SHARED_TAG } from "../support/leak-matrix/marker-words.ts";
import { collectReads, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { DISCUSSION_READS_OF_ASSISTANTS } from "../support/leak-matrix/assistant-reads.ts";
import { database, BLOCKED_NAME, MARKED_TITLE } from "../support/leak-matrix/leak-context.ts";

const { inTransaction: within } = database;

/** Reads that show a discussion's title to the readers of its group, and searches. */
const TITLED = [
  "discussions started in the group",
  "discussions started anywhere",
  "discussions",
  "sidebar",
  "latest",
  "latest, sifted",
  "unread and latest",
  "unread, sifted",
  "top",
  "top, sifted",
  "discussion",
  "openedDiscussion",
  "drafts",
  "dropped drafts",
  "bookmarks",
  "history",
  "discussion, as a record",
  "discussion, as a row",
  "webhook about a discussion",
  ...DISCUSSION_READS_OF_ASSISTANTS,
];
const FOUND = [
  "search by name",
  "search by word",
  "found by name",
  "found by word",
  "found without a word",
  "found by the author's name",
  "similar",
  "because the open one was read",
  "read next",
  "best of the unread",
  "by the author",
  "discussions started by the author",
  "directory",
  "suggestions",
  "who can be called, in the group",
  "whom to write to",
  "who is going",
  "answers to the date poll",
];

describe("block between two people", () => {
  /** Bram blocks Cleo; Bram has written in the group, and Cleo's role there is `it`. */
  async function createBlock(
    it: "member" | "moderator" | "left" | "staff" = "member",
    bramIs: "member" | "moderator" | "owner" = "member",
  ) {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "public");
    const [bram, cleo] = await within(async (tx) => {
      const both = [
        await createPerson(tx, "bram"),
        await createPerson(tx, "cleo", it === "staff" ? "moderator" : "member"),
      ] as [SignedIn, SignedIn];
      await setMembership(tx, at.groupId, both[0], bramIs);
      if (it !== "staff") await setMembership(tx, at.groupId, both[1], it);
      await run(tx, sql`update people set display_name = ${BLOCKED_NAME} where id = ${both[0].id}`);
      return both;
    });
    const own = await createTestDiscussion(database, bram, at.groupId, {
      title: MARKED_TITLE,
      body: BLOCKED_NAME,
      tags: [SHARED_TAG],
    });
    await createTestReply(database, bram, at.discussionId, { body: BLOCKED_NAME });
    await within((tx) => addReaction(tx, bram, { postId: at.postId, emoji: "👍" }));
    await within((tx) => addComment(tx, bram, { resourceId: at.libraryId, body: BLOCKED_NAME }));
    await within((tx) => addDatePollAnswer(tx, bram, at.timeId));
    await within((tx) => addAttendance(tx, bram, at.occurrenceId, BLOCKED_NAME));
    await within((tx) => addHost(tx, bram, at.eventId));
    await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
    return {
      ...people,
      bram,
      cleo,
      at: { ...at, authorId: bram.id, discussionId: own.id, postId: own.postId, replyId: own.postId },
    };
  }

  test.each([
    ["a member of the same group", "member", "member"],
    ["a former member", "left", "member"],
    ["a member, blocked by a moderator", "member", "moderator"],
  ] as const)(
    "hides name and text of the blocker from the blocked person: %s",
    async (_it, cleoIs, bramIs) => {
      const { cleo, at } = await createBlock(cleoIs, bramIs);
      const reads = await collectReads(cleo, at);
      const words = findReadsWith(BLOCKED_NAME, reads);
      // A discussion keeps its place in lists and its title, as posts keep their numbers.
      expect(words.filter((name) => !TITLED.includes(name))).toEqual([]);
      for (const name of words)
        expect([name, reads[name]!.replaceAll(MARKED_TITLE, "").includes(BLOCKED_NAME)]).toEqual([
          name,
          false,
        ]);
      for (const name of FOUND) expect([name, words.includes(name)]).toEqual([name, false]);
    },
  );

  test.each(["moderator", "staff"] as const)("hides nothing from a blocked person who is %s", async (it) => {
    const { cleo, at } = await createBlock(it);
    expect(findReadsWith(BLOCKED_NAME, await collectReads(cleo, at))).toEqual(
      expect.arrayContaining([
        "posts",
        "post",
        "discussions",
        "members",
        "who is going",
        "post, as a record",
      ]),
    );
  });

  test.each(["member", "owner"] as const)(
    "hides the blocked person's text from the blocker (%s) until a post is revealed",
    async (bramIs) => {
      const { bram, cleo, at } = await createBlock("member", bramIs);
      await within((tx) => run(tx, sql`delete from blocks`));
      const word = "Wacholder";
      const answer = await createTestReply(database, cleo, at.discussionId, { body: word });
      await within((tx) => blockPerson(tx, bram, { personId: cleo.id }));
      expect(
        findReadsWith(word, await collectReads(bram, { ...at, replyId: answer.id, postId: answer.id })),
      ).toEqual(["reply, revealed"]);
    },
  );

  test("hides nothing from everyone else", async () => {
    const { noor, at } = await createBlock();
    expect(findReadsWith(BLOCKED_NAME, await collectReads(noor, at)).length).toBeGreaterThan(3);
  });
});
