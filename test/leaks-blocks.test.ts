import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { react } from "#community/discussions";
import { block } from "#community/friends";
import { comment } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { aDiscussion, aReply, bring, cast, person } from "./cast.ts";
import { fill, SHARED } from "./leaky-place.ts";
import { hears, waysTo } from "./leaks/hearing.ts";
import { database, PARTED, TITLE } from "./leaks/house.ts";

const { inTransaction: within } = database;

/** Reads that show a discussion's title to the readers of its group, and searches. */
const TITLED = [
  "started there",
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
  "directory",
  "suggestions",
  "who can be called, in the group",
  "whom to write to",
];

describe("two people with a block between them", () => {
  /** Bram blocks Cleo; Bram has written in the group, and Cleo's role there is `it`. */
  async function parted(it: "member" | "moderator" | "left" | "staff" = "member", bramIs: "member" | "moderator" | "owner" = "member") {
    const people = await cast(database);
    const at = await fill(database, people, "public");
    const [bram, cleo] = await within(async (tx) => {
      const both = [await person(tx, "bram"), await person(tx, "cleo", it === "staff" ? "moderator" : "member")] as [SignedIn, SignedIn];
      await bring(tx, at.groupId, both[0], bramIs);
      if (it !== "staff") await bring(tx, at.groupId, both[1], it);
      await run(tx, sql`update people set display_name = ${PARTED} where id = ${both[0].id}`);
      return both;
    });
    const own = await aDiscussion(database, bram, at.groupId, { title: TITLE, body: PARTED, tags: [SHARED] });
    await aReply(database, bram, at.discussionId, { body: PARTED });
    await within((tx) => react(tx, bram, { postId: at.postId, emoji: "👍" }));
    await within((tx) => comment(tx, bram, { resourceId: at.libraryId, body: PARTED }));
    await within((tx) => block(tx, bram, { personId: cleo.id }));
    return { ...people, bram, cleo, at: { ...at, authorId: bram.id, discussionId: own.id, postId: own.postId, replyId: own.postId } };
  }

  test.each([
    ["in one group", "member", "member"],
    ["a stranger", "left", "member"],
    ["of a moderator", "member", "moderator"],
  ] as const)("the blocked one, %s, reads neither name nor text", async (_it, cleoIs, bramIs) => {
    const { cleo, at } = await parted(cleoIs, bramIs);
    const heard = await hears(cleo, at);
    const words = waysTo(PARTED, heard);
    // A discussion keeps its place in lists and its title, as posts keep their numbers.
    expect(words.filter((name) => !TITLED.includes(name))).toEqual([]);
    for (const name of words) expect([name, heard[name]!.replaceAll(TITLE, "").includes(PARTED)]).toEqual([name, false]);
    for (const name of FOUND) expect([name, words.includes(name)]).toEqual([name, false]);
  });

  test.each(["moderator", "staff"] as const)("a moderator, as %s, reads past the block", async (it) => {
    const { cleo, at } = await parted(it);
    expect(waysTo(PARTED, await hears(cleo, at))).toEqual(
      expect.arrayContaining(["posts", "post", "discussions", "members", "post, as a record"]),
    );
  });

  test.each(["member", "owner"] as const)(
    "the blocker, as %s, reads the other's text nowhere, unless they open one post",
    async (bramIs) => {
      const { bram, cleo, at } = await parted("member", bramIs);
      await within((tx) => run(tx, sql`delete from blocks`));
      const word = "Wacholder";
      const answer = await aReply(database, cleo, at.discussionId, { body: word });
      await within((tx) => block(tx, bram, { personId: cleo.id }));
      expect(waysTo(word, await hears(bram, { ...at, replyId: answer.id, postId: answer.id }))).toEqual(["reply, revealed"]);
    },
  );

  test("everyone else reads both", async () => {
    const { noor, at } = await parted();
    expect(waysTo(PARTED, await hears(noor, at)).length).toBeGreaterThan(3);
  });
});
