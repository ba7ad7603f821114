import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { scheduleDueChecks } from "#community/groups";
import type { SignedIn } from "#community/rules";
import { postEventType } from "../posts/post-container.ts";
import type { ActivityKind } from "./activity-entries.ts";
import {
  applyDiscussionChange,
  auditDiscussionChange,
  type DiscussionChange,
  trimReason,
} from "./discussion-moderation.ts";
import { lockPublishedPost } from "./post-hiding.ts";

/** Lock, timer and slow mode of a discussion; times as in JSON. */
export type DiscussionControls = {
  discussionId: string;
  lockedAt: string | null;
  lockedBy: string | null;
  lockedReason: string | null;
  timer: "close" | "open" | null;
  timerAt: string | null;
  timerBy: string | null;
  timerReason: string;
  slowSeconds: number;
  slowUntil: string | null;
};

/** Whether a post was hidden, and since when; times as in JSON. */
export type PostVisibility = {
  postId: string;
  hiddenAt: string | null;
  unhiddenAt: string | null;
  returned: boolean;
};

/** State before the decision, the moment of the decision, and the reason of the undo. */
type Undo<T> = { before: T; decidedAt: Date; reason: string };

/** Reads what a lock or slow mode changes, so that it can be restored; undefined for an unknown discussion. */
export const readDiscussionControls = async (
  tx: Tx,
  discussionId: string,
): Promise<DiscussionControls | undefined> =>
  (
    await maybeOne(
      tx,
      sql<{ controls: DiscussionControls }>`
        select json_build_object('discussionId', id, 'lockedAt', locked_at, 'lockedBy', locked_by,
          'lockedReason', locked_reason, 'timer', timer, 'timerAt', timer_at, 'timerBy', timer_by,
          'timerReason', timer_reason, 'slowSeconds', slow_seconds, 'slowUntil', slow_until) as controls
        from discussions where id = ${discussionId} for no key update`,
    )
  )?.controls;

/** Reads what a decision changes in posts that are not removed, so that it can be restored. */
export const readPostVisibility = async (tx: Tx, postIds: string[]): Promise<PostVisibility[]> =>
  (
    await one(
      tx,
      sql<{ posts: PostVisibility[] }>`
        select coalesce(json_agg(json_build_object('postId', id, 'hiddenAt', hidden_at,
          'unhiddenAt', unhidden_at, 'returned', returned_at is not null) order by id), '[]') as posts
        from posts where id = any(${postIds}::uuid[]) and state in ('published', 'hidden')`,
    )
  ).posts;

/**
 * Restores the lock and the timer that a discussion had before the viewer locked it. The caller has checked that
 * the viewer may undo the decision.
 * @throws `conflict` if the lock or the timer has changed since, or the discussion was deleted
 */
export async function undoLock(tx: Tx, me: SignedIn, undo: Undo<DiscussionControls>): Promise<void> {
  const { before } = undo;
  const groupId = await lockUnchangedDiscussion(tx, undo, ["locked", "unlocked", "timed", "untimed"]);
  if (!groupId)
    throw new Refusal("conflict", "The lock was changed after your decision. Change it in the discussion.");
  await restoreControls(tx, me, groupId, undo, {
    kind: before.lockedAt ? "locked" : "unlocked",
    set: sql`locked_at = ${before.lockedAt}::timestamptz, locked_by = ${before.lockedBy}::uuid,
      locked_reason = ${before.lockedReason}, timer = ${before.timer}, timer_at = ${before.timerAt}::timestamptz,
      timer_by = ${before.timerBy}::uuid, timer_reason = ${before.timerReason}`,
  });
  if (before.timerAt) await scheduleDueChecks(tx, new Date(before.timerAt));
}

/**
 * Restores the slow mode that a discussion had before the viewer changed it. The caller has checked that the
 * viewer may undo the decision.
 * @throws `conflict` if slow mode has changed since, or the discussion was deleted
 */
export async function undoSlowMode(tx: Tx, me: SignedIn, undo: Undo<DiscussionControls>): Promise<void> {
  const { slowSeconds, slowUntil } = undo.before;
  const groupId = await lockUnchangedDiscussion(tx, undo, ["slowed"]);
  if (!groupId)
    throw new Refusal("conflict", "Slow mode was changed after your decision. Change it in the discussion.");
  await restoreControls(tx, me, groupId, undo, {
    kind: "slowed",
    details: { seconds: slowSeconds, ...(slowUntil && { until: slowUntil }) },
    set: sql`slow_seconds = ${slowSeconds}, slow_until = ${slowUntil}::timestamptz`,
  });
  if (slowUntil) await scheduleDueChecks(tx, new Date(slowUntil));
}

/** Locks the discussion and returns its group; null if it was deleted, or changed after the decision. */
async function lockUnchangedDiscussion(
  tx: Tx,
  { before: { discussionId }, decidedAt }: Undo<DiscussionControls>,
  changes: ActivityKind[],
): Promise<string | null> {
  const it = await maybeOne(
    tx,
    sql<{ groupId: string }>`
      select group_id as "groupId" from discussions
      where id = ${discussionId} and state <> 'deleted' for no key update`,
  );
  const later = await maybeOne(
    tx,
    sql`select from discussion_entries
      where discussion_id = ${discussionId} and at > ${decidedAt} and kind = any(${changes}) limit 1`,
  );
  return it && !later ? it.groupId : null;
}

async function restoreControls(
  tx: Tx,
  me: SignedIn,
  groupId: string,
  { before: { discussionId: id }, reason }: Undo<DiscussionControls>,
  change: Pick<DiscussionChange, "kind" | "set" | "details">,
): Promise<void> {
  const discussion = { id, group: { id: groupId } };
  const explained = { ...change, reason: trimReason({ reason }) };
  await applyDiscussionChange(tx, me, discussion, explained);
  await auditDiscussionChange(tx, me, discussion, explained);
}

/**
 * Hides posts again that reports had hidden and that the decision, or the undo of a removal, has shown. Leaves
 * posts as they are whose visibility has changed since.
 */
export async function hidePostsAgain(tx: Tx, { before, decidedAt }: Undo<PostVisibility[]>): Promise<void> {
  for (const { postId, hiddenAt, unhiddenAt } of before) {
    const found = hiddenAt && (await lockPublishedPost(tx, postId));
    if (!found || found.post.state !== "published") continue;
    const hidden = await run(
      tx,
      sql`update posts set state = 'hidden', hidden_at = ${hiddenAt}::timestamptz,
          unhidden_at = ${unhiddenAt}::timestamptz
        where id = ${postId} and unhidden_at in (${decidedAt}, ${tx.now})`,
    );
    if (hidden > 0) await emitVisibility(tx, found, "hidden");
  }
}

/**
 * Withdraws the request to change posts: they are as visible as before it. The caller has checked that the viewer
 * may undo the decision.
 * @throws `conflict` if an author has changed a post, or its visibility was changed since
 */
export async function undoPostReturns(tx: Tx, { before, decidedAt }: Undo<PostVisibility[]>): Promise<void> {
  for (const { postId, hiddenAt } of before) {
    const found = await lockPublishedPost(tx, postId);
    const waiting =
      found &&
      (await run(
        tx,
        sql`delete from pending_posts where post_id = ${postId} and returned_at = ${decidedAt}`,
      ));
    const restored =
      waiting &&
      (await run(
        tx,
        sql`update posts set state = ${hiddenAt ? "hidden" : "published"}, hidden_at = ${hiddenAt}::timestamptz,
        returned_at = null
        where id = ${postId} and state = 'hidden' and returned_at = ${decidedAt}`,
      ));
    if (!found || !restored)
      throw new Refusal(
        "conflict",
        "The content was changed or reviewed after your decision, which therefore cannot be undone.",
      );
    if (!hiddenAt) await emitVisibility(tx, found, "unhidden");
  }
}

const emitVisibility = (
  tx: Tx,
  { at, post }: NonNullable<Awaited<ReturnType<typeof lockPublishedPost>>>,
  kind: "hidden" | "unhidden",
) => emit(tx, { type: postEventType({ at }, kind), ...at, postId: post.id, number: post.number, by: null });
