import { type Database, maybeOne, sql } from "#platform/database";
import { Room } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Apns, Fcm } from "#platform/phones";
import type { Push as WebPush } from "#platform/push";

/** The service that delivers a push: Apple's, Google's, or that of the browser vendor. */
export type Way = "apns" | "fcm" | "web";
/** Null if the operator has not configured it. Browsers need our own keys only. */
export type Ways = { apns: Apns | null; fcm: Fcm | null; web: WebPush };

export const WAY_TO: Readonly<Record<string, Way>> = {
  IOS: "apns",
  IPADOS: "apns",
  MACOS: "apns",
  OSX: "apns",
  TVOS: "apns",
  WATCHOS: "apns",
  ANDROID: "fcm",
  WEB: "web",
  BROWSER: "web",
};

const MOST = 100_000;

export type Devices = Pick<Database, "db" | "world" | "inTransaction"> & { ways: Ways; room: Room; log: Log };

/** Devices registered by API clients, and pushes to them. */
export function openDevices({ db, world, inTransaction }: House, ways: Ways, log: Log, most = MOST): Devices {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from devices`);
    return found!.n < most;
  });
  return { db, world, inTransaction, ways, room, log };
}
type House = Pick<Database, "db" | "world" | "inTransaction">;
