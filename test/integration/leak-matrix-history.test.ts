import { describe, expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { applyDueOpenings, updateGroup } from "#community/groups";
import { createTestReply, setMembership, createTestUsers, createPerson } from "../support/test-users.ts";
import { createLeakCommunity } from "../support/leak-matrix/community.ts";
import { INSIDE_WORD } from "../support/leak-matrix/marker-words.ts";
import { createViewer } from "../support/leak-matrix/viewers.ts";
import { collectReads, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { database } from "../support/leak-matrix/leak-context.ts";

const { inTransaction: within } = database;

describe.each(["private", "secret"] as const)(
  "%s group whose history is hidden from new members",
  (visibility) => {
    test.each([
      ["history starts at joining", () => sql`history_policy = 'from_joining'`],
      [
        "history is shared since a later day",
        (now: Date) => sql`history_policy = 'shared', shared_from = ${new Date(now.getTime() + 500)}`,
      ],
    ])("shows earlier content to earlier members only: %s", async (_, history) => {
      const people = await createTestUsers(database);
      const at = await createLeakCommunity(database, people, visibility);
      await run(database.db, sql`update groups set ${history(database.clock.at)} where id = ${at.groupId}`);
      database.clock.pass(1_000);
      const newcomer = await within(async (tx) => {
        const who = await createPerson(tx, "newcomer");
        await setMembership(tx, at.groupId, who, "member");
        return who;
      });
      const group =
        visibility === "secret"
          ? ["group by id", "group by slug", "group, as a row", "assistant, group as a resource"]
          : [];
      expect(findReadsWith(INSIDE_WORD, await collectReads(newcomer, at))).toEqual(group);
      expect(findReadsWith(INSIDE_WORD, await collectReads(people.mira, at)).length).toBeGreaterThan(15);
      const word = "Hagebutte";
      await createTestReply(database, people.mira, at.discussionId, { body: word, replyTo: at.postId });
      const reads = await collectReads(newcomer, at);
      expect(findReadsWith(word, reads)).toEqual([
        "replies of the author",
        "posts",
        "other posts of its author",
        "posts to report with it",
        "found without a word",
        "found, the latest",
        // The read shows the new reply, but not the older post that it answers.
        "assistant, discussion",
        "assistant, discussion as a resource",
        "assistant, draft of a reply",
      ]);
      // The title is visible; earlier posts are not.
      expect(reads["posts"]).not.toContain(INSIDE_WORD);
    });
  },
);

describe("private group that became public", () => {
  async function createOpenedGroup() {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "private");
    await within((tx) => updateGroup(tx, people.tomas, { groupId: at.groupId, visibility: "public" }));
    database.clock.pass(7 * 86_400_000);
    await within(applyDueOpenings);
    return { people, at };
  }

  test.each(["guest", "stranger", "left", "requested", "banned", "admin"] as const)(
    "shows a viewer who is %s nothing from before the change",
    async (it) => {
      const { people, at } = await createOpenedGroup();
      // An admin manages bans and calendars here too, and reads the appeals of the banned.
      const asAdmin =
        it === "admin"
          ? [
              "banned",
              "preview of a calendar file",
              "subscribed calendars",
              "reports",
              "reports, by group",
              "case",
              "file of a case",
              "letter about a decision",
              "reports about the author",
              "report of a webhook",
            ]
          : [];
      expect(
        findReadsWith(
          INSIDE_WORD,
          await collectReads(await createViewer(database, people, at.groupId, it), at),
        ),
      ).toEqual(asAdmin);
    },
  );

  test("shows earlier members everything from before the change", async () => {
    const { people, at } = await createOpenedGroup();
    expect(findReadsWith(INSIDE_WORD, await collectReads(people.mira, at)).length).toBeGreaterThan(15);
  });
});
