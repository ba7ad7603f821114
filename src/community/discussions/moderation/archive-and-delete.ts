import { DAY, addMilliseconds, SECOND } from "#platform/clock";
import { limit, maybeOne, run, sql, type Tx } from "#platform/database";
import { invalid, Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import { discussionRules, type PostFacts, type SignedIn, type Viewer } from "#community/rules";
import { reinstatePost } from "../posts/post-removal.ts";
import { getDiscussionForUpdate } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import { discussionContainer } from "../posts/post-container.ts";
import {
  RESTORED_STATE_COLUMNS,
  type DiscussionChange,
  type OptionalReasonInput,
  moderateDiscussion,
  type RequiredReasonInput,
  trimReason,
  requireReason,
  CLEARED_PIN_COLUMNS,
} from "./discussion-moderation.ts";

/**
 * Archives a discussion: it stays readable, but is closed and unlisted.
 * @throws `not-found`, `not-allowed`, `invalid` on `reason`, as do all commands in this file
 */
export const archiveDiscussion = (tx: Tx, viewer: Viewer, input: RequiredReasonInput) =>
  moderateDiscussion(tx, viewer, input, (me, { state }) => {
    if (state !== "open") throw new Refusal("conflict", "The discussion is already archived.");
    return {
      kind: "archived",
      reason: requireReason(input),
      set: sql`state = 'archived', archived_at = ${tx.now}, archived_by = ${me.id}, ${CLEARED_PIN_COLUMNS}`,
    };
  });

/**
 * Restores an archived discussion; needs no reason.
 * @throws `conflict` if it is not archived
 */
export const unarchiveDiscussion = (tx: Tx, viewer: Viewer, input: OptionalReasonInput) =>
  moderateDiscussion(tx, viewer, input, (_me, { state }) => {
    if (state !== "archived") throw new Refusal("conflict", "The discussion is not archived.");
    return {
      kind: "unarchived",
      reason: trimReason(input),
      set: sql`state = 'open', archived_at = null, archived_by = null`,
    };
  });

/**
 * Deletes a discussion for all but moderators, who can restore it within 30 days. Its author sees the reason
 * and can appeal (`appealRemoval`).
 */
export const deleteDiscussion = (tx: Tx, viewer: Viewer, input: RequiredReasonInput) =>
  moderateDiscussion(tx, viewer, input, (me) => {
    if (!input.reason.trim())
      throw invalid("reason", "Enter a reason. The author of the discussion will read it.");
    const reason = requireReason(input);
    return {
      kind: "deleted",
      reason,
      set: sql`state = 'deleted', deleted_at = ${tx.now}, deleted_by = ${me.id}, deleted_reason = ${reason},
        ${CLEARED_PIN_COLUMNS}`,
    };
  });

/**
 * Restores a deleted discussion to its former state, with its only post if this post was deleted with it.
 * @throws `conflict` if the author deleted that post, `gone` when its text is purged
 */
export async function restoreDiscussion(tx: Tx, viewer: Viewer, input: OptionalReasonInput): Promise<void> {
  const decide = (_me: SignedIn, { state }: Discussion): DiscussionChange => {
    if (state !== "deleted") throw new Refusal("conflict", "The discussion is not deleted.");
    return { kind: "restored", reason: trimReason(input), set: RESTORED_STATE_COLUMNS };
  };
  await moderateDiscussion(tx, viewer, input, decide, discussionRules.moderate);
  await restoreWithOnlyPost(tx, viewer, input);
}

async function restoreWithOnlyPost(tx: Tx, viewer: Viewer, input: OptionalReasonInput): Promise<void> {
  const discussion = await getDiscussionForUpdate(tx, viewer, input.discussionId);
  if (discussion.lastNumber > 1) return;
  const post = await maybeOne(
    tx,
    sql<{ id: string; number: number; state: PostFacts["state"]; body: string }>`
      select id, number, state, body_md as body from posts
      where discussion_id = ${discussion.id} for no key update`,
  );
  if (post?.state === "deleted_by_author")
    throw new Refusal("conflict", "The author deleted this. Only they could restore it.");
  if (post?.state !== "removed") return;
  if (post.body === "") throw new Refusal("gone", "The text of this post is no longer stored.");
  await reinstatePost(
    tx,
    requireSignedIn(viewer),
    discussionContainer(viewer, discussion),
    { ...post, isOnly: true },
    trimReason(input),
  );
}

const RESTORE_TIME = 30 * DAY;
const BATCH_SIZE = 100;

/** Time until which the deleted discussion `d` can be restored. */
export const restorableUntil = (discussion: string) => {
  const d = sql.ref(discussion);
  return sql<Date>`
  ${d}.deleted_at + make_interval(secs => case when ${d}.last_number = 1
    and ${d}.deleted_by = ${d}.author_id then ${DAY / SECOND}::float8 else ${RESTORE_TIME / SECOND} end)`;
};

/** Condition: the author has an open appeal. The content is not purged until the appeal is decided. */
const isOpenAppeal = sql`(r.appeal and r.resolved_at is null)`;

/** Whether the author deleted the post before any later post, and no report of it is open. */
const isUndisputedRemoval = sql`(
  state = 'deleted_by_author'
    and not exists (select from reports r where r.post_id = posts.id and r.resolved_at is null)
  and not exists (select from posts after
    where after.discussion_id = posts.discussion_id and after.number > posts.number)
  and not exists (select from posts after
    where after.resource_id = posts.resource_id and after.number > posts.number))`;

/**
 * For jobs: purges discussions deleted 30 days ago (or a day ago by their author without replies). Of posts
 * removed 30 days ago, purges text, links and mentions, but keeps the number. Uploads are detached. Each call
 * handles one batch of discussions and one of posts.
 */
export async function purgeDeletedContent(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`with gone as (
          delete from discussions where id in (
            select d.id from discussions d where d.state = 'deleted' and ${restorableUntil("d")} < ${tx.now}
              and not exists (select from posts p join reports r on r.post_id = p.id
                where p.discussion_id = d.id and ${isOpenAppeal})
            order by d.deleted_at ${limit(BATCH_SIZE)} for update skip locked)
          returning id)
        ${detachUploads(sql`select p.id from gone join posts p on p.discussion_id = gone.id`)}`,
  );
  await run(
    tx,
    sql`with taken as (
          update posts set body_md = '', body_html = '', removed_at = null where id in (
            select id from posts where state in ('deleted_by_author', 'removed')
              and removed_at < ${addMilliseconds(tx.now, -DAY)}
              and (${isUndisputedRemoval}
                or (removed_at < ${addMilliseconds(tx.now, -RESTORE_TIME)}
                  and not exists (select from reports r where r.post_id = posts.id and ${isOpenAppeal})))
            order by removed_at ${limit(BATCH_SIZE)} for update skip locked)
          returning id),
        asked as (delete from polls where post_id in (select id from taken)),
        led as (delete from post_links where post_id in (select id from taken)),
        called as (delete from post_mentions where post_id in (select id from taken)),
        freed as (${detachUploads(sql`select id from taken`)})
        delete from post_revisions where post_id in (select id from taken)`,
  );
}

/** Detaches the uploads of these posts; `posts` is a subquery of their ids. */
export const detachUploads = (posts: ReturnType<typeof sql>) =>
  sql`update uploads set attached_kind = null, attached_id = null
    where attached_kind = 'post' and attached_id in (${posts})`;
