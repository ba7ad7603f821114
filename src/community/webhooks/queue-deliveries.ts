import { HOUR, MINUTE, addMilliseconds } from "#platform/clock";
import { type Database, type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import type { PendingEvent } from "#platform/outbox";
import { findReportGroup } from "#community/moderation";
import type { WebhookEvent } from "#community/rules";
import { listWebhookChanges, type WebhookChange } from "./webhook-events.ts";

/** Events that a program can cause in answer to a webhook, so that they can make a loop. */
const LOOPING_EVENTS: readonly WebhookEvent[] = ["post.created", "post.updated", "discussion.created"];
/**
 * Maximum number of such events of one author in one group that are sent in a minute. People stay below this
 * number: they reply at most every five seconds.
 */
const MAX_PER_MINUTE = 30;
/** Maximum number of such events of one bot in a minute and in an hour: a slow loop ends too. */
const MAX_OF_BOT = { minute: 10, hour: 60 };
const LOOP_ERROR =
  "Not sent: more than 30 such events of one author in one group within a minute. This is probably a loop: " +
  "a program that answers to this webhook triggers it again.";
const BOT_LOOP_ERROR =
  "Not sent: more than 10 such events of one bot within a minute, or 60 within an hour. This is probably a loop: " +
  "a program that answers to this webhook lets the bot post again.";

/**
 * Queues a domain event for the webhooks that it concerns. Safe to repeat: each event is queued once for each
 * webhook. Returns whether anything was queued.
 */
export async function queueWebhookDeliveries(database: Database, pending: PendingEvent): Promise<boolean> {
  let queued = 0;
  for (const change of listWebhookChanges(pending.payload))
    queued += await database.inTransaction((tx) => queueChange(tx, pending, change));
  return queued > 0;
}

async function queueChange(tx: Tx, pending: PendingEvent, change: WebhookChange): Promise<number> {
  const place = await findPlace(tx, change);
  const webhooks = await many(
    tx,
    sql<{ id: string }>`
      select w.id from webhooks w
      where w.paused_at is null and ${change.event} = any(w.events)
        and (w.group_id is null or w.group_id = ${place.groupId}::uuid)
        and (w.group_ids = '{}' or ${place.groupId}::uuid = any(w.group_ids))
        and (w.tags = '{}' or w.tags && ${place.tags}::text[])`,
  );
  if (webhooks.length === 0) return 0;
  const actorId = typeof pending.payload["by"] === "string" ? pending.payload["by"] : null;
  const rows = webhooks.map(({ id: webhookId }) => ({ id: tx.newId(), webhookId }));
  return run(
    tx,
    sql`insert into webhook_deliveries (id, webhook_id, outbox_id, event, object_id, change, actor_id, place_id,
        happened_at, created_at, next_at, state, error)
      select it.id, it."webhookId", ${pending.id}::bigint, ${change.event}, ${change.ids.objectId},
        ${JSON.stringify(change)}::jsonb, ${actorId}::uuid, ${place.groupId}::uuid, ${pending.at}::timestamptz,
        ${tx.now}::timestamptz, ${tx.now}::timestamptz, case when loop.error is not null then 'cut' else 'pending' end,
        loop.error
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as it (id uuid, "webhookId" uuid)
      cross join lateral (select ${findLoop(tx, change, actorId, place.groupId)} as error) loop
      on conflict (webhook_id, outbox_id, event) do nothing`,
  );
}

/** SQL: the error for an event that is probably part of a loop; null for others. */
const findLoop = (tx: Tx, { event }: WebhookChange, actorId: string | null, groupId: string | null) => {
  if (!LOOPING_EVENTS.includes(event) || actorId === null) return sql`null::text`;
  const countSince = (milliseconds: number) => sql`(select count(*) from webhook_deliveries d
    where d.webhook_id = it."webhookId" and d.actor_id = ${actorId}::uuid
      and d.place_id is not distinct from ${groupId}::uuid and d.event = ${event}
      and d.created_at > ${addMilliseconds(tx.now, -milliseconds)}::timestamptz)`;
  return sql`case when exists (select from bots where person_id = ${actorId}::uuid) then
      case when ${countSince(MINUTE)} >= ${MAX_OF_BOT.minute}::int or ${countSince(HOUR)} >= ${MAX_OF_BOT.hour}::int
        then ${BOT_LOOP_ERROR}::text end
    when ${countSince(MINUTE)} >= ${MAX_PER_MINUTE}::int then ${LOOP_ERROR}::text end`;
};

/** Group and tags of the content, for the filters of webhooks. */
async function findPlace(
  db: Db,
  { table, ids }: WebhookChange,
): Promise<{ groupId: string | null; tags: string[] }> {
  if (table === "Reports") return { groupId: await findReportGroup(db, ids.objectId), tags: [] };
  const tags =
    table === "Resources"
      ? sql`select tags from resources where id = ${ids.objectId}`
      : table === "Posts" || table === "Discussions"
        ? sql`select tags from discussions where id = ${ids["discussionId"] ?? ids.objectId}`
        : null;
  const found = tags && (await maybeOne(db, sql<{ tags: string[] }>`select tags from (${tags}) it`));
  return { groupId: table === "Groups" ? ids.objectId : (ids["groupId"] ?? null), tags: found?.tags ?? [] };
}
