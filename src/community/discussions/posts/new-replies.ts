import { maybeOne, one, sql, type Tx } from "#platform/database";
import { publishAfterCommit, emitInStatement, type DomainEvent } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { reportFlaggedText } from "#community/prevention";
import { discussionRules, type SignedIn, type Viewer, SERVER_LIMITS } from "#community/rules";
import { cannotReplyRefusal } from "../discussion.ts";
import { type ReplyTarget, selectReplyTarget } from "../discussion-columns.ts";
import { checkNewText, type ApprovalStage, needsApproval } from "../first-posts/approval-checks.ts";
import {
  requirePublished,
  storePendingPost,
  type PendingResult,
} from "../first-posts/pending-post-storage.ts";
import { type NewReply, draftTargets } from "../discussion-inputs.ts";
import { hasReferences, renderWithMentions, storeTextReferences } from "./mentions.ts";
import { findMergedDiscussion } from "../moderation/merge.ts";
import {
  assertContentLimits,
  assertNotFull,
  assertReplyLimit,
  writingActivity,
  writerLockSql,
} from "./post-limits.ts";
import { createPoll } from "../polls/poll-votes.ts";
import { closeFullDiscussion } from "../moderation/timers.ts";
import { updateGroupActivity } from "./new-discussions.ts";

type StoredReply = { id: string; number: number; discussionId: string; plain: string[] };
type PendingReply = PendingResult & { discussionId: string };

/**
 * Replies in a discussion; post numbers have no gaps. If the discussion was merged meanwhile, the reply is
 * stored in the target, whose id is `discussionId`. Stored once per `clientId`; a retry returns the first
 * result even if the viewer can no longer write. `plain` lists unresolved mentions.
 * @throws `not-found`, `not-allowed` if the viewer may not write or the text needs approval, `too-many`
 * above the rate limit, `conflict` after three replies in a row, when the discussion is full, or while the
 * same reply is sent elsewhere, `invalid` on `body` for too many links or pictures, and on a poll field
 */
export const reply = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewReply>): Promise<StoredReply> =>
  requirePublished(await replyOrAwaitApproval(tx, viewer, input));

/**
 * Like `reply`, but stores a text that needs approval as a pending post (`waits`).
 * @throws `too-many` for too many pending posts
 */
export const replyOrAwaitApproval = (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewReply>,
): Promise<StoredReply | PendingReply> => storeReply(tx, requireSignedIn(viewer), input, "first");

/** Approved posts (`passed`) are exempt from rate limits. */
export async function storeReply(
  tx: Tx,
  me: SignedIn,
  uncheckedInput: z.output<typeof NewReply>,
  stage: ApprovalStage,
): Promise<StoredReply | PendingReply> {
  const [{ input, waitsFor, flagged }, first] = await Promise.all([
    checkNewText(tx, me, uncheckedInput, ["body", "pollOptions"], stage),
    lockReplyTarget(tx, me, uncheckedInput),
  ]);
  // If watched words were replaced, the target is loaded again: a retry is recognized by the replaced text.
  const { discussion, sent, written } =
    input === uncheckedInput ? first : await lockReplyTarget(tx, me, input);
  if (sent.same) return { id: sent.id, number: sent.number, discussionId: discussion.id, plain: [] };
  if (!discussionRules.reply(me, discussion)) throw cannotReplyRefusal(me, discussion);
  assertNotFull(discussion);
  if (stage === "first") await assertReplyLimit(tx, me, discussion, written);
  const id = tx.newId();
  const text = await renderWithMentions(
    tx,
    me,
    { groupId: discussion.group.id, audience: discussion.audience },
    input.body,
    id,
  );
  await assertContentLimits(tx, me, text, { discussionId: discussion.id, groupId: discussion.group.id });
  const can = { moderate: discussionRules.moderate(me, discussion) };
  if (stage === "first" && (await needsApproval(tx, me, can, text, waitsFor)))
    return {
      ...(await storePendingPost(tx, me, { discussionId: discussion.id }, input, text, waitsFor)),
      discussionId: discussion.id,
    };
  // The discussion's row is locked: the next number is free, unless the post is stored already.
  const number = discussion.lastNumber + 1;
  const at = { discussionId: discussion.id, groupId: discussion.group.id, postId: id };
  const domainEvent = { type: "post.written", ...at, number, by: me.id };
  const post = {
    ...input,
    id,
    number,
    html: text.html,
    clientId: sent.id === null ? input.clientId : undefined,
  };
  const stored = await maybeOne(tx, insertReply(tx, me, discussion, post, domainEvent));
  if (!stored) throw new Refusal("conflict", "This is already being sent elsewhere.");
  publishAfterCommit(tx, domainEvent, stored.id);
  await createPoll(tx, id, input);
  await reportFlaggedText(tx, me.id, flagged, { postId: id });
  if (hasReferences(text)) await storeTextReferences(tx, me, at, text);
  if (number >= SERVER_LIMITS.postsInDiscussion) await closeFullDiscussion(tx, me, discussion);
  return { id, number, discussionId: discussion.id, plain: text.plain };
}

type NewPost = Pick<z.output<typeof NewReply>, "body" | "replyTo" | "draftVersion"> & {
  id: string;
  number: number;
  html: string;
  clientId: string | undefined;
};

/** Stores the post and its event in one statement; returns nothing if it is stored already. */
const insertReply = (
  tx: Tx,
  me: SignedIn,
  discussion: ReplyTarget,
  post: NewPost,
  domainEvent: DomainEvent,
) => sql<{ id: string }>`
  with written as (
    insert into posts (id, discussion_id, number, author_id, reply_to, body_md, body_html, client_id,
      created_at)
    values (${post.id}, ${discussion.id}, ${post.number}, ${me.id},
      ${repliedPostId(me, discussion, post.replyTo)},
      ${post.body}, ${post.html}, ${post.clientId ?? null}, ${tx.now})
    on conflict (author_id, client_id) where client_id is not null do nothing
    returning id, number),
  counted as (
    update discussions set posts_count = posts_count + 1, last_number = written.number,
      last_post_at = ${tx.now}, last_post_by = ${me.id}
    from written where discussions.id = ${discussion.id}),
  reading as (
    insert into read_positions (person_id, discussion_id, last_read_number, level, level_chosen, read_at)
    select ${me.id}, ${discussion.id}, number, 'tracking', ${isNonMember(discussion)}, ${tx.now} from written
    on conflict (person_id, discussion_id) do update set read_at = excluded.read_at,
      last_read_number = case
        when read_positions.last_read_number >= ${discussion.lastNumber} then excluded.last_read_number
        else read_positions.last_read_number end,
      level = case when read_positions.level = 'normal' and not read_positions.level_chosen then 'tracking'
        else read_positions.level end,
      level_chosen = read_positions.level_chosen or excluded.level_chosen),
  active as (${updateGroupActivity(tx, discussion.group.id)}),
  draft as (${deleteSentDraft(me.id, draftTargets.discussion(discussion.id), post)}
    and exists (select from written))
  ${emitInStatement(tx, domainEvent, "written")}`;

/**
 * Whether the viewer is not a member. A non-member's reply counts as choosing to follow the discussion,
 * because without a membership no other list contains it.
 */
const isNonMember = ({ group }: ReplyTarget) => group.viewerState !== "member";

/** The post that is replied to, if it is in this discussion and no block separates the authors. */
const repliedPostId = (me: SignedIn, discussion: ReplyTarget, replyTo: string | undefined) =>
  replyTo === undefined
    ? sql`null`
    : sql`(select q.id from posts q where q.id = ${replyTo} and q.discussion_id = ${discussion.id}
      and q.number > ${discussion.lastHiddenNumber} and q.author_id <> all(${blockedEitherWayIds(me)}))`;

/**
 * Locks the discussion, or the one it was merged into, takes the writer lock, and loads recent activity.
 * @throws `not-found`
 */
async function lockReplyTarget(tx: Tx, me: SignedIn, input: z.output<typeof NewReply>) {
  for (let { discussionId: id } = input; ;) {
    const [discussion, sent, written] = await Promise.all([
      maybeOne(tx, selectReplyTarget(me, id)),
      one(tx, findSubmittedReply(me, { ...input, discussionId: id })),
      one(tx, writingActivity(tx, me, id)),
    ]);
    if (discussion) return { discussion, sent, written };
    const now = await findMergedDiscussion(tx, me, id);
    if (!now) throw notFound();
    id = now.discussion.id;
  }
}

type EarlierSubmission =
  | { id: string; number: number; same: boolean }
  | { id: null; number: null; same: false };

/**
 * The reply stored earlier for this submission; `same` is true unless the text differs. Takes the writer
 * lock.
 */
const findSubmittedReply = (
  me: SignedIn,
  { discussionId, clientId, body }: z.output<typeof NewReply>,
) => sql<EarlierSubmission>`
  select p.id, p.number, p.id is not null and p.discussion_id = ${discussionId}
    and p.body_md = ${body} is true as same
  from (${writerLockSql(me)}) turn left
  join posts p on p.author_id = ${me.id} and p.client_id = ${clientId ?? null}::uuid`;
