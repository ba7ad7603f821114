import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { reportPost } from "#community/moderation";
import type { Visibility } from "#community/rules";
import { createTestReply, setMembership, createTestUsers, createPerson } from "../support/test-users.ts";
import { createLeakCommunity } from "../support/leak-matrix/community.ts";
import {
  PENDING_WORD,
  INSIDE_WORD,
  NOTE_WORD,
  PRIVATE_WORD,
  PROFILE_WORD,
} from "../support/leak-matrix/marker-words.ts";
import { createAllViewers, type ViewerClass } from "../support/leak-matrix/viewers.ts";
import { collectReads, findReadsWith } from "../support/leak-matrix/all-reads.ts";
import { DISCUSSION_READS_OF_ASSISTANTS } from "../support/leak-matrix/assistant-reads.ts";
import { database } from "../support/leak-matrix/leak-context.ts";

const { inTransaction: within } = database;

const HIDDEN_WORD = "Hagebutte";
const VISIBILITIES = ["public", "private", "secret"] as const;

/** Results of all reads by viewer class, and by name of the persons involved. */
type Reads = {
  byClass: [ViewerClass, Record<string, string>][];
  of: Record<"tomas" | "elsa" | "vera" | "newcomer", Record<string, string>>;
  /** Reads of a member before the post was reported. */
  beforeReports: Record<string, string>;
};

/** Creates a group with a hidden and a pending post, and collects what each viewer reads. */
async function createAndRead(visibility: Visibility): Promise<Reads> {
  const people = await createTestUsers(database);
  const at = await createLeakCommunity(database, people, visibility);
  const [elsa, pavel, vera] = await within((tx) =>
    Promise.all(["elsa", "pavel", "vera"].map((name) => createPerson(tx, name))),
  );
  for (const who of [elsa!, pavel!, vera!])
    await within((tx) => setMembership(tx, at.groupId, who, "member"));
  const { id } = await createTestReply(database, people.mira, at.discussionId, {
    body: `${HIDDEN_WORD} https://example.org/`,
    replyTo: at.postId,
  });
  await createTestReply(database, vera!, at.discussionId, { body: "So it is.", replyTo: id });
  const beforeReports = await collectReads(vera!, at);
  for (const who of [elsa!, pavel!])
    await within((tx) => reportPost(tx, who, { postId: id, reason: "It sells." }));
  const byClass: Reads["byClass"] = [];
  for (const [it, who] of await createAllViewers(database, people, at.groupId))
    byClass.push([it, await collectReads(who, at)]);
  const [seedling] = await many(
    database.db,
    sql<{ id: string }>`select id from people where username = 'seedling'`,
  );
  const newcomer = { id: seedling!.id, role: "member", trust: "new", limited: false } as const;
  return {
    byClass,
    of: {
      tomas: await collectReads(people.tomas, at),
      elsa: await collectReads(elsa!, at),
      vera: await collectReads(vera!, at),
      newcomer: await collectReads(newcomer, at),
    },
    beforeReports,
  };
}

describe.each(VISIBILITIES)("%s group with a hidden and a pending post", (visibility) => {
  // The first test of a group collects the reads for both. A hook would run before the database is emptied.
  let collected: Promise<Reads> | undefined;
  const collectOnce = () => (collected ??= createAndRead(visibility));

  test("shows the hidden post to its author and moderators only", { timeout: 180_000 }, async () => {
    const { byClass, of, beforeReports } = await collectOnce();
    expect(findReadsWith(HIDDEN_WORD, beforeReports)).toContain("posts");
    // The author of the hidden post can read it and, in public groups, so can staff. Elsewhere staff read
    // only the report.
    const may = visibility === "public" ? ["member", "moderator of the site", "admin"] : ["member"];
    for (const [it, reads] of byClass)
      expect([it, findReadsWith(HIDDEN_WORD, reads)]).toEqual([
        it,
        may.includes(it) ? ["posts", ...DISCUSSION_READS_OF_ASSISTANTS] : [],
      ]);
    expect(findReadsWith(HIDDEN_WORD, of.tomas)).toEqual([
      "as it is taken along",
      "posts",
      ...DISCUSSION_READS_OF_ASSISTANTS,
    ]);
    for (const reads of [of.elsa, of.vera]) expect(findReadsWith(HIDDEN_WORD, reads)).toEqual([]);
  });

  test("shows the pending post only to its author and its approvers until it is approved", async () => {
    const { byClass, of } = await collectOnce();
    // Staff moderate public groups.
    const ways = ["first posts", "first posts in it", "picture in a first post"];
    const may = visibility === "public" ? ["moderator of the site", "admin"] : [];
    for (const [it, reads] of byClass)
      expect([it, findReadsWith(PENDING_WORD, reads)]).toEqual([it, may.includes(it) ? ways : []]);
    expect(findReadsWith(PENDING_WORD, of.tomas)).toEqual(ways);
    expect(findReadsWith(PENDING_WORD, of.newcomer)).toEqual(["own first posts", "picture in a first post"]);
    // Staff approve texts of profiles, and write notes on people; moderators of a group do neither.
    const staff = ["moderator of the site", "admin"];
    for (const [it, reads] of byClass) {
      const isStaff = staff.includes(it);
      expect([it, findReadsWith(PROFILE_WORD, reads)]).toEqual([it, isStaff ? ["first posts"] : []]);
      const noteReads = findReadsWith(NOTE_WORD, reads);
      if (isStaff) expect(noteReads.filter((read) => read !== "case")).toEqual(["notes on the author"]);
      else expect([it, noteReads]).toEqual([it, []]);
    }
    for (const reads of [of.tomas, of.elsa, of.vera])
      for (const word of [PROFILE_WORD, NOTE_WORD]) expect(findReadsWith(word, reads)).toEqual([]);
    expect(findReadsWith(PROFILE_WORD, of.newcomer)).toEqual(["own first posts", "own profile texts"]);
    // The author of the pending post may not know the group that contains it.
    expect(findReadsWith(visibility === "public" ? PRIVATE_WORD : INSIDE_WORD, of.newcomer)).toEqual([]);
  });
});
