import { addMilliseconds, MINUTE } from "#platform/clock";
import { limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import type { PushProvider } from "./devices.ts";
import { dueImmediately, enqueuePushJob } from "./push-queue.ts";

/** Devices claimed per batch. */
const BATCH_SIZE = 50;
/**
 * Milliseconds after which a claimed delivery without an outcome counts as lost, because its process has
 * ended. Longer than any batch takes.
 */
const DELIVERY_LEASE = MINUTE;

export type ClaimedDevice = {
  registrationId: string;
  way: PushProvider;
  token: string;
  renewedAt: Date;
  tries: number;
};
/** Devices that this process sends a push to, possibly none. `over`: nothing can be sent at present. */
export type PushBatch = { content: string; createdAt: Date; devices: ClaimedDevice[] } | "over";
type PushRow = {
  id: string;
  content: string;
  createdAt: Date;
  channel: string | null;
  broad: boolean;
  oses: string[] | null;
  deviceIds: string[];
  takenTo: string;
  takenAll: boolean;
};

/**
 * Claims the next devices of a push, and records the claim before anything is sent. For a second
 * process neither the push nor these devices are due then, so no device gets a push twice.
 */
export async function claimPushBatch(tx: Tx, pushId: string): Promise<PushBatch> {
  const push = await maybeOne(
    tx,
    sql<PushRow>`
      select id, content, created_at as "createdAt", channel, broad, oses, device_ids as "deviceIds",
        taken_to as "takenTo", taken_all as "takenAll"
      from pushes where id = ${pushId} and due_at <= ${tx.now} for update skip locked`,
  );
  if (!push) return "over";
  await abandonLostDeliveries(tx, pushId);
  const again = await claimRetries(tx, pushId);
  const devices = again.length > 0 || push.takenAll ? again : await claimNewDevices(tx, push);
  if (devices.length === 0 && (push.takenAll || !(await hasMoreDevices(tx, pushId)))) {
    await scheduleNextBatch(tx, pushId);
    return "over";
  }
  const due = devices.length > 0 ? addMilliseconds(tx.now, DELIVERY_LEASE) : dueImmediately(tx.now);
  await run(tx, sql`update pushes set due_at = ${due} where id = ${pushId}`);
  return { content: push.content, createdAt: push.createdAt, devices };
}

/** Lost deliveries may have arrived, so they are not sent again. */
const abandonLostDeliveries = (tx: Tx, pushId: string) =>
  run(
    tx,
    sql`
      with lost as (
        delete from push_deliveries
        where push_id = ${pushId} and state = 'sending'
          and claimed_at < ${addMilliseconds(tx.now, -DELIVERY_LEASE)} returning 1)
      update pushes set lost = lost + (select count(*) from lost) where id = ${pushId}`,
  );

/**
 * Claims deliveries that are due for a retry because their provider was busy. Deliveries to devices deleted
 * since then count as gone.
 */
const claimRetries = (tx: Tx, pushId: string) =>
  many(
    tx,
    sql<ClaimedDevice>`
      with due as (
        select registration_id from push_deliveries
        where push_id = ${pushId} and state = 'waiting' and due_at <= ${tx.now}
        order by due_at ${limit(BATCH_SIZE)}),
      gone as (
        delete from push_deliveries p using due
        where p.push_id = ${pushId} and p.registration_id = due.registration_id
          and not exists (select from devices d where d.id = p.registration_id) returning 1),
      counted as (update pushes set gone = gone + (select count(*) from gone)
        where id = ${pushId} and exists (select from gone))
      update push_deliveries p set state = 'sending', due_at = null, tries = tries + 1, claimed_at = ${tx.now}
      from due join devices d on d.id = due.registration_id
      where p.push_id = ${pushId} and p.registration_id = due.registration_id
      returning p.registration_id as "registrationId", d.way, d.token, d.renewed_at as "renewedAt", p.tries`,
  );

/**
 * Claims the next devices in order of their ids, which is the order of registration, so that devices
 * registered during a push do not receive it. The position is stored with the push.
 */
async function claimNewDevices(
  tx: Tx,
  { id, channel, broad, oses, deviceIds, takenTo, createdAt }: PushRow,
): Promise<ClaimedDevice[]> {
  const everywhere = sql`select id from devices where ${broad && channel === null} and id > ${takenTo}
    order by id ${limit(BATCH_SIZE)}`;
  const candidates = await many(
    tx,
    sql<{ id: string }>`
      select id from (
        (select registration_id as id from device_channels
        where ${broad} and channel = ${channel} and registration_id > ${takenTo}
          order by registration_id ${limit(BATCH_SIZE)})
        union (${everywhere})
        union (select id from devices where device_id = any(${deviceIds}::text[]) and id > ${takenTo}
          order by id ${limit(BATCH_SIZE)})
      ) next order by id ${limit(BATCH_SIZE)}`,
  );
  await run(
    tx,
    sql`update pushes set taken_to = ${candidates.at(-1)?.id ?? takenTo},
      taken_all = ${candidates.length < BATCH_SIZE} where id = ${id}`,
  );
  return many(
    tx,
    sql<ClaimedDevice>`
      with taken as (
        insert into push_deliveries (push_id, registration_id, way, state, claimed_at)
        select ${id}, d.id, d.way, 'sending', ${tx.now} from devices d
        where d.id = any(${candidates.map((it) => it.id)}::uuid[]) and d.created_at <= ${createdAt}
          and (d.expires_at is null or d.expires_at > ${tx.now})
          and (d.device_id = any(${deviceIds}::text[])
            or (${broad} and (${oses}::text[] is null or d.os = any(${oses}::text[]))))
        on conflict do nothing returning registration_id),
      counted as (update pushes set taken = taken + (select count(*) from taken) where id = ${id})
      select d.id as "registrationId", d.way, d.token, d.renewed_at as "renewedAt", 1 as tries from taken
      join devices d on d.id = taken.registration_id`,
  );
}

const hasMoreDevices = async (tx: Tx, pushId: string) =>
  !(await one(tx, sql<{ all: boolean }>`select taken_all as "all" from pushes where id = ${pushId}`)).all;

/** Ends a push for which nothing can be sent at present, or schedules its next retry. */
async function scheduleNextBatch(tx: Tx, pushId: string): Promise<void> {
  const { next } = await one(
    tx,
    sql<{ next: Date | null }>`
      select min(case state when 'waiting' then due_at
        else claimed_at + ${DELIVERY_LEASE + 1_000} * interval '1 millisecond' end) as next
      from push_deliveries where push_id = ${pushId} and state in ('waiting', 'sending')`,
  );
  await run(
    tx,
    sql`update pushes set due_at = ${next}, ended_at = ${next === null ? tx.now : null} where id = ${pushId}`,
  );
  if (next !== null) await enqueuePushJob(tx, pushId, next);
}
