import { DAY, later } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { lookAgain } from "#community/groups";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";
import { leaveLine, type LineDetails, type LineKind } from "./lines.ts";

export type Wanted = { discussionId: string };
/** With the sentence for the log and for the line in the discussion. */
export type Reasoned = Wanted & { reason: string };
/** What takes such a thing back, or is done for its readers' good: why may be said, and need not be. */
export type Explained = Wanted & { reason?: string | undefined };
export type Change = { kind: LineKind; set: ReturnType<typeof sql>; reason?: string; details?: LineDetails };

const REASON = 300;

/** What was given as a reason, for what is not done without one. */
export function reasonOf({ reason }: { reason: string }): string {
  if (!reason.trim()) throw invalid("reason", "Say why: it stands in the discussion and in the log.");
  return reason.trim().slice(0, REASON);
}

/** What was given as a reason for what is also done without one. */
export const reasonIfAny = ({ reason = "" }: { reason?: string | undefined }): string => reason.trim().slice(0, REASON);

/**
 * Does something to a discussion that is for those who look after the group: one change of its row, a line in it, a line
 * in the log. Throws `not-found` and `not-allowed`, and what `decide` throws.
 */
export async function moderate(
  tx: Tx,
  viewer: Viewer,
  input: Wanted,
  decide: (me: SignedIn, discussion: Discussion) => Change | Promise<Change>,
  may: (typeof discussionRules)["lead" | "moderate"] = discussionRules.lead,
) {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!may(me, discussion)) throw new Refusal("not-allowed", "Only those who look after the group can do this.");
  const change = await decide(me, discussion);
  await apply(tx, me, discussion, change);
  await enterIntoLog(tx, me, discussion, change);
}

type Moderated = { id: string; group: { id: string } };

/** The line of it in the log of the group. */
export const enterIntoLog = (tx: Tx, me: SignedIn, { id, group }: Moderated, { kind, reason }: Pick<Change, "kind" | "reason">) =>
  audit(tx, me, { act: `discussion.${kind}`, kind: "discussion", id, reason: reason || null, details: { groupId: group.id } });

/** One change of a discussion's row, its line, and the word of it. */
export async function apply(tx: Tx, me: SignedIn, { id, group }: Moderated, { kind, set, reason, details }: Change) {
  await run(tx, sql`update discussions set ${set} where id = ${id}`);
  await leaveLine(tx, me, { discussionId: id, kind, reason, details });
  await announce(tx, { type: `discussion.${kind}`, discussionId: id, groupId: group.id, by: me.id });
}

/** What is gone, or put away, stands nowhere on top; brought back, it is like all others. */
export const UNPINNED = sql`pinned_at = null, pinned_by = null, pinned_until = null`;

/** What was deleted stands again, archived where it had been archived. */
export const AS_IT_WAS = sql`state = case when archived_at is null then 'open' else 'archived' end, deleted_at = null, deleted_by = null, deleted_reason = ''`;

/** Whoever closes or opens it by hand has decided: nothing more happens by itself. */
export const NO_TIMER = sql`timer = null, timer_at = null, timer_by = null, timer_reason = ''`;

/** Nobody but those who look after the group replies any more. All of these throw `not-found` and `not-allowed`. */
export const lockDiscussion = (tx: Tx, viewer: Viewer, input: Reasoned) =>
  moderate(tx, viewer, input, (me) => {
    const reason = reasonOf(input);
    return { kind: "locked", reason, set: sql`locked_at = ${tx.now}, locked_by = ${me.id}, locked_reason = ${reason}, ${NO_TIMER}` };
  });

/** Lets everybody reply again who may; what would have closed or opened it by itself does so no more. */
export const unlockDiscussion = (tx: Tx, viewer: Viewer, input: Explained) =>
  moderate(tx, viewer, input, () => ({
    kind: "unlocked",
    reason: reasonIfAny(input),
    set: sql`locked_at = null, locked_by = null, locked_reason = null, ${NO_TIMER}`,
  }));

const MOST_PINNED = 3;

/**
 * Keeps it on top of its group's list, until a date if one is given; of one that is pinned the end is changed. `conflict` when three
 * are there already, `invalid` for a time that is over.
 */
export const pinDiscussion = (tx: Tx, viewer: Viewer, input: Explained & { until?: Date | undefined }) =>
  moderate(tx, viewer, input, async (me, discussion) => {
    const { until } = input;
    if (until) await wakeAt(tx, until);
    // One at a time in a group: those of the same moment would not see each other.
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('pins:' || ${discussion.group.id}::text, 0))`);
    const { pinned } = await one(
      tx,
      sql<{
        pinned: number;
      }>`select count(*)::int as pinned from discussions where group_id = ${discussion.group.id} and state = 'open' and pinned_at is not null
        and coalesce(pinned_until > ${tx.now}, true) and id <> ${discussion.id}`,
    );
    if (pinned >= MOST_PINNED) throw new Refusal("conflict", "Three discussions are pinned already. Unpin one of them first.");
    return {
      kind: "pinned",
      reason: reasonIfAny(input),
      details: until && { until: until.toISOString() },
      // One that is pinned keeps its place among the others.
      set: sql`pinned_at = case when pinned_at is not null and coalesce(pinned_until > ${tx.now}, true) then pinned_at else ${tx.now}::timestamptz end,
        pinned_by = ${me.id}, pinned_until = ${until ?? null}`,
    };
  });

/** Lets it stand among the others again; one that is not pinned stays as it is. Throws `not-found` and `not-allowed`. */
export const unpinDiscussion = (tx: Tx, viewer: Viewer, input: Explained) =>
  moderate(tx, viewer, input, () => ({
    kind: "unpinned",
    reason: reasonIfAny(input),
    set: UNPINNED,
  }));

const YEAR = 366 * DAY;

/** Promises to look then at what is due. `invalid` on `until` for a moment that is over, or more than a year away. */
export async function wakeAt(tx: Tx, until: Date): Promise<void> {
  if (until <= tx.now || until > later(tx.now, YEAR)) throw invalid("until", "Choose a time within the next year.");
  await lookAgain(tx, until);
}
