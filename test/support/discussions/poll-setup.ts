import type { z } from "zod";
import { castVote, getPost, type NewReply } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../test-users.ts";

export function createPollSetup(database: TestDatabase) {
  const { db, inTransaction: within } = database;

  /** Creates a discussion started by Mira with a poll on which beans to sow. */
  async function setupPoll(
    options: Partial<z.input<typeof NewReply>> = {},
    visibility: "public" | "private" = "public",
  ) {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people, { visibility });
    const { id, postId } = await createTestDiscussion(database, people.mira, group.id, {
      pollOptions: "Runner\nBroad\nNone",
      ...options,
    });
    return { ...people, group, id, postId };
  }
  const vote = (who: Viewer, postId: string, ...options: number[]) =>
    within((tx) => castVote(tx, who, { postId, options }));
  const getPoll = async (who: Viewer, postId: string) => (await getPost(db, who, postId)).poll;
  const countVotes = async (who: Viewer, postId: string) =>
    (await getPoll(who, postId))!.options.map((it) => it.votes);

  return { setupPoll, vote, getPoll, countVotes };
}
