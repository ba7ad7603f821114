import { DAY, HOUR, later, SECOND } from "#platform/clock";
import { run, sql, type Tx } from "#platform/database";
import type { Outcome } from "#platform/phones";
import { PushFault } from "#platform/push";
import { createHash } from "node:crypto";
import type { Content } from "./content.ts";
import type { Devices, Way, Ways } from "./devices.ts";
import { androidNote, appleNote, browserNote } from "./faces.ts";
import { atOnce, putJob } from "./pushes.ts";
import { subscriptionIn } from "./subscription.ts";
import { type Taken, takeShare } from "./taking.ts";

/** Devices pushed to at the same time. */
const BESIDE = 25;
/** Batches per job, so that other pushes have their turn. */
const SHARES = 20;
/** Outcomes of a provider in trouble. They end the job early, so that other pushes do not wait for it. */
const TROUBLE = new Set<Outcome["kind"]>(["later", "unknown"]);
const TRIES = 8;
const FIRST_PAUSE = 10 * SECOND;

/**
 * Delivers a push to its devices in batches, at most once each: a push without an answer counts as unknown. A
 * device that its provider no longer knows is deleted; if the provider is busy, it is retried as the provider
 * says.
 */
export async function workPush(devices: Devices, pushId: string): Promise<void> {
  for (let shares = 0; shares < SHARES; shares += 1) {
    const share = await devices.inTransaction((tx) => takeShare(tx, pushId));
    if (share === "over") return;
    if (share.devices.length === 0) continue;
    const content = JSON.parse(share.content) as Content;
    const outcomes = await tellAll(devices, content, share.devices);
    const tooLate = later(share.createdAt, DAY);
    await devices.inTransaction((tx) => writeDown(tx, pushId, outcomes, tooLate));
    if (outcomes.some(({ outcome }) => TROUBLE.has(outcome.kind))) break;
  }
  await putJob(devices.db, pushId, devices.world.now());
}

type Told = { device: Taken; outcome: Outcome };

async function tellAll(devices: Devices, content: Content, share: Taken[]): Promise<Told[]> {
  const left = [...share];
  const told: Told[] = [];
  const worker = async () => {
    for (let device = left.shift(); device; device = left.shift()) told.push({ device, outcome: await tellOne(devices, content, device) });
  };
  await Promise.all(Array.from({ length: BESIDE }, worker));
  return told;
}

const UNSET: Record<Way, string> = { apns: "ApnsIsNotSetUp", fcm: "FcmIsNotSetUp", web: "WebPushIsNotSetUp" };

async function tellOne({ ways, world, log }: Devices, content: Content, { way, token }: Taken): Promise<Outcome> {
  try {
    if (way === "web") return await tellBrowser(ways, content, token);
    if (ways[way] === null) return { kind: "refused", reason: UNSET[way] };
    return way === "apns"
      ? await ways.apns!.send(token, appleNote(content, world.now()))
      : await ways.fcm!.send(token, androidNote(content));
  } catch (error) {
    // The push may have been sent despite the error.
    log.error({ err: error, way }, "a device could not be told");
    return { kind: "unknown", reason: "OwnFault" };
  }
}

async function tellBrowser({ web }: Ways, content: Content, token: string): Promise<Outcome> {
  const subscription = subscriptionIn(token);
  if (!subscription) return { kind: "gone", reason: "BadSubscription", since: null };
  const topic = createHash("sha256").update(content.messageId).digest("base64url").slice(0, 24);
  try {
    const outcome = await web.send(subscription, browserNote(content), topic);
    return outcome === "sent" ? { kind: "sent" } : { kind: "gone", reason: "Unsubscribed", since: null };
  } catch (error) {
    if (!(error instanceof PushFault)) throw error;
    return error.answered ? { kind: "later", reason: "Busy", after: error.retryAfter } : { kind: "unknown", reason: "NoAnswer" };
  }
}

type Line = { id: string; state: "sent" | "gone" | "refused" | "lost" | "waiting"; due: Date | null; reason: string | null };

/**
 * Records all outcomes in one statement, and deletes devices that are gone, unless they were registered again
 * meanwhile.
 */
async function writeDown(tx: Tx, pushId: string, told: Told[], tooLate: Date): Promise<void> {
  const lines = told.map((it) => lineOf(it, tx.now, tooLate));
  await run(
    tx,
    sql`
      with said as (
        select * from json_to_recordset(${JSON.stringify(lines)}::json) as it(id uuid, state text, due timestamptz, reason text)),
      kept as (
        update push_deliveries p set state = said.state, due_at = said.due, reason = said.reason from said
        where p.push_id = ${pushId} and p.registration_id = said.id and p.state = 'sending' and said.state in ('waiting', 'refused')
        returning said.state),
      over as (
        delete from push_deliveries p using said
        where p.push_id = ${pushId} and p.registration_id = said.id and p.state = 'sending' and said.state not in ('waiting', 'refused')
        returning said.state),
      written as (select state from kept union all select state from over)
      update pushes set due_at = ${atOnce(tx.now)},
        reached = reached + (select count(*) from written where state = 'sent'), gone = gone + (select count(*) from written where state = 'gone'),
        refused = refused + (select count(*) from written where state = 'refused'), lost = lost + (select count(*) from written where state = 'lost')
      where id = ${pushId} and ended_at is null`,
  );
  const gone = told.flatMap(({ device, outcome }) => {
    if (outcome.kind !== "gone" || (outcome.since !== null && outcome.since < device.renewedAt)) return [];
    return [{ id: device.registrationId, at: device.renewedAt }];
  });
  if (gone.length === 0) return;
  await run(
    tx,
    sql`delete from devices d using json_to_recordset(${JSON.stringify(gone)}::json) as it(id uuid, at timestamptz)
        where d.id = it.id and d.renewed_at <= it.at`,
  );
}

function lineOf({ device: { registrationId: id, tries }, outcome }: Told, now: Date, tooLate: Date): Line {
  const over = (state: Line["state"], reason: string | null): Line => ({ id, state, due: null, reason });
  if (outcome.kind === "sent") return over("sent", null);
  if (outcome.kind !== "later") return over(outcome.kind === "unknown" ? "lost" : outcome.kind, outcome.reason);
  const pause = outcome.after === null ? FIRST_PAUSE * 2 ** (tries - 1) : Math.min(outcome.after * SECOND, HOUR);
  const due = later(now, pause);
  return tries >= TRIES || due > tooLate ? over("refused", outcome.reason) : { id, state: "waiting", due, reason: outcome.reason };
}
