import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { requireSignedIn } from "#community/friends";
import { scheduleDueChecks } from "#community/groups";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { getDiscussionForUpdate } from "../discussion.ts";
import { type Discussion } from "../discussion-columns.ts";
import { addActivityEntry, type ActivityDetails, type ActivityKind } from "./activity-entries.ts";

export type DiscussionInput = { discussionId: string };
/** The reason appears in the audit log and the activity entry. */
export type RequiredReasonInput = DiscussionInput & { reason: string };
/** Input of commands that undo another or need no justification: the reason is optional. */
export type OptionalReasonInput = DiscussionInput & { reason?: string | undefined };
export type DiscussionChange = {
  kind: ActivityKind;
  set: ReturnType<typeof sql>;
  reason?: string;
  details?: ActivityDetails;
};

const MAX_REASON = 300;

export function requireReason({ reason }: { reason: string }): string {
  if (!reason.trim())
    throw invalid("reason", "Enter a reason. It is shown in the discussion and in the log.");
  return reason.trim().slice(0, MAX_REASON);
}

export const trimReason = ({ reason = "" }: { reason?: string | undefined }): string =>
  reason.trim().slice(0, MAX_REASON);

/**
 * Changes a discussion as a moderator: updates the row, adds an activity entry and an audit entry.
 * @throws `not-found`, `not-allowed`, and what `decide` throws
 */
export async function moderateDiscussion(
  tx: Tx,
  viewer: Viewer,
  input: DiscussionInput,
  decide: (me: SignedIn, discussion: Discussion) => DiscussionChange | Promise<DiscussionChange>,
  can: (typeof discussionRules)["lead" | "moderate"] = discussionRules.lead,
) {
  const me = requireSignedIn(viewer);
  const discussion = await getDiscussionForUpdate(tx, me, input.discussionId);
  if (!can(me, discussion)) throw new Refusal("not-allowed", "Only moderators of the group can do this.");
  const change = await decide(me, discussion);
  await applyDiscussionChange(tx, me, discussion, change);
  await auditDiscussionChange(tx, me, discussion, change);
}

type ModeratedDiscussion = { id: string; group: { id: string } };

/** Adds the change to the audit log of the group. */
export const auditDiscussionChange = (
  tx: Tx,
  me: SignedIn,
  { id, group }: ModeratedDiscussion,
  { kind, reason }: Pick<DiscussionChange, "kind" | "reason">,
) =>
  writeAudit(tx, me, {
    act: `discussion.${kind}`,
    kind: "discussion",
    id,
    reason: reason || null,
    details: { groupId: group.id },
  });

/** Updates the row, adds the activity entry and emits the event. */
export async function applyDiscussionChange(
  tx: Tx,
  me: SignedIn,
  { id, group }: ModeratedDiscussion,
  { kind, set, reason, details }: DiscussionChange,
) {
  await run(tx, sql`update discussions set ${set} where id = ${id}`);
  await addActivityEntry(tx, me, { discussionId: id, kind, reason, details });
  await emit(tx, { type: `discussion.${kind}`, discussionId: id, groupId: group.id, by: me.id });
}

/** Archived and deleted discussions lose their pin for good. */
export const CLEARED_PIN_COLUMNS = sql`pinned_at = null, pinned_by = null, pinned_until = null`;

/** A deleted discussion is restored as archived if it was archived before. */
export const RESTORED_STATE_COLUMNS = sql`state = case when archived_at is null then 'open' else 'archived'
  end, deleted_at = null, deleted_by = null, deleted_reason = ''`;

/** A manual change cancels the timer. */
export const CLEARED_TIMER_COLUMNS = sql`timer = null, timer_at = null, timer_by = null, timer_reason = ''`;

/**
 * Locks a discussion: only moderators can reply.
 * @throws `not-found`, `not-allowed`, as do all commands in this file
 */
export const lockDiscussion = (tx: Tx, viewer: Viewer, input: RequiredReasonInput) =>
  moderateDiscussion(tx, viewer, input, (me) => {
    const reason = requireReason(input);
    return {
      kind: "locked",
      reason,
      set: sql`locked_at = ${tx.now}, locked_by = ${me.id}, locked_reason = ${reason},
        ${CLEARED_TIMER_COLUMNS}`,
    };
  });

/** Unlocks a discussion and cancels its timer. */
export const unlockDiscussion = (tx: Tx, viewer: Viewer, input: OptionalReasonInput) =>
  moderateDiscussion(tx, viewer, input, () => ({
    kind: "unlocked",
    reason: trimReason(input),
    set: sql`locked_at = null, locked_by = null, locked_reason = null, ${CLEARED_TIMER_COLUMNS}`,
  }));

const MAX_PINNED = 3;

/**
 * Pins a discussion in its group, optionally until a date. If it is pinned already, only the date changes.
 * @throws `conflict` when three are pinned, `invalid` for a past date
 */
export const pinDiscussion = (
  tx: Tx,
  viewer: Viewer,
  input: OptionalReasonInput & { until?: Date | undefined },
) =>
  moderateDiscussion(tx, viewer, input, async (me, discussion) => {
    const { until } = input;
    if (until) await scheduleDueChanges(tx, until);
    // The lock serializes the pins of a group, so that two concurrent ones are both counted.
    await run(
      tx,
      sql`select pg_advisory_xact_lock(hashtextextended('pins:' || ${discussion.group.id}::text, 0))`,
    );
    const { pinned } = await one(
      tx,
      sql<{
        pinned: number;
      }>`select count(*)::int as pinned from discussions
        where group_id = ${discussion.group.id} and state = 'open' and pinned_at is not null
        and coalesce(pinned_until > ${tx.now}, true) and id <> ${discussion.id}`,
    );
    if (pinned >= MAX_PINNED)
      throw new Refusal("conflict", "Three discussions are already pinned. Unpin one first.");
    return {
      kind: "pinned",
      reason: trimReason(input),
      details: until && { until: until.toISOString() },
      // A pinned discussion keeps its position among the pinned ones.
      set: sql`pinned_at = case when pinned_at is not null
        and coalesce(pinned_until > ${tx.now}, true) then pinned_at else ${tx.now}::timestamptz end,
        pinned_by = ${me.id}, pinned_until = ${until ?? null}`,
    };
  });

/**
 * Unpins a discussion; does nothing if it is not pinned.
 * @throws `not-found`, `not-allowed`
 */
export const unpinDiscussion = (tx: Tx, viewer: Viewer, input: OptionalReasonInput) =>
  moderateDiscussion(tx, viewer, input, () => ({
    kind: "unpinned",
    reason: trimReason(input),
    set: CLEARED_PIN_COLUMNS,
  }));

const YEAR = 366 * DAY;

/**
 * Schedules a job that applies changes due at that time.
 * @throws `invalid` on `until` for a past time or one more than a year ahead
 */
export async function scheduleDueChanges(tx: Tx, until: Date): Promise<void> {
  if (until <= tx.now || until > addMilliseconds(tx.now, YEAR))
    throw invalid("until", "Choose a time within the next year.");
  await scheduleDueChecks(tx, until);
}
