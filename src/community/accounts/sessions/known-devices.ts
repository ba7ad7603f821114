import { clientNetwork } from "#platform/client-address";
import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashSecret, createSecret } from "#platform/ids";
import type { ClientInfo } from "../types.ts";

const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/node|undici/i, "Node.js"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Readable name of a browser and system: `Firefox on Windows`. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1] ?? "A program";
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1];
  return system ? `${browser} on ${system}` : browser;
}

/** A browser is recognized by its secret, or by its user agent and network. API clients have no secret. */
const deviceKeys = ({ deviceSecret, userAgent, address }: ClientInfo) => [
  hashSecret(`named:${describeDevice(userAgent)}|${clientNetwork(address)}`),
  ...(deviceSecret ? [browserKey(deviceSecret)] : []),
];

const browserKey = (deviceSecret: string) => hashSecret(`kept:${deviceSecret}`);

/** Returns whether this device has signed the person in before. */
export const isKnownDevice = async (db: Db, personId: string, from: ClientInfo): Promise<boolean> =>
  (await maybeOne(
    db,
    sql`select 1 from known_devices where person_id = ${personId} and device_hash = any(${deviceKeys(from)})
      limit 1`,
  )) !== undefined;

/**
 * Returns whether this browser has signed the person in. Only the secret counts: other browsers share its
 * user agent and network.
 */
export const isKnownBrowser = async (
  db: Db,
  personId: string,
  { deviceSecret }: ClientInfo,
): Promise<boolean> =>
  deviceSecret !== undefined &&
  (await maybeOne(
    db,
    sql`select from known_devices
      where person_id = ${personId} and device_hash = ${browserKey(deviceSecret)}`,
  )) !== undefined;

/**
 * Remembers the device of a sign-in. `isNew` is true if the person has other devices and this one is not
 * among them.
 */
export async function rememberDevice(
  tx: Tx,
  personId: string,
  from: ClientInfo,
): Promise<{ isNew: boolean; deviceSecret: string }> {
  const [known, hasOthers] = [await isKnownDevice(tx, personId, from), await hasDevices(tx, personId)];
  // A browser that is not known gets a new secret. Someone else may have planted the present secret, and
  // would then count as known.
  const deviceSecret = known && from.deviceSecret ? from.deviceSecret : createSecret();
  for (const key of deviceKeys({ ...from, deviceSecret }))
    await run(
      tx,
      sql`
      insert into known_devices (person_id, device_hash, seen_at) values (${personId}, ${key}, ${tx.now})
      on conflict (person_id, device_hash) do update set seen_at = excluded.seen_at`,
    );
  return { isNew: hasOthers && !known, deviceSecret };
}

const hasDevices = async (tx: Tx, personId: string) =>
  (await maybeOne(tx, sql`select 1 from known_devices where person_id = ${personId} limit 1`)) !== undefined;
