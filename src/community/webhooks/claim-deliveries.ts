import { MINUTE, addMilliseconds } from "#platform/clock";
import { limit, many, sql, type Tx } from "#platform/database";
import type { WebhookChange } from "./webhook-events.ts";

/** Milliseconds after which a claimed delivery counts as abandoned: its process has died. */
const LEASE = MINUTE;
/** Maximum number of concurrent calls of one webhook; only one if its last call failed. */
const CALLS_AT_ONCE = 4;

export type ClaimedDelivery = {
  id: string;
  webhookId: string;
  groupId: string | null;
  ownerId: string;
  url: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
  /** Null for a test. */
  change: WebhookChange | null;
  event: string;
  /** A bot caused the event. */
  byBot: boolean;
  happenedAt: Date;
  attempts: number;
  failing: boolean;
};

/**
 * Claims due deliveries for a minute: for each object in the order of the domain events, and only a few for
 * each webhook. Webhooks whose last call failed are claimed separately (`failing`). A delivery waits while an
 * older domain event has not been handled, because that event could concern the same object. The update
 * checks again that the delivery is due, because another process may have claimed it since this statement
 * began.
 */
export const claimDeliveries = (
  tx: Tx,
  { failing, most }: { failing: boolean; most: number },
): Promise<ClaimedDelivery[]> =>
  many(
    tx,
    sql<ClaimedDelivery>`
      with due as (
        select w.id, w.failures > 0 as failing from webhooks w
        where w.paused_at is null and ${failing ? sql`w.failures > 0` : sql`w.failures = 0`}
          and (w.retry_at is null or w.retry_at <= ${tx.now})
          and exists (select from webhook_deliveries d where d.webhook_id = w.id and ${isDue(tx)})
        order by w.claimed_at nulls first ${limit(most)} for update skip locked),
      picked as (
        select it.id from due cross join lateral (
          select d.id from webhook_deliveries d
          where d.webhook_id = due.id and ${isDue(tx)}
            and not exists (select from webhook_deliveries e
              where e.webhook_id = d.webhook_id and e.object_id = d.object_id and e.state = 'pending'
                and e.outbox_id < d.outbox_id)
            and not exists (select from outbox o where o.handled_at is null and o.id < d.outbox_id)
          order by d.outbox_id nulls first, d.id
          limit greatest(0, case when due.failing then 1 else ${CALLS_AT_ONCE}::int end - (
            select count(*) from webhook_deliveries f where f.webhook_id = due.id and f.state = 'pending'
              and f.locked_until > ${tx.now}))) it
        ${limit(most)}),
      turns as (update webhooks set claimed_at = ${tx.now} where id in (select id from due)),
      claimed as (
        update webhook_deliveries d set attempts = d.attempts + 1,
          locked_until = ${addMilliseconds(tx.now, LEASE)},
          first_tried_at = coalesce(d.first_tried_at, ${tx.now}::timestamptz)
        from picked where d.id = picked.id and ${isDue(tx)} returning d.*)
      select c.id, c.webhook_id as "webhookId", w.group_id as "groupId", w.owner_id as "ownerId", w.url,
        w.secret, w.previous_secret as "previousSecret", w.previous_until as "previousUntil",
        nullif(c.change, 'null'::jsonb) as change, c.event,
        exists (select from bots where person_id = c.actor_id) as "byBot", c.happened_at as "happenedAt", c.attempts,
        w.failures > 0 as failing
      from claimed c join webhooks w on w.id = c.webhook_id order by c.outbox_id nulls first, c.id`,
  );

const isDue = (tx: Tx) => sql`d.state = 'pending' and d.next_at <= ${tx.now}
  and (d.locked_until is null or d.locked_until <= ${tx.now})`;
