import type { MessageInfo } from "#baas/messaging";
import { limit, many, maybeOne, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Devices, PushProvider } from "./devices.ts";

/** Outcome of a push, as numbers of devices. */
export type DeliveryTally = {
  devices: number;
  reached: number;
  gone: number;
  refused: number;
  unknown: number;
};
/** Outcome of a message on devices. `alone`: the message was for devices only. */
export type PushOutcome = Pick<MessageInfo, "status" | "errorMessage"> & {
  alone: boolean;
  devices: DeliveryTally;
};

type Row = DeliveryTally & { id: string; alone: boolean; ended: boolean };

/**
 * Returns the outcome of a message on devices, for a repeated message that of the last repetition. Null if
 * it was not sent to devices.
 */
export async function getPushOutcome(
  { db }: Pick<Devices, "db">,
  messageId: string,
): Promise<PushOutcome | null> {
  const row = isId(messageId)
    ? await maybeOne(
        db,
        sql<Row>`
          select id, alone, ended_at is not null as ended, taken as devices, reached, gone, refused,
            lost as unknown
          from pushes where message_id = ${messageId} order by id desc limit 1`,
      )
    : undefined;
  if (!row) return null;
  const { id, alone, ended, ...devices } = row;
  const reason = devices.refused > 0 ? await findCommonReason(db, id) : null;
  const status = !ended ? "scheduled" : devices.reached === 0 && devices.devices > 0 ? "failed" : "published";
  return { status, errorMessage: summarizeDelivery(devices, ended, reason), alone, devices };
}

const findCommonReason = async (db: Devices["db"], id: string): Promise<string | null> =>
  (
    await maybeOne(
      db,
      sql<{ reason: string }>`
        select reason from push_deliveries where push_id = ${id} and state = 'refused' group by reason
        order by count(*) desc, reason limit 1`,
    )
  )?.reason ?? null;

function summarizeDelivery(
  { devices, gone, refused, unknown }: DeliveryTally,
  ended: boolean,
  reason: string | null,
): string | null {
  if (devices === 0) return ended ? "No device is registered for this message." : null;
  const parts = [
    gone > 0 && `${gone} of ${devices} devices are no longer registered`,
    refused > 0 && `refused for ${refused} of ${devices} devices (${reason})`,
    unknown > 0 && `delivery to ${unknown} of ${devices} devices is unknown`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return null;
  const sentence = parts.join("; ");
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`;
}

export type DeviceCounts = {
  byOs: { os: string; devices: number }[];
  byChannel: { channel: string; devices: number }[];
  /** Refusals by providers in the last week, the most frequent first. */
  refusals: { way: PushProvider; reason: string; devices: number; last: Date }[];
};

/** Maximum rows of each list. */
const LIST_SIZE = 100;

/** Counts devices by system and by the largest channels, with the refusals of providers. */
export async function countDevices({ db }: Pick<Devices, "db">): Promise<DeviceCounts> {
  const byOs = await many(
    db,
    sql<
      DeviceCounts["byOs"][number]
    >`select os, count(*)::int as devices from devices group by os order by 2 desc, os ${limit(LIST_SIZE)}`,
  );
  const byChannel = await many(
    db,
    sql<DeviceCounts["byChannel"][number]>`
      select channel, count(*)::int as devices from device_channels group by channel
      order by 2 desc, channel ${limit(LIST_SIZE)}`,
  );
  const refusals = await many(
    db,
    sql<DeviceCounts["refusals"][number]>`
      select way, reason, count(*)::int as devices, max(claimed_at) as last from push_deliveries
      where state = 'refused'
      group by way, reason order by 3 desc, way, reason ${limit(LIST_SIZE)}`,
  );
  return { byOs, byChannel, refusals };
}
