import { DAY, HOUR, MINUTE, SECOND, addMilliseconds } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import type { AttemptResult, WebhookCall } from "./send-delivery.ts";
import type { PausedReason } from "./webhooks.ts";

/** Delays before the next attempt; the last one repeats. */
const RETRY_DELAYS = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
/** Milliseconds for which a delivery is tried. */
const RETRY_FOR = 3 * DAY;
/**
 * Number of consecutive failures after which all deliveries of a webhook wait, not only the one that failed.
 */
const FAILURES_UNTIL_WAIT = 3;
/** Maximum characters of a request or response in the log. */
const MAX_LOGGED = 10_240;

const delayAfter = (failures: number): number =>
  RETRY_DELAYS[Math.min(failures, RETRY_DELAYS.length) - 1] ?? RETRY_DELAYS[0]!;
const toLogged = (text: string) => text.replaceAll("\0", "").toWellFormed().slice(0, MAX_LOGGED);

/**
 * Records an attempt. Does nothing if the delivery was claimed again meanwhile, or deleted with its webhook.
 */
export async function recordAttempt(tx: Tx, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
  const webhook = await maybeOne(
    tx,
    sql<{ failures: number; succeededAt: Date | null }>`
      select failures, succeeded_at as "succeededAt" from webhooks where id = ${delivery.webhookId} for update`,
  );
  if (!webhook) return;
  // A delivery that the owner may not see is deleted from the log: even its existence must not be revealed.
  if (result.outcome === "invisible")
    return void (await run(tx, sql`delete from webhook_deliveries where ${isSameClaim(delivery)}`));
  if (result.outcome === "rights") {
    await run(
      tx,
      sql`update webhook_deliveries set locked_until = null, attempts = attempts - 1
        where ${isSameClaim(delivery)}`,
    );
    return pauseFor(tx, delivery, "rights");
  }
  const { status } = result;
  if (status !== null && status >= 200 && status < 300) return recordSuccess(tx, delivery, result);
  await recordFailure(tx, delivery, result, webhook);
}

const isSameClaim = ({ id, attempts }: ClaimedDelivery) =>
  sql`id = ${id} and state = 'pending' and attempts = ${attempts}`;

const attemptColumns = (tx: Tx, { ownerId }: ClaimedDelivery, attempt: WebhookCall) => sql`
  locked_until = null, tried_at = ${tx.now}, duration = ${attempt.duration}, status = ${attempt.status},
  error = ${describeFailure(attempt)}, request_body = ${toLogged(attempt.requestBody)},
  response_body = ${toLogged(attempt.responseBody)}, viewed_by = ${ownerId}`;

function describeFailure({ status, error }: WebhookCall): string | null {
  if (error !== null) return error.slice(0, 300);
  return status !== null && status >= 300 && status < 400 ? "Redirects are not followed." : null;
}

async function recordSuccess(tx: Tx, delivery: ClaimedDelivery, attempt: WebhookCall): Promise<void> {
  await run(
    tx,
    sql`update webhook_deliveries set state = 'delivered', ${attemptColumns(tx, delivery, attempt)}
      where ${isSameClaim(delivery)}`,
  );
  await run(
    tx,
    sql`update webhooks set failures = 0, retry_at = null, succeeded_at = ${tx.now}
      where id = ${delivery.webhookId}`,
  );
}

async function recordFailure(
  tx: Tx,
  delivery: ClaimedDelivery,
  attempt: WebhookCall,
  { failures, succeededAt }: { failures: number; succeededAt: Date | null },
): Promise<void> {
  const wait = Math.max(delayAfter(delivery.attempts), Math.min((attempt.retryAfter ?? 0) * SECOND, DAY));
  const stored = await maybeOne(
    tx,
    sql<{ firstTriedAt: Date }>`
      update webhook_deliveries set ${attemptColumns(tx, delivery, attempt)},
        next_at = ${addMilliseconds(tx.now, wait)}
      where ${isSameClaim(delivery)} returning first_tried_at as "firstTriedAt"`,
  );
  if (!stored) return;
  const failed = failures + 1;
  const retryAt =
    failed < FAILURES_UNTIL_WAIT
      ? null
      : addMilliseconds(tx.now, delayAfter(failed - FAILURES_UNTIL_WAIT + 1));
  await run(
    tx,
    sql`update webhooks set failures = ${failed}, retry_at = ${retryAt} where id = ${delivery.webhookId}`,
  );
  if (attempt.status === 410) return pauseFor(tx, delivery, "gone");
  if (stored.firstTriedAt > addMilliseconds(tx.now, -RETRY_FOR)) return;
  await run(tx, sql`update webhook_deliveries set state = 'failed' where id = ${delivery.id}`);
  if (succeededAt === null || succeededAt < stored.firstTriedAt) await pauseFor(tx, delivery, "failures");
}

/** Pauses the webhook and notifies its owner. */
async function pauseFor(tx: Tx, { webhookId }: ClaimedDelivery, reason: PausedReason): Promise<void> {
  const paused = await maybeOne(
    tx,
    sql<{ ownerId: string; groupId: string | null }>`
      update webhooks set paused_at = ${tx.now}, paused_reason = ${reason}
      where id = ${webhookId} and paused_at is null returning owner_id as "ownerId", group_id as "groupId"`,
  );
  if (paused)
    await emit(tx, { type: "webhook.paused", webhookId, personId: paused.ownerId, groupId: paused.groupId });
}
