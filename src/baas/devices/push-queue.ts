import { isSentToListeners, type PushMessage, parseTargetSystems } from "#baas/messaging";
import { addMilliseconds, MINUTE } from "#platform/clock";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { enqueueJob as laterJob } from "#platform/jobs";
import { type PushContent, createPushContent } from "./push-content.ts";
import { fitsEveryProvider } from "./push-payloads.ts";

export const PUSH_TASK = "push-devices";
const MAX_ATTEMPTS = 12;
/** Cursor that sorts before the id of every device. */
const FIRST_CURSOR = "00000000-0000-0000-0000-000000000000";

/**
 * Recipients of a push: the listed devices, and if it is `broad`, the devices of a channel (null: all) with
 * these systems (null: all).
 */
export type PushTarget = {
  channel: string | null;
  broad: boolean;
  oses: string[] | null;
  deviceIds: string[];
};

/**
 * Returns a due time slightly in the past, so that the push is due in processes whose clock is behind, too.
 */
export const dueImmediately = (now: Date): Date => addMilliseconds(now, -MINUTE);

/**
 * Queues a message for devices with its delivery job, in the publishing transaction. The message is sent to
 * the listed devices, to the systems of a broadcast, or otherwise to all devices of the channel. Returns an
 * error message for the publisher if a push is not possible.
 */
export const queueDevicePush: PushMessage = async (tx, pushed) => {
  const { pushBroadcast, pushSinglecast } = pushed.input;
  const content = createPushContent(pushed);
  if (!fitsEveryProvider(content, tx.now)) return PUSH_TOO_LONG;
  await insertPush(tx, {
    content,
    alone: !isSentToListeners(pushed.input),
    target: {
      channel: pushed.channel,
      broad: pushBroadcast !== null || pushSinglecast === null,
      oses: pushBroadcast === null ? null : parseTargetSystems(pushBroadcast),
      deviceIds: pushSinglecast ?? [],
    },
  });
  return null;
};

export const PUSH_TOO_LONG = "Not pushed: with its headers, the message exceeds the 3000 bytes of a push.";

type NewPush = { content: PushContent; alone: boolean; target: PushTarget };

/** Stores a push and its job together. */
export async function insertPush(
  tx: Tx,
  { content, alone, target: { channel, broad, oses, deviceIds } }: NewPush,
): Promise<void> {
  const id = tx.newId();
  await run(
    tx,
    sql`
      insert into pushes (id, message_id, channel, broad, oses, device_ids, content, alone, created_at,
        due_at, taken_to)
      values (${id}, ${content.messageId}, ${channel}, ${broad}, ${oses}::text[], ${deviceIds}::text[],
        ${JSON.stringify(content)}, ${alone},
        ${tx.now}, ${dueImmediately(tx.now)}, ${FIRST_CURSOR})`,
  );
  await enqueuePushJob(tx, id, tx.now);
}

/** Adds the job of a push. A push has only one waiting job; a newer one replaces it. */
export const enqueuePushJob = (db: Db, pushId: string, runAt: Date): Promise<void> =>
  laterJob(db, {
    task: PUSH_TASK,
    payload: { pushId },
    key: `${PUSH_TASK}:${pushId}`,
    mostAttempts: MAX_ATTEMPTS,
    runAt,
  });

/** Adds a new job for every due push. Needed because jobs of a crashed process stay locked for hours. */
export async function requeueDuePushes(db: Db, now: Date): Promise<void> {
  const due = await many(
    db,
    sql<{ id: string }>`select id from pushes where due_at <= ${now} order by due_at limit 500`,
  );
  for (const { id } of due) await enqueuePushJob(db, id, now);
}
