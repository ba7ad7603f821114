import { DAY, HOUR, addMilliseconds, SECOND } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import { parseTrustedJson } from "#platform/json";
import type { PushOutcome } from "#platform/mobile-push";
import { WebPushError } from "#platform/web-push";
import { createHash } from "node:crypto";
import type { PushContent } from "./push-content.ts";
import type { Devices, PushProvider, PushProviders } from "./devices.ts";
import { createAndroidPayload, createApplePayload, createBrowserPayload } from "./push-payloads.ts";
import { dueImmediately, enqueuePushJob } from "./push-queue.ts";
import { parseSubscription } from "./web-push-subscription.ts";
import { type ClaimedDevice, claimPushBatch } from "./push-batches.ts";

/** Devices that a push is sent to at the same time. */
const CONCURRENCY = 25;
/** Maximum batches per job. After them, other pushes are delivered before this one continues. */
const BATCHES_PER_JOB = 20;
/**
 * Outcomes that suggest a problem at the provider. They end the job early, so that other pushes do not wait
 * for it.
 */
const PROVIDER_TROUBLE = new Set<PushOutcome["kind"]>(["later", "unknown"]);
const MAX_TRIES = 8;
const FIRST_RETRY_DELAY = 10 * SECOND;

/**
 * Delivers a push to its devices in batches, to each at most once: a delivery without an answer counts as
 * unknown and is not repeated. A device that its provider no longer recognizes is deleted. If the provider
 * is busy, the delivery is retried at the time that the provider names.
 */
export async function deliverPush(devices: Devices, pushId: string): Promise<void> {
  for (let shares = 0; shares < BATCHES_PER_JOB; shares += 1) {
    const share = await devices.inTransaction((tx) => claimPushBatch(tx, pushId));
    if (share === "over") return;
    if (share.devices.length === 0) continue;
    const content = parseTrustedJson<PushContent>(share.content);
    const outcomes = await pushToAll(devices, content, share.devices);
    const tooLate = addMilliseconds(share.createdAt, DAY);
    await devices.inTransaction((tx) => recordDeliveries(tx, pushId, outcomes, tooLate));
    if (outcomes.some(({ outcome }) => PROVIDER_TROUBLE.has(outcome.kind))) break;
  }
  await enqueuePushJob(devices.db, pushId, devices.runtime.now());
}

type Delivery = { device: ClaimedDevice; outcome: PushOutcome };

async function pushToAll(
  devices: Devices,
  content: PushContent,
  share: ClaimedDevice[],
): Promise<Delivery[]> {
  const left = [...share];
  const deliveries: Delivery[] = [];
  const worker = async () => {
    for (let device = left.shift(); device; device = left.shift())
      deliveries.push({ device, outcome: await pushToDevice(devices, content, device) });
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return deliveries;
}

const NOT_CONFIGURED: Record<PushProvider, string> = {
  apns: "ApnsIsNotSetUp",
  fcm: "FcmIsNotSetUp",
  web: "WebPushIsNotSetUp",
};

async function pushToDevice(
  { providers, runtime, log }: Devices,
  content: PushContent,
  { way, token }: ClaimedDevice,
): Promise<PushOutcome> {
  try {
    if (way === "web") return await pushToBrowser(providers, content, token);
    if (providers[way] === null) return { kind: "refused", reason: NOT_CONFIGURED[way] };
    return way === "apns"
      ? await providers.apns!.send(token, createApplePayload(content, runtime.now()))
      : await providers.fcm!.send(token, createAndroidPayload(content));
  } catch (error) {
    // The push may have been sent despite the error.
    log.error({ err: error, way }, "a push could not be sent to a device");
    return { kind: "unknown", reason: "OwnFault" };
  }
}

async function pushToBrowser(
  { web }: PushProviders,
  content: PushContent,
  token: string,
): Promise<PushOutcome> {
  const subscription = parseSubscription(token);
  if (!subscription) return { kind: "gone", reason: "BadSubscription", since: null };
  const topic = createHash("sha256").update(content.messageId).digest("base64url").slice(0, 24);
  try {
    const outcome = await web.send(subscription, createBrowserPayload(content), topic);
    return outcome === "sent" ? { kind: "sent" } : { kind: "gone", reason: "Unsubscribed", since: null };
  } catch (error) {
    if (!(error instanceof WebPushError)) throw error;
    return error.answered
      ? { kind: "later", reason: "Busy", after: error.retryAfter }
      : { kind: "unknown", reason: "NoAnswer" };
  }
}

type DeliveryRow = {
  id: string;
  state: "sent" | "gone" | "refused" | "lost" | "waiting";
  due: Date | null;
  reason: string | null;
};

/**
 * Records all outcomes in one statement, and deletes devices that no longer exist, unless they have been
 * registered again meanwhile.
 */
async function recordDeliveries(
  tx: Tx,
  pushId: string,
  deliveries: Delivery[],
  tooLate: Date,
): Promise<void> {
  const lines = deliveries.map((it) => createDeliveryRow(it, tx.now, tooLate));
  await run(
    tx,
    sql`
      with said as (
        select * from json_to_recordset(${JSON.stringify(lines)}::json) as it(id uuid, state text,
          due timestamptz, reason text)),
      kept as (
        update push_deliveries p set state = said.state, due_at = said.due, reason = said.reason from said
        where p.push_id = ${pushId} and p.registration_id = said.id and p.state = 'sending'
          and said.state in ('waiting', 'refused')
        returning said.state),
      over as (
        delete from push_deliveries p using said
        where p.push_id = ${pushId} and p.registration_id = said.id and p.state = 'sending'
          and said.state not in ('waiting', 'refused')
        returning said.state),
      written as (select state from kept union all select state from over)
      update pushes set due_at = ${dueImmediately(tx.now)},
        reached = reached + (select count(*) from written where state = 'sent'),
        gone = gone + (select count(*) from written where state = 'gone'),
        refused = refused + (select count(*) from written where state = 'refused'),
        lost = lost + (select count(*) from written where state = 'lost')
      where id = ${pushId} and ended_at is null`,
  );
  const gone = deliveries.flatMap(({ device, outcome }) => {
    if (outcome.kind !== "gone" || (outcome.since !== null && outcome.since < device.renewedAt)) return [];
    return [{ id: device.registrationId, at: device.renewedAt }];
  });
  if (gone.length === 0) return;
  await run(
    tx,
    sql`delete from devices d using json_to_recordset(${JSON.stringify(gone)}::json) as it(id uuid,
      at timestamptz)
        where d.id = it.id and d.renewed_at <= it.at`,
  );
}

function createDeliveryRow(
  { device: { registrationId: id, tries }, outcome }: Delivery,
  now: Date,
  tooLate: Date,
): DeliveryRow {
  const over = (state: DeliveryRow["state"], reason: string | null): DeliveryRow => ({
    id,
    state,
    due: null,
    reason,
  });
  if (outcome.kind === "sent") return over("sent", null);
  if (outcome.kind !== "later")
    return over(outcome.kind === "unknown" ? "lost" : outcome.kind, outcome.reason);
  const pause =
    outcome.after === null ? FIRST_RETRY_DELAY * 2 ** (tries - 1) : Math.min(outcome.after * SECOND, HOUR);
  const due = addMilliseconds(now, pause);
  return tries >= MAX_TRIES || due > tooLate
    ? over("refused", outcome.reason)
    : { id, state: "waiting", due, reason: outcome.reason };
}
