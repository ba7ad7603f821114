import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { getConversation, isMessageHiddenFrom, messageStubColumn } from "#community/conversations";
import { hidePost, lockReportedPost, getPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { isStaff, LIMITS, SERVER_LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { storeReportFiles } from "#community/common";
import { type NewPostReport, type NewReport, type ReportDetails, toStoredDetails } from "./report-forms.ts";
import { lockPendingReports } from "./report-locks.ts";
import { isReportedEnough } from "./reported-enough.ts";

/**
 * Reports messages of others to staff, with a snapshot that includes five messages before and after each, as
 * far as the viewer can read them.
 * @throws `not-found` for a non-participant and for messages that cannot be reported, `too-many` above
 * twenty a day, five for newcomers
 */
export async function reportMessages(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReport> & ReportDetails,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const conversation = await getConversation(tx, me, input.conversationId);
  const readable = sql`x.conversation_id = ${conversation.id} and x.seq > ${conversation.joinedSeq}
    and x.seq <= ${conversation.lastSeq} and ${messageStubColumn(me, "x", "author", "c")} is null
    and not ${isMessageHiddenFrom(me, "x")}`;
  const chosen = await many(
    tx,
    sql<{
      seq: number;
    }>`select x.seq from ${MESSAGE_TABLES}
      where x.id = any(${input.messageIds}::uuid[]) and x.author_id <> ${me.id} and ${readable}`,
  );
  if (chosen.length < new Set(input.messageIds).size) throw notFound();
  await assertReportLimit(tx, me);
  const id = tx.newId();
  const { category, law } = toStoredDetails(input);
  await run(
    tx,
    sql`insert into reports (id, reporter_id, conversation_id, category, law, reason, created_at)
      values (${id}, ${me.id}, ${conversation.id}, ${category}, ${law}, ${input.reason}, ${tx.now})`,
  );
  const seqs = chosen.map(({ seq }) => seq);
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, edited_at, chosen)
        select ${id}, x.seq, x.author_id, x.body_html, x.created_at, x.edited_at,
          x.seq = any(${seqs}::integer[])
        from ${MESSAGE_TABLES} where ${readable}
          and exists (select from unnest(${seqs}::integer[]) c (seq)
            where x.seq between c.seq - ${LIMITS.reports.around}::integer
              and c.seq + ${LIMITS.reports.around}::integer)`,
  );
  await storeReportFiles(tx, id);
  await emit(tx, { type: "report.created", reportId: id, by: me.id });
  return { id };
}

/**
 * Reports a post or comment of others with a snapshot to the moderators of its place. After enough reports
 * the post is hidden until reviewed.
 * @throws `not-found` if the viewer cannot read it, `not-allowed` for their own, `conflict` while the same
 * report is pending, `too-many` as `reportMessages`
 */
export async function reportPost(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewPostReport> & ReportDetails,
): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const post = await getPost(tx, me, input.postId, { reveal: true });
  if (post.stub === "hidden")
    throw new Refusal(
      "conflict",
      "Others have reported this too. It is hidden until a moderator has reviewed it.",
    );
  if (post.html === null) throw notFound();
  if (post.mine) throw new Refusal("not-allowed", "This is your own content. You can edit or delete it.");
  await assertReportLimit(tx, me);
  const { id } = await insertPostReport(tx, post.id, { reporterId: me.id, input });
  if (await isReportedEnough(tx, { postId: post.id })) await hidePost(tx, post.id);
  return { id };
}

type PostReport = { reporterId: string | null; input: ReportDetails & { reason: string } };

/**
 * Stores a report of a post with a snapshot; without a `reporterId` it is one of a guest, which never hides the
 * post.
 * @throws `conflict` while the same report of a member is pending
 */
export async function insertPostReport(
  tx: Tx,
  postId: string,
  { reporterId, input }: PostReport,
): Promise<{ id: string }> {
  await lockPendingReports(tx, { aboutId: postId });
  await lockReportedPost(tx, postId);
  const id = tx.newId();
  const { category, law } = toStoredDetails(input);
  const made = await run(
    tx,
    sql`insert into reports (id, reporter_id, by_guest, post_id, category, law, reason, created_at)
      values (${id}, ${reporterId}, ${reporterId === null}, ${postId}, ${category}, ${law}, ${input.reason},
        ${tx.now})
        on conflict ${PENDING_REPORT_INDEX} do nothing`,
  );
  if (made === 0) throw alreadyReported();
  await run(
    tx,
    sql`insert into reported_messages (report_id, seq, author_id, body_html, written_at, edited_at, chosen)
        select ${id}, number, author_id, body_html, created_at, edited_at, true from posts
        where id = ${postId}`,
  );
  await storeReportFiles(tx, id);
  await emit(tx, { type: "report.created", reportId: id, by: reporterId });
  return { id };
}

/** Unique index: one pending report per reporter and subject. */
export const PENDING_REPORT_INDEX = sql`(about_id, reporter_id)
  where about_id is not null and resolved_at is null`;
export const alreadyReported = () =>
  new Refusal("conflict", "You have already reported this. A moderator will review it.");

const MESSAGE_TABLES = sql`messages x join conversations c on c.id = x.conversation_id
  join people author on author.id = x.author_id`;

export async function assertReportLimit(tx: Tx, me: SignedIn) {
  if (isStaff(me)) return;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('reports:' || ${me.id}::text, 0))`);
  const most = me.trust === "new" ? SERVER_LIMITS.reports.newDay : SERVER_LIMITS.reports.day;
  const { made } = await one(
    tx,
    sql<{
      made: number;
    }>`select count(*)::int as made
      from (select from reports
        where reporter_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)} ${limit(most)}) few`,
  );
  if (made >= most)
    throw new Refusal(
      "too-many",
      "You have reached today's limit of reports. Moderators will read them. Come back tomorrow.",
    );
}
