import { limit, many, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import { addActivityEntry, type ActivityDetails, type ActivityKind } from "./activity-entries.ts";
import {
  type OptionalReasonInput,
  moderateDiscussion,
  CLEARED_TIMER_COLUMNS,
  type RequiredReasonInput,
  trimReason,
  requireReason,
  CLEARED_PIN_COLUMNS,
  scheduleDueChanges,
} from "./discussion-moderation.ts";

const DAY_IN_SECONDS = 86_400;

/**
 * Sets the seconds between two replies of one person, optionally until a time; 0 turns slow mode off.
 * @throws `not-found`, `not-allowed`, `invalid` on `reason`, and on `until` outside the next year
 */
export const setSlowMode = (
  tx: Tx,
  viewer: Viewer,
  input: RequiredReasonInput & { seconds: number; until?: Date | undefined },
) =>
  moderateDiscussion(tx, viewer, input, async () => {
    const seconds = Math.min(DAY_IN_SECONDS, Math.max(0, Math.trunc(input.seconds)));
    const reason = seconds > 0 ? requireReason(input) : trimReason(input);
    const until = seconds > 0 ? input.until : undefined;
    if (until) await scheduleDueChanges(tx, until);
    return {
      kind: "slowed",
      reason,
      details: { seconds, ...(until && { until: until.toISOString() }) },
      set: sql`slow_seconds = ${seconds}, slow_until = ${until ?? null}`,
    };
  });

/**
 * Schedules closing or reopening a discussion.
 * @throws `conflict` if it is in that state already, `invalid` on `until`
 */
export const setTimer = (
  tx: Tx,
  viewer: Viewer,
  input: RequiredReasonInput & { timer: "close" | "open"; until: Date },
) =>
  moderateDiscussion(tx, viewer, input, async (me, discussion) => {
    const { timer, until } = input;
    if (discussion.locked && timer === "close")
      throw new Refusal("conflict", "The discussion is already closed for replies.");
    if (!discussion.locked && timer === "open")
      throw new Refusal("conflict", "The discussion is already open for replies.");
    const reason = requireReason(input);
    await scheduleDueChanges(tx, until);
    return {
      kind: "timed",
      reason,
      details: { timer, until: until.toISOString() },
      set: sql`timer = ${timer}, timer_at = ${until}, timer_by = ${me.id}, timer_reason = ${reason}`,
    };
  });

/**
 * Cancels the timer.
 * @throws `not-found`, `not-allowed`
 */
export const cancelTimer = (tx: Tx, viewer: Viewer, input: OptionalReasonInput) =>
  moderateDiscussion(tx, viewer, input, () => ({
    kind: "untimed",
    reason: trimReason(input),
    set: CLEARED_TIMER_COLUMNS,
  }));

type DueDiscussion = {
  id: string;
  groupId: string;
  timer: "close" | "open" | null;
  timerBy: string | null;
  pinnedBy: string | null;
  slowEnds: boolean;
  reason: string;
};
const BATCH_SIZE = 100;

/**
 * For jobs: ends pins and slow mode, and applies scheduled changes that are due. Idempotent. Returns the number of
 * discussions changed.
 */
export async function applyDueChanges(tx: Tx): Promise<number> {
  const due = await many(
    tx,
    sql<DueDiscussion>`
      select id, group_id as "groupId", case when timer_at <= ${tx.now} then timer
        end as timer, timer_by as "timerBy", timer_reason as reason,
        case when pinned_until <= ${tx.now} then pinned_by end as "pinnedBy",
        coalesce(slow_until <= ${tx.now}, false) as "slowEnds"
      from discussions where least(timer_at, pinned_until) <= ${tx.now} or slow_until <= ${tx.now}
      order by least(timer_at, pinned_until, slow_until) ${limit(BATCH_SIZE)} for update skip locked`,
  );
  for (const it of due) {
    if (it.pinnedBy) await changeAutomatically(tx, it, it.pinnedBy, "unpinned", CLEARED_PIN_COLUMNS);
    if (it.slowEnds)
      await changeAutomatically(tx, it, null, "slowed", sql`slow_seconds = 0, slow_until = null`);
    if (it.timer) await fireTimer(tx, it);
  }
  return due.length;
}

function fireTimer(tx: Tx, dueDiscussion: DueDiscussion) {
  return dueDiscussion.timer === "close"
    ? changeAutomatically(
        tx,
        dueDiscussion,
        dueDiscussion.timerBy,
        "locked",
        sql`${CLEARED_TIMER_COLUMNS}, locked_at = ${tx.now},
          locked_by = timer_by, locked_reason = timer_reason`,
      )
    : changeAutomatically(
        tx,
        dueDiscussion,
        dueDiscussion.timerBy,
        "unlocked",
        sql`${CLEARED_TIMER_COLUMNS}, locked_at = null, locked_by = null, locked_reason = null`,
      );
}

async function changeAutomatically(
  tx: Tx,
  it: Pick<DueDiscussion, "id" | "groupId" | "reason">,
  by: string | null,
  kind: ActivityKind,
  set: ReturnType<typeof sql>,
) {
  const details: ActivityDetails = { byItself: true };
  await run(tx, sql`update discussions set ${set} where id = ${it.id}`);
  await addActivityEntry(tx, by === null ? null : { id: by }, {
    discussionId: it.id,
    kind,
    details,
    reason: kind === "locked" ? it.reason : "",
  });
  await emit(tx, { type: `discussion.${kind}`, discussionId: it.id, groupId: it.groupId, by: null });
}

/** Closes a discussion automatically when it has reached the maximum number of posts. */
export const closeFullDiscussion = (
  tx: Tx,
  by: { id: string },
  { id, group }: { id: string; group: { id: string } },
) =>
  changeAutomatically(
    tx,
    { id, groupId: group.id, reason: "" },
    by.id,
    "locked",
    sql`${CLEARED_TIMER_COLUMNS}, locked_at = ${tx.now}, locked_by = ${by.id}, locked_reason = null`,
  );
