import { DAY, addMilliseconds } from "#platform/clock";
import { one, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";

// Requests of the last day are counted in a table of their own: a request is deleted when it is cancelled or
// ended by a block, but still counts.

const MAX_OPEN = 100;
const MAX_PER_DAY = 30;

/**
 * Asserts the limits of requests: thirty people a day and 100 pending. A lock serializes a person's
 * requests, so that two concurrent requests are both counted.
 * @throws `too-many`
 */
export async function assertFriendRequestLimits(tx: Tx, me: SignedIn, personId: string): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('friends:' || ${me.id}::text, 0))`);
  const { open, today } = await one(
    tx,
    sql<{ open: number; today: number }>`
      select (select count(*)::int from friendships
        where state = 'pending' and requested_by = ${me.id}
          and (low_id = ${me.id} or high_id = ${me.id})) as open,
        (select count(*)::int from friend_request_attempts
          where asker_id = ${me.id} and asked_id <> ${personId}
            and asked_at > ${addMilliseconds(tx.now, -DAY)}) as today`,
  );
  if (open >= MAX_OPEN)
    throw new Refusal("too-many", "You have 100 requests waiting. Cancel some of them first.");
  if (today >= MAX_PER_DAY)
    throw new Refusal(
      "too-many",
      "You have reached the limit of 30 friend requests a day. Come back tomorrow.",
      { retryAfter: 86_400 },
    );
}

/**
 * Counts a request. `again` is true if the same person was asked within a day; they are not notified twice.
 */
export async function countFriendRequest(
  tx: Tx,
  me: SignedIn,
  personId: string,
): Promise<{ again: boolean }> {
  const counted = await run(
    tx,
    sql`insert into friend_request_attempts (asker_id, asked_id, asked_at)
      values (${me.id}, ${personId}, ${tx.now})
        on conflict (asker_id, asked_id) do update set asked_at = excluded.asked_at
        where friend_request_attempts.asked_at <= ${addMilliseconds(tx.now, -DAY)}`,
  );
  return { again: counted === 0 };
}
