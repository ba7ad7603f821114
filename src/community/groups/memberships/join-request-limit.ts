import { DAY, addMilliseconds } from "#platform/clock";
import { limit, many, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { isStaff, type SignedIn, SERVER_LIMITS } from "#community/rules";
import { hasWritingLimits } from "#community/settings";

// Limits join requests per person. An admin may lift it; staff are exempt.

const { asking: ASKING } = SERVER_LIMITS.pace;

/**
 * Serializes a person's requests before the group is locked, so that concurrent requests to different groups
 * are counted.
 */
export const lockJoinRequests = (tx: Tx, me: SignedIn) =>
  run(tx, sql`select pg_advisory_xact_lock(hashtextextended('asking:' || ${me.id}::text, 0))`);

/**
 * Limits join requests to three a day per group and thirty in total, since each notifies the moderators.
 * @throws `too-many` with the seconds to wait
 */
export async function assertJoinRequestLimit(tx: Tx, me: SignedIn, groupId: string): Promise<void> {
  if (isStaff(me)) return;
  const since = addMilliseconds(tx.now, -DAY);
  const asked = await many(
    tx,
    sql<{ groupId: string; at: Date }>`
      select group_id as "groupId", asked_at as at from decided_join_requests
      where person_id = ${me.id} and asked_at > ${since} and ${hasWritingLimits}
      union all
      select group_id, changed_at from memberships
      where person_id = ${me.id} and state = 'requested' and changed_at > ${since} and ${hasWritingLimits}
      order by at desc ${limit(ASKING.day)}`,
  );
  const here = asked.filter((it) => it.groupId === groupId);
  const wait = (last: { at: Date }) => ({
    retryAfter: Math.ceil((addMilliseconds(last.at, DAY).getTime() - tx.now.getTime()) / 1000),
  });
  if (here.length >= ASKING.group)
    throw new Refusal(
      "too-many",
      "You have asked this group three times today. Come back tomorrow.",
      wait(here[ASKING.group - 1]!),
    );
  if (asked.length >= ASKING.day)
    throw new Refusal(
      "too-many",
      "You have reached the limit of 30 join requests a day. Come back tomorrow.",
      wait(asked.at(-1)!),
    );
}

/**
 * Deletes withdrawn requests older than a day if the person later withdrew another one for the same group:
 * they add no information.
 */
export const deleteEarlierWithdrawals = (tx: Tx, me: SignedIn, groupId: string) =>
  run(
    tx,
    sql`delete from decided_join_requests
      where person_id = ${me.id} and group_id = ${groupId} and outcome = 'withdrawn'
        and asked_at <= ${addMilliseconds(tx.now, -DAY)}
        and exists (select from decided_join_requests later
          where later.person_id = ${me.id} and later.group_id = ${groupId}
          and later.outcome = 'withdrawn' and later.decided_at > decided_join_requests.decided_at)`,
  );
