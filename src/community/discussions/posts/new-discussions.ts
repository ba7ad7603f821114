import { addMilliseconds, MINUTE } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import { requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import { type ApprovalReason, reportFlaggedText } from "#community/prevention";
import { type GroupFacts, groupRules, type SignedIn, type Viewer } from "#community/rules";
import { limitedAccountRefusal } from "../discussion.ts";
import { checkNewText, type ApprovalStage, needsApproval } from "../first-posts/approval-checks.ts";
import {
  type DescribedEvent,
  requirePublished,
  storePendingPost,
  type PendingResult,
} from "../first-posts/pending-post-storage.ts";
import { type NewDiscussion, draftTargets } from "../discussion-inputs.ts";
import { hasReferences, renderWithMentions, storeTextReferences } from "./mentions.ts";
import { detectTextLanguage } from "./language-detection.ts";
import { assertContentLimits, assertDiscussionLimit } from "./post-limits.ts";
import { createPoll } from "../polls/poll-votes.ts";

const DISCUSSION_TEXTS = ["title", "body", "tags", "pollOptions"] as const;

type StartedDiscussion = { id: string; postId: string; plain: string[] };

/**
 * Starts a discussion, which the viewer then follows; stored once per `clientId`. `plain` lists unresolved
 * mentions.
 * @throws `not-found` for a group the viewer may not see, `not-allowed` if they may not write in it or the
 * text needs approval, `too-many` above the rate limit, `invalid` on `body` for too many links or pictures,
 * and on a poll field
 */
export const startDiscussion = async (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewDiscussion>,
): Promise<StartedDiscussion> => requirePublished(await startDiscussionOrAwaitApproval(tx, viewer, input));

/**
 * Like `startDiscussion`, but stores a text that needs approval as a pending post (`waits`). `reason`: why the
 * event that it describes needs approval.
 * @throws `too-many` for too many pending posts
 */
export const startDiscussionOrAwaitApproval = (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewDiscussion> & DescribedEvent,
  reason: ApprovalReason | null = null,
): Promise<StartedDiscussion | PendingResult> =>
  storeDiscussion(tx, requireSignedIn(viewer), input, "first", reason);

/** Approved posts (`passed`) are exempt from rate limits. */
export async function storeDiscussion(
  tx: Tx,
  me: SignedIn,
  uncheckedInput: z.output<typeof NewDiscussion> & DescribedEvent,
  stage: ApprovalStage,
  reason: ApprovalReason | null = null,
): Promise<StartedDiscussion | PendingResult> {
  const group = await getGroupToChange(tx, me, uncheckedInput.groupId, "read");
  const { input, flagged, ...checked } = await checkNewText(tx, me, uncheckedInput, DISCUSSION_TEXTS, stage);
  const waitsFor = checked.waitsFor ?? reason;
  const sent = await findSubmittedDiscussion(tx, me, input);
  if (sent?.same) return { id: sent.id, postId: sent.postId, plain: [] };
  if (!groupRules.start(me, group)) throw cannotStartRefusal(me, group);
  if (stage === "first") await assertDiscussionLimit(tx, me);
  const started = { id: tx.newId(), postId: tx.newId() };
  const text = await renderWithMentions(
    tx,
    me,
    { groupId: group.id, audience: "group" },
    input.body,
    started.postId,
  );
  await assertContentLimits(tx, me, text);
  const can = { moderate: groupRules.moderate(me, group) };
  if (stage === "first" && (await needsApproval(tx, me, can, text, waitsFor)))
    return storePendingPost(tx, me, { groupId: group.id }, input, text, waitsFor);
  const language = await detectTextLanguage(tx, me.id, input);
  await run(
    tx,
    sql`with discussion as (
          insert into discussions (id, group_id, author_id, title, language, language_known, tags,
            posts_count, last_number, last_post_at, last_post_by, created_at)
          values (${started.id}, ${group.id}, ${me.id}, ${input.title}, ${language}, true,
            ${input.tags}::text[], 1, 1, ${tx.now}, ${me.id}, ${tx.now})),
        post as (
          insert into posts (id, discussion_id, number, author_id, body_md, body_html, client_id, created_at)
          values (${started.postId}, ${started.id}, 1, ${me.id}, ${input.body}, ${text.html},
            ${sent ? null : (input.clientId ?? null)}, ${tx.now})),
        reading as (
          insert into read_positions (person_id, discussion_id, last_read_number, level, read_at)
          values (${me.id}, ${started.id}, 1, 'tracking', ${tx.now})),
        draft as (${deleteSentDraft(me.id, draftTargets.group(group.id), input)})
        ${updateGroupActivity(tx, group.id)}`,
  );
  await createPoll(tx, started.postId, input);
  await emit(tx, {
    type: "discussion.started",
    discussionId: started.id,
    groupId: group.id,
    postId: started.postId,
    by: me.id,
  });
  if (hasReferences(text))
    await storeTextReferences(
      tx,
      me,
      { postId: started.postId, discussionId: started.id, groupId: group.id },
      text,
    );
  await reportFlaggedText(tx, me.id, flagged, { postId: started.postId });
  return { ...started, plain: text.plain };
}

/** Refusal with the reason why a person who can see a group cannot start a discussion in it. */
export function cannotStartRefusal(viewer: Viewer, group: GroupFacts): Refusal {
  if (group.state === "archived") return new Refusal("not-allowed", "This group is archived and read-only.");
  if (group.state === "pending")
    return new Refusal("not-allowed", "This group waits for approval. You can post once it is approved.");
  if (viewer.limited) return limitedAccountRefusal();
  return groupRules.write(viewer, group)
    ? new Refusal("not-allowed", "Only moderators can start discussions in this group.")
    : new Refusal("not-allowed", "Join the group to post.");
}

/**
 * A retry of the same submission waits here, so that it finds the stored result. The same client id with
 * another text comes from a restored page that was edited, and is a new submission.
 */
async function findSubmittedDiscussion(
  tx: Tx,
  me: SignedIn,
  { clientId, title, body }: z.output<typeof NewDiscussion>,
) {
  if (!clientId) return undefined;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 0))`);
  return maybeOne(
    tx,
    sql<{ id: string; postId: string; same: boolean }>`
      select p.discussion_id as id, p.id as "postId", p.number = 1 and p.body_md = ${body}
        and d.title = ${title} is true as same
      from posts p left join discussions d on d.id = p.discussion_id
      where p.author_id = ${me.id} and p.client_id = ${clientId}`,
  );
}

/**
 * Updates the group's time of last activity, at most once a minute: otherwise all writers in a group would
 * wait for one row.
 */
export const updateGroupActivity = (tx: Tx, groupId: string) =>
  sql`update groups set last_active_at = ${tx.now}
    where id = ${groupId} and last_active_at < ${addMilliseconds(tx.now, -MINUTE)}`;
