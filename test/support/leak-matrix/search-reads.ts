import { type Db, run, sql } from "#platform/database";
import { isSignedIn, type SignedIn } from "#community/rules";
import {
  recommendFromReading,
  loadSearchPage,
  listOwnSearches,
  listSimilarDiscussions,
} from "#community/search";
import { DELETED_WORD, INSIDE_WORD, GROUP_NAME, PRIVATE_WORD } from "./marker-words.ts";
import { database, engine, searchEverything, now, BLOCKED_NAME, type Reads } from "./leak-context.ts";

/** Runs a read after the viewer has read a discussion, and rolls the read position back. */
async function withReadDiscussion(
  viewer: SignedIn,
  discussionId: string,
  hear: (db: Db) => Promise<unknown>,
): Promise<unknown> {
  const undone = new Error("So far.");
  let heard: unknown;
  const reading = database.inTransaction(async (tx) => {
    await run(
      tx,
      sql`insert into read_positions (person_id, discussion_id, last_read_number, read_at)
        values (${viewer.id}, ${discussionId}, 1, ${tx.now})
          on conflict (person_id, discussion_id) do update set last_read_number = 1, level = 'normal',
            read_at = excluded.read_at`,
    );
    heard = await hear(tx);
    throw undone;
  });
  await reading.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return heard;
}

export const searchReads: Reads = {
  "search by name": (db, viewer) => loadSearchPage(engine, db, viewer, { text: GROUP_NAME, now: now() }),
  "own searches": (db, viewer) => listOwnSearches(db, viewer),
  "found by name": (_db, viewer) => searchEverything(viewer, GROUP_NAME),
  "found by word": (_db, viewer) => searchEverything(viewer, INSIDE_WORD),
  "found by a word with a typo": async (_db, viewer) =>
    (await searchEverything(viewer, INSIDE_WORD.replace("tt", "t"), { index: "posts" }))[1] && INSIDE_WORD,
  "found by a private word": (_db, viewer) => searchEverything(viewer, PRIVATE_WORD, { index: "messages" }),
  "found by a deleted word": (_db, viewer) =>
    searchEverything(viewer, DELETED_WORD, { index: "discussions" }),
  "events found by word": (_db, viewer) => searchEverything(viewer, INSIDE_WORD, { index: "events" }),
  "found without a word": (_db, viewer) => searchEverything(viewer, ""),
  "found, the latest": (_db, viewer) =>
    searchEverything(viewer, "", {
      index: "posts",
      sort: { by: "createdAt", descending: true },
      length: 100,
    }),
  "found by the author's name": (_db, viewer) => searchEverything(viewer, BLOCKED_NAME, { index: "people" }),
  "found by its filter": async (_db, viewer, at) => {
    const filter = {
      and: [{ facet: "groupId", value: at.groupId }, { not: { facet: "kind", value: "comment" } }],
    };
    return (await searchEverything(viewer, "", { filter, index: "posts" }))[1] === false ? null : INSIDE_WORD;
  },
  "values that begin so": (_db, viewer) =>
    engine.facet(viewer, {
      facet: "tags",
      begins: INSIDE_WORD.slice(0, 3),
      most: 10,
      of: { index: "discussions", words: "" },
    }),
  "names of groups that begin so": (_db, viewer) =>
    engine.facet(viewer, {
      facet: "groupName",
      begins: GROUP_NAME.slice(0, 3),
      most: 10,
      of: { index: "groups", words: "" },
    }),
  "documents by id": (_db, viewer, at) =>
    engine.get(viewer, "all", [
      at.postId,
      at.replyId,
      at.pollId,
      at.discussionId,
      at.resourceId,
      at.messageId,
      at.groupId,
      at.authorId,
      at.eventId,
    ]),
  similar: (db, viewer) => listSimilarDiscussions(db, viewer, INSIDE_WORD),
  "because the open one was read": async (_db, viewer, at) =>
    isSignedIn(viewer) &&
    withReadDiscussion(viewer, at.openId, (db) => recommendFromReading(db, viewer, now())),
  "search by word": (db, viewer) => loadSearchPage(engine, db, viewer, { text: INSIDE_WORD, now: now() }),
  "search in the group": async (db, viewer, at) => {
    const found = await loadSearchPage(engine, db, viewer, { text: `in:${at.slug} type:posts`, now: now() });
    return found.sections.some(({ total }) => total > 0) ? INSIDE_WORD : null;
  },
};
