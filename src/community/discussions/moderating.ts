import { many, one, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { lookAgain } from "#community/groups";
import { discussionRules, type SignedIn, type Viewer } from "#community/rules";
import { type Discussion, discussionToChange } from "./discussion.ts";

type Wanted = { discussionId: string };
type Change = { act: string; set: ReturnType<typeof sql>; reason?: string };

/** Nobody but those who look after the group replies any more. All of these throw `not-found` and `not-allowed`. */
export const lockDiscussion = (tx: Tx, viewer: Viewer, input: Wanted & { reason: string }) =>
  moderate(tx, viewer, input, (me) => {
    if (!input.reason.trim()) throw invalid("reason", "Say why: it stands where the reply box was.");
    return {
      act: "discussion.locked",
      reason: input.reason,
      set: sql`locked_at = ${tx.now}, locked_by = ${me.id}, locked_reason = ${input.reason.slice(0, 300)}`,
    };
  });

export const unlockDiscussion = (tx: Tx, viewer: Viewer, input: Wanted) =>
  moderate(tx, viewer, input, () => ({ act: "discussion.unlocked", set: sql`locked_at = null, locked_by = null, locked_reason = null` }));

/** Keeps it on top of its group's list. `conflict` when three are there already. */
export const pinDiscussion = (tx: Tx, viewer: Viewer, input: Wanted & { until?: Date | undefined }) =>
  moderate(tx, viewer, input, async (me, discussion) => {
    const { pinned } = await one(
      tx,
      sql<{
        pinned: number;
      }>`select count(*)::int as pinned from discussions where group_id = ${discussion.group.id} and state = 'open' and pinned_at is not null and id <> ${discussion.id}`,
    );
    if (pinned >= 3) throw new Refusal("conflict", "Three discussions are pinned already. Unpin one of them first.");
    if (input.until) await lookAgain(tx, input.until);
    return { act: "discussion.pinned", set: sql`pinned_at = ${tx.now}, pinned_by = ${me.id}, pinned_until = ${input.until ?? null}` };
  });

export const unpinDiscussion = (tx: Tx, viewer: Viewer, input: Wanted) =>
  moderate(tx, viewer, input, () => ({ act: "discussion.unpinned", set: sql`pinned_at = null, pinned_by = null, pinned_until = null` }));

/** Takes down what was pinned until now, for jobs. Returns how many. */
export async function endPins(tx: Tx): Promise<number> {
  const ended = await many(
    tx,
    sql<{ discussionId: string; groupId: string }>`
      update discussions set pinned_at = null, pinned_by = null, pinned_until = null where id in (
        select id from discussions where pinned_until <= ${tx.now} order by pinned_until limit 200 for update skip locked)
      returning id as "discussionId", group_id as "groupId"`,
  );
  for (const it of ended) await announce(tx, { type: "discussion.unpinned", ...it, by: null });
  return ended.length;
}

async function moderate(tx: Tx, viewer: Viewer, input: Wanted, decide: (me: SignedIn, discussion: Discussion) => Change | Promise<Change>) {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!discussionRules.moderate(me, discussion)) throw new Refusal("not-allowed", "Only those who look after the group can do this.");
  const change = await decide(me, discussion);
  await apply(tx, me, discussion, change);
  await audit(tx, me, {
    act: change.act,
    kind: "discussion",
    id: discussion.id,
    reason: change.reason ?? null,
    details: { groupId: discussion.group.id },
  });
}

/** Marks the question as answered: its author may, and those who look after the group. */
export const resolveDiscussion = (tx: Tx, viewer: Viewer, input: Wanted) =>
  settleQuestion(tx, viewer, input, (me) => ({ act: "discussion.resolved", set: sql`resolved_at = ${tx.now}, resolved_by = ${me.id}` }));

export const reopenDiscussion = (tx: Tx, viewer: Viewer, input: Wanted) =>
  settleQuestion(tx, viewer, input, () => ({ act: "discussion.reopened", set: sql`resolved_at = null, resolved_by = null` }));

async function settleQuestion(tx: Tx, viewer: Viewer, input: Wanted, change: (me: SignedIn) => Change) {
  const me = signedIn(viewer);
  const discussion = await discussionToChange(tx, me, input.discussionId);
  if (!discussionRules.resolve(me, discussion))
    throw new Refusal("not-allowed", "Its author and those who look after the group decide this.");
  await apply(tx, me, discussion, change(me));
}

async function apply(tx: Tx, me: SignedIn, discussion: Discussion, { act, set }: Change) {
  await run(tx, sql`update discussions set ${set} where id = ${discussion.id}`);
  await announce(tx, { type: act, discussionId: discussion.id, groupId: discussion.group.id, by: me.id });
}
