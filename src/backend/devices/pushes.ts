import { isHeard, type Push, systemsIn } from "#backend/channels";
import { later, MINUTE } from "#platform/clock";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { later as laterJob } from "#platform/jobs";
import { type Content, contentOf } from "./content.ts";
import { fits } from "./faces.ts";

export const PUSH_TASK = "push-devices";
const ATTEMPTS = 12;
/** Sorts before the id of every device. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Recipients of a push: devices of a channel and of these systems (null: all) if it is broad, and the listed
 * devices.
 */
export type Target = { channel: string | null; broad: boolean; oses: string[] | null; deviceIds: string[] };

/** Due now, with a margin for clock differences between processes. */
export const atOnce = (now: Date): Date => later(now, -MINUTE);

/**
 * Queues a message for devices and its delivery job, in the publishing transaction: to the listed devices,
 * the systems of a broadcast, or else all devices of the channel. Returns a sentence when it cannot be
 * pushed.
 */
export const pushToDevices: Push = async (tx, pushed) => {
  const { pushBroadcast, pushSinglecast } = pushed.said;
  const content = contentOf(pushed);
  if (!fits(content, tx.now)) return TOO_LONG;
  await putPush(tx, {
    content,
    alone: !isHeard(pushed.said),
    target: {
      channel: pushed.channel,
      broad: pushBroadcast !== null || pushSinglecast === null,
      oses: pushBroadcast === null ? null : systemsIn(pushBroadcast),
      deviceIds: pushSinglecast ?? [],
    },
  });
  return null;
};

export const TOO_LONG = "No device was told: with its headers, that is longer than the 3000 bytes that a push has.";

type NewPush = { content: Content; alone: boolean; target: Target };

/** Stores a push and its job together. */
export async function putPush(tx: Tx, { content, alone, target: { channel, broad, oses, deviceIds } }: NewPush): Promise<void> {
  const id = tx.newId();
  await run(
    tx,
    sql`
      insert into pushes (id, message_id, channel, broad, oses, device_ids, content, alone, created_at, due_at, taken_to)
      values (${id}, ${content.messageId}, ${channel}, ${broad}, ${oses}::text[], ${deviceIds}::text[], ${JSON.stringify(content)}, ${alone},
        ${tx.now}, ${atOnce(tx.now)}, ${NOBODY})`,
  );
  await putJob(tx, id, tx.now);
}

/** A push has one waiting job; a newer one replaces it. */
export const putJob = (db: Db, pushId: string, runAt: Date): Promise<void> =>
  laterJob(db, { task: PUSH_TASK, payload: { pushId }, key: `${PUSH_TASK}:${pushId}`, mostAttempts: ATTEMPTS, runAt });

/**
 * Fallback for jobs of a crashed process, which stay locked for hours: enqueues a new job for every due push.
 */
export async function pushAgain(db: Db, now: Date): Promise<void> {
  const due = await many(db, sql<{ id: string }>`select id from pushes where due_at <= ${now} order by due_at limit 500`);
  for (const { id } of due) await putJob(db, id, now);
}
