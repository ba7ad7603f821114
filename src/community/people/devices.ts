import { type Db, maybeOne, run, sql, type Tx } from "#platform/database";
import { hashOf, newSecret } from "#platform/ids";
import { placeOf } from "./allowances.ts";
import type { From } from "./door.ts";

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
export function deviceOf(userAgent: string): string {
  const browser = BROWSERS.find(([form]) => form.test(userAgent))?.[1] ?? "A program";
  const system = SYSTEMS.find(([form]) => form.test(userAgent))?.[1];
  return system ? `${browser} on ${system}` : browser;
}

/** A browser is recognized by its secret, and by its name and network, which is all that API clients have. */
const keysOf = ({ deviceSecret, userAgent, address }: From) => [
  hashOf(`named:${deviceOf(userAgent)}|${placeOf(address)}`),
  ...(deviceSecret ? [browserKey(deviceSecret)] : []),
];

const browserKey = (deviceSecret: string) => hashOf(`kept:${deviceSecret}`);

/** Returns whether this device has signed the person in before. */
export const knowsDevice = async (db: Db, personId: string, from: From): Promise<boolean> =>
  (await maybeOne(db, sql`select 1 from known_devices where person_id = ${personId} and device_hash = any(${keysOf(from)}) limit 1`)) !==
  undefined;

/**
 * Returns whether this browser has signed the person in, by its secret: others share its name and network.
 */
export const knowsBrowser = async (db: Db, personId: string, { deviceSecret }: From): Promise<boolean> =>
  deviceSecret !== undefined &&
  (await maybeOne(db, sql`select from known_devices where person_id = ${personId} and device_hash = ${browserKey(deviceSecret)}`)) !==
    undefined;

/** Remembers the device of a sign-in. `isNew`: the person has devices, and this is not one of them. */
export async function noteDevice(tx: Tx, personId: string, from: From): Promise<{ isNew: boolean; deviceSecret: string }> {
  const [known, hasOthers] = [await knowsDevice(tx, personId, from), await hasDevices(tx, personId)];
  // An unknown browser gets a new secret from us: one planted there by someone else would let that person
  // pass as known.
  const deviceSecret = known && from.deviceSecret ? from.deviceSecret : newSecret();
  for (const key of keysOf({ ...from, deviceSecret }))
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
