import { DAY, addMilliseconds as after } from "#platform/clock";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { enqueueJobs } from "#platform/jobs";
import { emit } from "#platform/outbox";
import { LIMITS } from "#community/rules";
import { CLEARED_APPEAL } from "../memberships/apply-membership.ts";

// Maximum number of rows that one run of a job handles, so that no transaction grows without bounds.
const DUE_BATCH_SIZE = 200;

/**
 * Schedules a check for due changes at each of these times, because the hourly run would be too late for
 * changes whose time was announced.
 */
export const scheduleDueChecks = (tx: Tx, ...moments: Date[]) =>
  enqueueJobs(
    tx,
    [...new Set(moments.map((at) => at.toISOString()))].map((at) => ({
      task: "due",
      payload: {},
      runAt: new Date(at),
      key: `due:${at}`,
    })),
  );

/** Expires invitations after 30 days, and deletes old ones. Returns how many expired. */
export async function expireInvitations(tx: Tx): Promise<number> {
  const ended = await many(
    tx,
    sql<{ groupId: string; personId: string }>`
      update memberships set state = 'expired', changed_at = ${tx.now} where (group_id, person_id) in (
        select group_id, person_id from memberships
        where state = 'invited' and changed_at <= ${after(tx.now, -LIMITS.invitation.days * DAY)}
        ${limit(DUE_BATCH_SIZE)} for update skip locked)
      returning group_id as "groupId", person_id as "personId"`,
  );
  for (const it of ended) await emit(tx, { type: "group.invitation_expired", ...it, by: null });
  await run(
    tx,
    sql`delete from group_invitations where expires_at < ${after(tx.now, -LIMITS.invitation.days * DAY)}`,
  );
  return ended.length;
}

/** Ends expired bans. The people then count as removed and may rejoin. Returns how many. */
export async function endExpiredBans(tx: Tx): Promise<number> {
  const ended = await many(
    tx,
    sql<{ groupId: string; personId: string }>`
      update memberships set state = 'removed', reason = '', banned_until = null, banned_by = null,
        ${CLEARED_APPEAL}, changed_at = ${tx.now} where (group_id, person_id) in (
        select group_id, person_id from memberships where state = 'banned' and banned_until <= ${tx.now}
        order by banned_until ${limit(DUE_BATCH_SIZE)} for update skip locked)
      returning group_id as "groupId", person_id as "personId"`,
  );
  for (const it of ended) await emit(tx, { type: "group.ban_ended", ...it, by: null });
  return ended.length;
}
