import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { DAY, addMilliseconds } from "#platform/clock";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { encodeCursor, type Page, readCursor, toPage, andIfGiven } from "#community/common";
import { type Viewer, WEBHOOK_EVENTS } from "#community/rules";
import { assertCanManageWebhooks, getWebhook, lockWebhook, type WebhookScope } from "./webhooks.ts";

/** Days for which deliveries stay in the log. */
const LOG_DAYS = 30;
const PAGE_SIZE = 30;
/** Maximum number of rows per transaction of the clean-up. */
const PURGE_BATCH = 5_000;
/** Maximum number of pending deliveries of a webhook that were started by hand. */
const MAX_MANUAL = 20;

export const DELIVERY_STATES = ["pending", "delivered", "failed", "cut"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type Delivery = {
  id: string;
  /** A `WebhookEvent`, or `test`. */
  event: string;
  objectId: string;
  happenedAt: Date;
  state: DeliveryState;
  attempts: number;
  nextAt: Date;
  triedAt: Date | null;
  /** Milliseconds of the last attempt. */
  duration: number | null;
  status: number | null;
  error: string | null;
};
export type DeliveryDetails = Delivery & {
  /**
   * Body of the request. Both bodies are null before the first attempt, and for everyone but the person as
   * whom the content was read.
   */
  requestBody: string | null;
  responseBody: string | null;
};

const columns = sql`
  d.id, d.event, d.object_id as "objectId", d.happened_at as "happenedAt", d.state, d.attempts,
  d.next_at as "nextAt", d.tried_at as "triedAt", d.duration, d.status, d.error`;

type DeliveryQuery = {
  webhookId: string;
  state?: string | undefined;
  event?: string | undefined;
  after?: string;
};

/** Deliveries of a webhook, latest first. Unknown filters are ignored. */
export async function listDeliveries(
  db: Db,
  viewer: Viewer,
  scope: WebhookScope,
  query: DeliveryQuery,
): Promise<Page<Delivery>> {
  const { id: webhookId } = await getWebhook(db, viewer, scope, query.webhookId);
  const cursor = readCursor(query.after, ["id"]);
  const state = DELIVERY_STATES.find((it) => it === query.state);
  const event = [...WEBHOOK_EVENTS, "test"].find((it) => it === query.event);
  const rows = await many(
    db,
    sql<Delivery>`select ${columns} from webhook_deliveries d
      where d.webhook_id = ${webhookId} ${andIfGiven(state, (it) => sql`d.state = ${it}`)}
        ${andIfGiven(event, (it) => sql`d.event = ${it}`)}
        ${andIfGiven(cursor, ([id]) => sql`d.id < ${id}::uuid`)}
      order by d.id desc ${limit(PAGE_SIZE + 1)}`,
  );
  return toPage(rows, PAGE_SIZE, (last) => encodeCursor(last.id));
}

/** @throws `not-found` */
export async function getDelivery(
  db: Db,
  viewer: Viewer,
  scope: WebhookScope,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<DeliveryDetails> {
  const me = await assertCanManageWebhooks(db, viewer, scope);
  const { id } = await getWebhook(db, me, scope, webhookId);
  const found = isId(deliveryId)
    ? await maybeOne(
        db,
        sql<DeliveryDetails>`select ${columns},
            case when d.viewed_by = ${me.id} then d.request_body end as "requestBody",
            case when d.viewed_by = ${me.id} then d.response_body end as "responseBody"
          from webhook_deliveries d where d.webhook_id = ${id} and d.id = ${deliveryId}`,
      )
    : null;
  if (!found) throw notFound();
  return found;
}

type DeliveryTarget = WebhookScope & { webhookId: string };

/** Sends a delivery again, as a new one, with the current content. */
export async function resendDelivery(
  tx: Tx,
  viewer: Viewer,
  { webhookId, deliveryId, ...scope }: DeliveryTarget & { deliveryId: string },
): Promise<{ id: string }> {
  await lockWebhook(tx, viewer, scope, webhookId);
  await assertManualLimit(tx, webhookId);
  const id = tx.newId();
  const made = await run(
    tx,
    sql`insert into webhook_deliveries (id, webhook_id, event, object_id, change, actor_id, place_id,
        happened_at, created_at, next_at)
      select ${id}, webhook_id, event, object_id, change, actor_id, place_id, happened_at, ${tx.now}::timestamptz,
        ${tx.now}::timestamptz
      from webhook_deliveries where id = ${deliveryId} and webhook_id = ${webhookId}`,
  );
  if (made === 0) throw notFound();
  return { id };
}

/** Sends a test: a message of the type `test`, without content. */
export async function sendTestDelivery(
  tx: Tx,
  viewer: Viewer,
  { webhookId, ...scope }: DeliveryTarget,
): Promise<{ id: string }> {
  await lockWebhook(tx, viewer, scope, webhookId);
  await assertManualLimit(tx, webhookId);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into webhook_deliveries (id, webhook_id, event, object_id, change, happened_at, created_at, next_at)
      values (${id}, ${webhookId}, 'test', ${id}, 'null', ${tx.now}, ${tx.now}, ${tx.now})`,
  );
  return { id };
}

/**
 * Asserts the limit of manual deliveries. The caller has locked the webhook's row, so that concurrent ones
 * are counted.
 */
async function assertManualLimit(tx: Tx, webhookId: string): Promise<void> {
  const waiting = await maybeOne(
    tx,
    sql`select from webhook_deliveries where webhook_id = ${webhookId} and state = 'pending'
      and outbox_id is null offset ${MAX_MANUAL - 1}::int limit 1`,
  );
  if (waiting)
    throw new Refusal(
      "too-many",
      msg("{most} deliveries are already pending. Try again later.", { most: MAX_MANUAL }),
    );
}

/** For jobs: deletes the log after 30 days, and pending deliveries of webhooks that stayed paused. */
export const purgeDeliveries = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < ${addMilliseconds(tx.now, -LOG_DAYS * DAY)}
      order by created_at ${limit(PURGE_BATCH)} for update skip locked)`,
  );
