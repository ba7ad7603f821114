import { addMilliseconds, DAY } from "#platform/clock";
import { type Database, run, sql, type Tx } from "#platform/database";
import { hashSecret } from "#platform/ids";
import {
  addReaction,
  archiveDiscussion,
  castVote,
  deleteDiscussion,
  mergeDiscussion,
  moveDiscussion,
  NewSplit,
  splitDiscussion,
} from "#community/discussions";
import { reportPost } from "#community/moderation";
import type { Visibility } from "#community/rules";
import { createTestDiscussion, createTestGroup, createTestReply, type TestUsers } from "../test-users.ts";
import { DELETED_WORD, INSIDE_WORD, REPORTED_WORD, SHARED_TAG } from "./marker-words.ts";

/**
 * Adds discussions of the group in every state, and a public discussion whose posts were moved to the group.
 */
export async function addMarkedDiscussions(
  database: Database,
  { mira, tomas }: Pick<TestUsers, "mira" | "tomas">,
  group: { id: string },
  visibility: Visibility,
) {
  const within = database.inTransaction;
  const discussion = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} for all`,
    body: INSIDE_WORD,
    tags: [INSIDE_WORD.toLowerCase(), SHARED_TAG],
  });
  const reply = await createTestReply(database, mira, discussion.id, {
    body: `${INSIDE_WORD} again`,
    replyTo: discussion.postId,
  });
  const asks = await createTestReply(database, mira, discussion.id, {
    body: "Which?",
    pollOptions: `${INSIDE_WORD}\nNothing`,
  });
  await within((tx) => castVote(tx, tomas, { postId: asks.id, options: [1] }));
  await within((tx) => addReaction(tx, tomas, { postId: discussion.postId, emoji: "👍" }));
  const former = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} too`,
    body: INSIDE_WORD,
  });
  const ground = await createTestGroup(database, { tomas, mira }, { name: "Open ground" });
  const open = await createTestDiscussion(database, mira, ground.id, {
    title: "All may read",
    body: "Open.",
    tags: [SHARED_TAG],
  });
  const gone = await createTestReply(database, mira, open.id, { body: INSIDE_WORD });
  const putAway = await createTestDiscussion(database, mira, group.id, {
    title: `${INSIDE_WORD} of old`,
    body: INSIDE_WORD,
  });
  const deleted = await createTestDiscussion(database, mira, group.id, {
    title: DELETED_WORD,
    body: DELETED_WORD,
  });
  await within(async (tx) => {
    const reason = "It belongs there.";
    await archiveDiscussion(tx, tomas, { discussionId: putAway.id, reason });
    await deleteDiscussion(tx, tomas, { discussionId: deleted.id, reason });
    await mergeDiscussion(tx, tomas, { discussionId: former.id, into: discussion.id, visibility, reason });
    const off = await splitDiscussion(
      tx,
      tomas,
      NewSplit.parse({ discussionId: open.id, postIds: [gone.id], title: INSIDE_WORD, reason }),
    );
    await moveDiscussion(tx, tomas, { discussionId: off.id, groupId: group.id, visibility, reason });
    await addGuestReport(tx, reply.id);
    const { id: reportId } = await reportPost(tx, tomas, { postId: reply.id, reason: REPORTED_WORD });
    await addEvidenceFile(tx, reportId);
  });
  return { discussion, reply, asks, former, ground, open, deleted };
}

/** Token of the link to a guest's report. */
export const GUEST_REPORT_TOKEN = "g".repeat(43);

/** Stores a confirmed report of a guest, who saw the reply before its group was closed. */
async function addGuestReport(tx: Tx, postId: string): Promise<void> {
  const id = tx.newId();
  const at = addMilliseconds(tx.now, -DAY);
  await run(
    tx,
    sql`insert into reports (id, by_guest, post_id, reason, created_at)
      values (${id}, true, ${postId}, 'It sells beans.', ${at})`,
  );
  await run(
    tx,
    sql`insert into guest_reports (id, token_hash, kind, subject_id, name, email, locale, category, law, reason,
        created_at, expires_at, confirmed_at, report_id)
      values (${tx.newId()}, ${hashSecret(GUEST_REPORT_TOKEN)}, 'post', ${postId}, 'Gus', 'gus@example.net', 'en',
        'other', '', 'It sells beans.', ${at}, ${tx.now}, ${at}, ${id})`,
  );
}

/** Stores a file with the report, as if it had been attached to the post. */
const addEvidenceFile = (tx: Tx, reportId: string) =>
  run(
    tx,
    sql`insert into report_files (id, report_id, seq, place, hash, size, mime, file_name, alt)
      select ${tx.newId()}, report_id, seq, 0, ${"e".repeat(64)}, 80, 'text/plain', ${INSIDE_WORD}, ''
      from reported_messages where report_id = ${reportId}`,
  );
