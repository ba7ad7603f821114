import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { reportPost } from "#community/moderation";
import { createTestReply, setMembership, createTestUsers, createPerson } from "../support/test-users.ts";
import { createLeakCommunity } from "../support/leak-matrix/community.ts";
import { PENDING_WORD, INSIDE_WORD, PRIVATE_WORD } from "../support/leak-matrix/marker-words.ts";
import { createAllViewers } from "../support/leak-matrix/viewers.ts";
import { collectReads, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { DISCUSSION_READS_OF_ASSISTANTS } from "../support/leak-matrix/assistant-reads.ts";
import { database } from "../support/leak-matrix/leak-context.ts";

const { inTransaction: within } = database;

describe.each(["public", "private", "secret"] as const)("hidden post in a %s group", (visibility) => {
  test("can be read by its author and moderators only", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    const [elsa, pavel, vera] = await within((tx) =>
      Promise.all(["elsa", "pavel", "vera"].map((name) => createPerson(tx, name))),
    );
    for (const who of [elsa!, pavel!, vera!])
      await within((tx) => setMembership(tx, at.groupId, who, "member"));
    const word = "Hagebutte";
    const { id } = await createTestReply(database, people.mira, at.discussionId, {
      body: `${word} https://example.org/`,
      replyTo: at.postId,
    });
    await createTestReply(database, vera!, at.discussionId, { body: "So it is.", replyTo: id });
    expect(findReadsWith(word, await collectReads(vera!, at))).toContain("posts");
    for (const who of [elsa!, pavel!])
      await within((tx) => reportPost(tx, who, { postId: id, reason: "It sells." }));
    // The author of the hidden post can read it and, in public groups, so can staff. Elsewhere staff read
    // only the report.
    const may = visibility === "public" ? ["member", "moderator of the site", "admin"] : ["member"];
    for (const [it, who] of await createAllViewers(database, people, at.groupId))
      expect([it, findReadsWith(word, await collectReads(who, at))]).toEqual([
        it,
        may.includes(it) ? ["posts", ...DISCUSSION_READS_OF_ASSISTANTS] : [],
      ]);
    expect(findReadsWith(word, await collectReads(people.tomas, at))).toEqual([
      "as it is taken along",
      "posts",
      ...DISCUSSION_READS_OF_ASSISTANTS,
    ]);
    for (const who of [elsa!, vera!]) expect(findReadsWith(word, await collectReads(who, at))).toEqual([]);
  });
});

describe.each(["public", "private", "secret"] as const)("pending post in a %s group", (visibility) => {
  test("can be read only by its author and its approvers until it is approved", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, visibility);
    // Staff moderate public groups.
    const ways = ["first posts", "first posts in it", "picture in a first post"];
    const may = visibility === "public" ? ["moderator of the site", "admin"] : [];
    for (const [it, who] of await createAllViewers(database, people, at.groupId))
      expect([it, findReadsWith(PENDING_WORD, await collectReads(who, at))]).toEqual([
        it,
        may.includes(it) ? ways : [],
      ]);
    expect(findReadsWith(PENDING_WORD, await collectReads(people.tomas, at))).toEqual(ways);
    const [newcomer] = await many(
      database.db,
      sql<{ id: string }>`select id from people where username = 'seedling'`,
    );
    const author = { id: newcomer!.id, role: "member", trust: "new", limited: false } as const;
    expect(findReadsWith(PENDING_WORD, await collectReads(author, at))).toEqual([
      "own first posts",
      "picture in a first post",
    ]);
    // The author of the pending post may not know the group that contains it.
    expect(
      findReadsWith(visibility === "public" ? PRIVATE_WORD : INSIDE_WORD, await collectReads(author, at)),
    ).toEqual([]);
  });
});
