import { createHash } from "node:crypto";
import { assertChannel } from "#baas/messaging";
import { DAY, addMilliseconds } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { type Devices, PROVIDER_BY_OS } from "./devices.ts";
import type { NewRegistration } from "./registration-schema.ts";

/** Maximum devices of a person. When there are more, the device that was renewed longest ago is removed. */
const MAX_DEVICES_PER_PERSON = 20;
/** Milliseconds without renewal after which a token is no longer used, as phone makers recommend. */
const UNUSED_DEVICE_AGE = 270 * DAY;

/** The caller: a person or null. `trusted` may see all registrations. */
export type DeviceCaller = { personId: string | null; trusted: boolean };

/**
 * Registers a device for pushes on its channels, replacing its earlier registration. The device belongs to
 * the signed-in person. If another device has the same token, the app was reinstalled, and the token is
 * moved to this device.
 * @throws `invalid` for invalid channels or a past expiry, `not-allowed` for channels of the community,
 * `too-large` when there are too many devices
 */
export async function registerDevice(
  devices: Devices,
  { personId }: DeviceCaller,
  registration: NewRegistration,
): Promise<{ registrationId: string }> {
  registration.channels.forEach(assertChannel);
  if (registration.expiration && registration.expiration <= devices.runtime.now())
    throw new Refusal("invalid", "expiration: must be in the future", { kind: "bad-body" });
  const known = () =>
    maybeOne(devices.db, sql`select 1 from devices where device_id = ${registration.deviceId}`);
  if (!(await devices.quota.left()) && !(await known()))
    throw new Refusal("too-large", "The maximum number of devices is reached.");
  return devices.inTransaction(async (tx) => {
    // Registrations are rare, so they run one at a time; two devices that exchange tokens could otherwise
    // deadlock.
    await run(tx, sql`select pg_advisory_xact_lock(hashtext('devices'))`);
    const registrationId = await upsertDevice(tx, personId, registration);
    await run(tx, sql`delete from device_channels where registration_id = ${registrationId}`);
    await run(
      tx,
      sql`insert into device_channels (channel, registration_id) select channel, ${registrationId}
        from unnest(${registration.channels}::text[]) channel`,
    );
    if (personId !== null) await evictOldestDevice(tx, personId);
    return { registrationId };
  });
}

async function upsertDevice(
  tx: Tx,
  personId: string | null,
  { deviceId, deviceToken, os, osVersion, expiration }: NewRegistration,
): Promise<string> {
  const hash = createHash("sha256").update(deviceToken).digest();
  await run(tx, sql`delete from devices where token_hash = ${hash} and device_id <> ${deviceId}`);
  const kept = await maybeOne(
    tx,
    sql<{ id: string }>`
      insert into devices (id, device_id, os, way, os_version, token, token_hash, person_id, expires_at,
        created_at, renewed_at)
      values (${tx.newId()}, ${deviceId}, ${os}, ${PROVIDER_BY_OS[os]}, ${osVersion}, ${deviceToken}, ${hash},
        ${personId}, ${expiration}, ${tx.now}, ${tx.now})
      on conflict (device_id) do update set os = excluded.os, way = excluded.way,
        os_version = excluded.os_version, token = excluded.token,
        token_hash = excluded.token_hash, person_id = excluded.person_id, expires_at = excluded.expires_at,
        renewed_at = excluded.renewed_at
      returning id`,
  );
  return kept!.id;
}

const evictOldestDevice = (tx: Tx, personId: string) =>
  run(
    tx,
    sql`delete from devices where id in (
      select id from devices where person_id = ${personId} order by renewed_at desc, id desc
      offset ${MAX_DEVICES_PER_PERSON})`,
  );

export type DeviceRegistration = {
  id: string;
  deviceToken: string;
  deviceId: string;
  os: string;
  osVersion: string;
  expiration: number | null;
  channels: string[];
};

/**
 * Lists the registration of a device: one or none. A person's device is visible to that person only, an
 * anonymous one to every caller who has its id.
 */
export const listRegistrations = (
  { db, runtime }: Devices,
  { personId, trusted }: DeviceCaller,
  deviceId: string,
): Promise<DeviceRegistration[]> =>
  many(
    db,
    sql<DeviceRegistration>`
      select id, token as "deviceToken", device_id as "deviceId", os, os_version as "osVersion",
        (extract(epoch from expires_at) * 1000)::float8 as expiration,
        array(select channel from device_channels where registration_id = d.id order by channel) as channels
      from devices d
      where device_id = ${deviceId} and (expires_at is null or expires_at > ${runtime.now()})
        and (${trusted} or person_id is null or person_id = ${personId})`,
  );

/**
 * Removes channels from a registration, or the whole registration if no channels are given or none remain.
 * Every caller who has the device id may do this, so that it works after signing out.
 * @throws `not-found`
 */
export async function unregisterDevice(
  { inTransaction }: Devices,
  deviceId: string,
  channels: string[],
): Promise<{ result: true }> {
  await inTransaction(async (tx) => {
    const found = await maybeOne(
      tx,
      sql<{ id: string }>`select id from devices where device_id = ${deviceId} for update`,
    );
    if (!found)
      throw new Refusal("not-found", "Unable to cancel device registration - unknown device ID.", {
        kind: "device-unknown",
      });
    if (channels.length > 0) {
      await run(
        tx,
        sql`delete from device_channels
          where registration_id = ${found.id} and channel = any(${channels}::text[])`,
      );
      if (await maybeOne(tx, sql`select 1 from device_channels where registration_id = ${found.id} limit 1`))
        return;
    }
    await run(tx, sql`delete from devices where id = ${found.id}`);
  });
  return { result: true };
}

/** Deletes expired and long unused registrations, and the outcome of pushes that ended a week ago. */
export async function purgeDevices(tx: Tx): Promise<void> {
  await run(
    tx,
    sql`delete from devices where expires_at <= ${tx.now}
      or renewed_at < ${addMilliseconds(tx.now, -UNUSED_DEVICE_AGE)}`,
  );
  await run(tx, sql`delete from pushes where ended_at < ${addMilliseconds(tx.now, -7 * DAY)}`);
}
