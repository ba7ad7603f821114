import { createHash } from "node:crypto";
import { assertChannel } from "#backend/channels";
import { DAY, later } from "#platform/clock";
import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { type Devices, WAY_TO } from "./devices.ts";
import type { NewRegistration } from "./new-registration.ts";

/** Devices of one person: the one that was renewed longest ago makes room for another. */
const MOST_OF_ONE = 20;
/** Whoever was not heard of for so long does not have this token any more: that is what makers of phones say, too. */
const UNUSED = 270 * DAY;

/** Who asks: a person or nobody, and whether everything is theirs to see. */
export type Asking = { personId: string | null; trusted: boolean };

/**
 * Registers a device, in place of what was known of it before: it is told of what is pushed on these channels from now on. It belongs to
 * whoever is signed in. A token that another device had moves over: that one is this, installed anew. Throws `invalid` for
 * channels that are none and an end that is past, `not-allowed` for channels of the community, `too-large` where there is no room.
 */
export async function register(devices: Devices, { personId }: Asking, given: NewRegistration): Promise<{ registrationId: string }> {
  given.channels.forEach(assertChannel);
  if (given.expiration && given.expiration <= devices.world.now())
    throw new Refusal("invalid", "expiration: is a moment that is to come", { kind: "bad-body" });
  const known = () => maybeOne(devices.db, sql`select 1 from devices where device_id = ${given.deviceId}`);
  if (!(await devices.room.left()) && !(await known())) throw new Refusal("too-large", "There are as many devices as can be.");
  return devices.inTransaction(async (tx) => {
    // Devices are registered seldom: one after the other, two that swap their tokens do not stand in each other's way.
    await run(tx, sql`select pg_advisory_xact_lock(hashtext('devices'))`);
    const registrationId = await put(tx, personId, given);
    await run(tx, sql`delete from device_channels where registration_id = ${registrationId}`);
    await run(
      tx,
      sql`insert into device_channels (channel, registration_id) select channel, ${registrationId} from unnest(${given.channels}::text[]) channel`,
    );
    if (personId !== null) await makeRoom(tx, personId);
    return { registrationId };
  });
}

async function put(
  tx: Tx,
  personId: string | null,
  { deviceId, deviceToken, os, osVersion, expiration }: NewRegistration,
): Promise<string> {
  const hash = createHash("sha256").update(deviceToken).digest();
  await run(tx, sql`delete from devices where token_hash = ${hash} and device_id <> ${deviceId}`);
  const kept = await maybeOne(
    tx,
    sql<{ id: string }>`
      insert into devices (id, device_id, os, way, os_version, token, token_hash, person_id, expires_at, created_at, renewed_at)
      values (${tx.newId()}, ${deviceId}, ${os}, ${WAY_TO[os]}, ${osVersion}, ${deviceToken}, ${hash}, ${personId}, ${expiration}, ${tx.now}, ${tx.now})
      on conflict (device_id) do update set os = excluded.os, way = excluded.way, os_version = excluded.os_version, token = excluded.token,
        token_hash = excluded.token_hash, person_id = excluded.person_id, expires_at = excluded.expires_at, renewed_at = excluded.renewed_at
      returning id`,
  );
  return kept!.id;
}

const makeRoom = (tx: Tx, personId: string) =>
  run(
    tx,
    sql`delete from devices where id in (
      select id from devices where person_id = ${personId} order by renewed_at desc, id desc offset ${MOST_OF_ONE})`,
  );

export type Registration = {
  id: string;
  deviceToken: string;
  deviceId: string;
  os: string;
  osVersion: string;
  expiration: number | null;
  channels: string[];
};

/**
 * What is known of a device: a list of one, or of none. The device of a person is shown to them alone; that of nobody to whoever knows
 * its id.
 */
export const registrationsOf = ({ db, world }: Devices, { personId, trusted }: Asking, deviceId: string): Promise<Registration[]> =>
  many(
    db,
    sql<Registration>`
      select id, token as "deviceToken", device_id as "deviceId", os, os_version as "osVersion",
        (extract(epoch from expires_at) * 1000)::float8 as expiration,
        array(select channel from device_channels where registration_id = d.id order by channel) as channels
      from devices d
      where device_id = ${deviceId} and (expires_at is null or expires_at > ${world.now()})
        and (${trusted} or person_id is null or person_id = ${personId})`,
  );

/**
 * Ends a registration, or only what is said there of these channels; without any channel left it ends as well. That is for whoever knows
 * the id of the device: who has signed out is to be able to. Throws `not-found`.
 */
export async function unregister({ inTransaction }: Devices, deviceId: string, channels: string[]): Promise<{ result: true }> {
  await inTransaction(async (tx) => {
    const found = await maybeOne(tx, sql<{ id: string }>`select id from devices where device_id = ${deviceId} for update`);
    if (!found) throw new Refusal("not-found", "Unable to cancel device registration - unknown device ID.", { kind: "device-unknown" });
    if (channels.length > 0) {
      await run(tx, sql`delete from device_channels where registration_id = ${found.id} and channel = any(${channels}::text[])`);
      if (await maybeOne(tx, sql`select 1 from device_channels where registration_id = ${found.id} limit 1`)) return;
    }
    await run(tx, sql`delete from devices where id = ${found.id}`);
  });
  return { result: true };
}

/** Takes away devices whose registration has ended or was not renewed for long, and what became of pushes a week after their end. */
export async function purgeDevices(tx: Tx): Promise<void> {
  await run(tx, sql`delete from devices where expires_at <= ${tx.now} or renewed_at < ${later(tx.now, -UNUSED)}`);
  await run(tx, sql`delete from pushes where ended_at < ${later(tx.now, -7 * DAY)}`);
}
