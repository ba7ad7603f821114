import { isHeard, type Push, systemsIn } from "#backend/channels";
import { later, MINUTE } from "#platform/clock";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { later as laterJob } from "#platform/jobs";
import { type Content, contentOf } from "./content.ts";
import { fits } from "./faces.ts";

export const PUSH_TASK = "push-devices";
const ATTEMPTS = 12;
/** Before the first device. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Whom a push is for: devices of a channel and of these systems (null: of all), if it is for many; and those that are named. */
export type Target = { channel: string | null; broad: boolean; oses: string[] | null; deviceIds: string[] };

/** At once; clocks of processes may differ by less than this. */
export const atOnce = (now: Date): Date => later(now, -MINUTE);

/**
 * Puts a message down for devices, within the transaction that publishes it, with the job that tells them: to those that are named, to
 * the systems of a broadcast, or else to all of its channel. What cannot be pushed is a sentence.
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

/** A push and its job, stored together or not at all. */
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

/** One job of a push waits at a time: the next one that is put down takes its place. */
export const putJob = (db: Db, pushId: string, runAt: Date): Promise<void> =>
  laterJob(db, { task: PUSH_TASK, payload: { pushId }, key: `${PUSH_TASK}:${pushId}`, mostAttempts: ATTEMPTS, runAt });

/** The net below the jobs: those of a process that came to a sudden end are held for hours. Puts down a new one for all that is due. */
export async function pushAgain(db: Db, now: Date): Promise<void> {
  const due = await many(db, sql<{ id: string }>`select id from pushes where due_at <= ${now} order by due_at limit 500`);
  for (const { id } of due) await putJob(db, id, now);
}
